-- One definition applied to one test, or to one trace that no test asked for. Of each (test or trace, definition) one row
-- is current; rows that a newer version took the place of are superseded.
-- normalised: the score on a scale from 0 to 1. results, judge: JSON. trace_id: 16 bytes.
CREATE TABLE eval (
  id TEXT PRIMARY KEY,
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
  results TEXT,
  version INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  input_hash TEXT NOT NULL,
  reason TEXT,
  judge TEXT,
  cost REAL,
  latency_ms INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX eval_by_application ON eval (application, created_at, id);
CREATE INDEX eval_by_test ON eval (application, test_id, definition_id) WHERE test_id IS NOT NULL;
CREATE INDEX eval_by_trace ON eval (application, trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX eval_by_definition ON eval (application, definition_id, created_at, id);
CREATE INDEX eval_by_task ON eval (application, task_id, created_at, id) WHERE task_id IS NOT NULL;
CREATE INDEX eval_by_run ON eval (application, run_id) WHERE run_id IS NOT NULL;

-- What the counted evals say of a task, a topic or a definition, worked out when it may have changed.
-- rates: 0 to 1. due_at: when it has to be worked out anew (0 = now), since a test leaves the window of what counts.
CREATE TABLE figure (
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  tests INTEGER NOT NULL,
  pass_rate REAL,
  low REAL,
  high REAL,
  error_rate REAL,
  monitoring_pass_rate REAL,
  health INTEGER,
  deviation REAL,
  due_at INTEGER,
  PRIMARY KEY (application, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_due ON figure (due_at) WHERE due_at IS NOT NULL;

-- Finished evals of a test that are current, and how many of them passed.
ALTER TABLE test ADD COLUMN finished_evals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE test ADD COLUMN passed_evals INTEGER NOT NULL DEFAULT 0;
