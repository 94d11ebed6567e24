-- One definition applied to one test, or to one trace without a test (test_id is NULL). One row of each pair is current;
-- earlier versions are superseded.
-- trace_id: 16 bytes; for a test, its first trace. run_type: MONITORING for a trace without a test.
-- status: PENDING, IN_PROGRESS, COMPLETED, FAILED, SKIPPED; the last three are final.
-- score: on the scale of the definition's type; normalised: from 0 to 1. results, judge: JSON objects.
-- judge_version: hash of all that decides how the judge model judges; NULL if no model was called.
-- input_tokens, output_tokens: used by the judge model, 0 if it does not report them and for a scorer that reports a cost;
-- else NULL.
CREATE TABLE eval (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  definition_type TEXT NOT NULL,
  test_id TEXT,
  trace_id BLOB,
  task_id TEXT,
  run_id TEXT,
  run_type TEXT NOT NULL,
  status TEXT NOT NULL,
  score REAL,
  normalised REAL,
  passed INTEGER,
  version INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  cost REAL,
  latency_ms INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  input_hash TEXT NOT NULL,
  reason TEXT,
  results TEXT,
  judge TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  judge_version TEXT,
  CHECK (test_id IS NOT NULL OR trace_id IS NOT NULL)
) STRICT;
-- Texts make rows long, so these indexes include every column that lists filter by,
CREATE INDEX eval_by_creation ON eval (application, created_at, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_modification ON eval (application, modified_at, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_status ON eval (application, status, id, superseded, definition_type, passed);
CREATE INDEX eval_by_id ON eval (application, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_task ON eval (application, task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX eval_by_trace ON eval (application, trace_id, definition_id, superseded, id) WHERE trace_id IS NOT NULL;
-- and these every column that metrics are computed from.
CREATE INDEX eval_by_run ON eval (application, run_id, definition_id, superseded, status, test_id, passed, normalised, id)
  WHERE run_id IS NOT NULL;
CREATE INDEX eval_by_test ON eval (application, test_id, definition_id, superseded, status, definition_version, passed, normalised,
  id) WHERE test_id IS NOT NULL;
CREATE INDEX eval_by_definition ON eval (application, definition_id, created_at, superseded, status, run_type, test_id, trace_id,
  passed, id);
CREATE INDEX eval_of_monitoring ON eval (application, task_id, created_at, superseded, status, test_id, trace_id, passed, id)
  WHERE run_type = 'MONITORING';
-- Completed evals of one judge, for its reliability.
CREATE INDEX eval_by_judge ON eval (application, definition_id, definition_version, created_at, judge_version, test_id, trace_id,
  version, passed) WHERE status = 'COMPLETED';
-- Evals of sessions, and others that read the turns before a trace.
CREATE INDEX eval_of_session ON eval (application, trace_id)
  WHERE test_id IS NULL AND definition_type IN ('CONVERSATION', 'HTTP');
-- Traces with a failed eval, for annotation queues.
CREATE INDEX eval_failed ON eval (application, test_id, trace_id) WHERE passed = 0 AND superseded = 0;
CREATE INDEX eval_by_cost ON eval (application, created_at, definition_id, cost, input_tokens, output_tokens)
  WHERE input_tokens IS NOT NULL;

-- Metrics of a task, a topic or a definition (kind), computed from its tests and evals. Rates and deviations: 0 to 1.
-- due_at: when to compute the row again, because something changed or leaves the period that counts; NULL = never.
-- ready_at: the earliest time to compute it again, for rows that take long. version: grows with every change.
-- examples: number of different examples of its tests. pass_rate_low, pass_rate_high: 95 % interval of the pass rate.
-- monitored_…: counts of traces that monitoring evaluated, as tests, and of their evals.
CREATE TABLE figure (
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  tests INTEGER NOT NULL DEFAULT 0,
  pass_rate REAL,
  error_rate REAL,
  monitoring_pass_rate REAL,
  health INTEGER,
  deviation REAL,
  due_at INTEGER DEFAULT 0,
  ready_at INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  examples INTEGER NOT NULL DEFAULT 0,
  pass_rate_low REAL,
  pass_rate_high REAL,
  evaluations INTEGER NOT NULL DEFAULT 0,
  passed_evaluations INTEGER NOT NULL DEFAULT 0,
  passed_tests INTEGER NOT NULL DEFAULT 0,
  monitored_tests INTEGER NOT NULL DEFAULT 0,
  monitored_evaluations INTEGER NOT NULL DEFAULT 0,
  monitored_passed_evaluations INTEGER NOT NULL DEFAULT 0,
  monitored_passed_tests INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (application, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_due ON figure (due_at) WHERE due_at IS NOT NULL;

-- Responses of judge models, so that no request is sent and paid for twice.
-- subject_id: the eval, or the run whose prompts the prompt model writes.
-- hash: SHA-256 of the request, in hex. repeat: number of the rerun, from 0. run_id: of the eval's test.
-- request: JSON; NULL if an earlier call of the subject has the same. request and raw are NULL once the trace is deleted.
-- prompt_hash: the instructions, in judge_prompt; NULL if request has them, as earlier versions stored it.
-- cost: US dollars; NULL if the price is unknown. model, fingerprint: what the response says served it.
CREATE TABLE judge_call (
  application INTEGER NOT NULL,
  subject_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  run_id TEXT,
  judge TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cost REAL,
  latency_ms REAL NOT NULL,
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  request TEXT,
  raw TEXT,
  prompt_hash TEXT,
  fingerprint TEXT,
  PRIMARY KEY (application, subject_id, hash)
) STRICT;
CREATE INDEX judge_call_by_run ON judge_call (application, run_id, cost) WHERE cost IS NOT NULL AND run_id IS NOT NULL;

-- Instructions of requests to judge models. hash: SHA-256 of the text, in hex.
CREATE TABLE judge_prompt (
  application INTEGER NOT NULL,
  hash TEXT NOT NULL,
  system TEXT NOT NULL,
  PRIMARY KEY (application, hash)
) STRICT, WITHOUT ROWID;

-- Cost of the calls of an application on a day (UTC, YYYY-MM-DD), in US dollars.
CREATE TABLE judge_day (
  day TEXT NOT NULL,
  application INTEGER NOT NULL,
  cost REAL NOT NULL,
  PRIMARY KEY (day, application)
) STRICT, WITHOUT ROWID;

-- Live traces that were sampled; they are judged when no more spans arrive. due_at: when to check that.
CREATE TABLE monitored_trace (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX monitored_trace_by_due ON monitored_trace (due_at);

-- last_tkey: the last trace that sampling has seen. One row; none while no definition monitors.
CREATE TABLE monitoring (last_tkey INTEGER NOT NULL) STRICT;

-- Live sessions that were sampled; each is judged as a conversation when it is idle. due_at: when to check that.
-- trace_id: instead of session_id, a trace in flight whose session is unknown so far.
CREATE TABLE monitored_session (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  session_id TEXT,
  trace_id BLOB,
  due_at INTEGER NOT NULL,
  UNIQUE (application, session_id),
  UNIQUE (application, trace_id),
  CHECK ((session_id IS NULL) <> (trace_id IS NULL))
) STRICT;
CREATE INDEX monitored_session_by_due ON monitored_session (due_at);

-- last_tkey: the last trace whose session sampling has seen. One row; none while no definition judges live sessions.
CREATE TABLE session_monitoring (last_tkey INTEGER NOT NULL) STRICT;
