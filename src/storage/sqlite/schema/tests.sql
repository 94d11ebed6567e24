-- One run of a task against the customer's app; id: the test id that spans carry.
-- trace_id: the trace that its deliveries begin. check_at: when to check whether the test is complete or has failed.
-- finished_evals, passed_evals: current evals that are COMPLETED, and those of them that passed.
-- counted_evals, counted_passed: what the test adds to pass rates: its finished evals once it is COMPLETED, and one eval that did
-- not pass when it failed by the app's fault.
-- has_error: 1 if the test failed for a reason that is not the app's fault.
-- trace_deleted: 1 if a trace that was linked to the test has been deleted.
-- example_id: the example that it sends; example_index: the place of that among the active examples of its task, from 0.
-- example_version: the version of the example that it sends. snapshot_id: the run set by whose definitions it is judged, as they were
-- at its start; NULL = by those of today.
CREATE TABLE test (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  run_type TEXT NOT NULL,
  status TEXT NOT NULL,
  phase TEXT NOT NULL,
  failure TEXT,
  prompt TEXT NOT NULL,
  prompt_object TEXT,
  example_index INTEGER,
  metadata TEXT,
  experiment TEXT,
  experiment_id TEXT,
  experiment_variant_id TEXT,
  trace_id BLOB NOT NULL,
  delivered_at INTEGER,
  unknown_since INTEGER,
  last_span_at INTEGER,
  check_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  finished_evals INTEGER NOT NULL DEFAULT 0,
  passed_evals INTEGER NOT NULL DEFAULT 0,
  counted_evals INTEGER NOT NULL DEFAULT 0,
  counted_passed INTEGER NOT NULL DEFAULT 0,
  has_error INTEGER NOT NULL DEFAULT 0,
  example_id TEXT,
  trace_deleted INTEGER NOT NULL DEFAULT 0,
  example_version INTEGER,
  snapshot_id TEXT
) STRICT, WITHOUT ROWID;
-- The indexes of lists include every column that lists filter by or count, since prompts make rows long.
CREATE INDEX test_by_status ON test (application, status, created_at, id);
CREATE INDEX test_to_check ON test (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX test_by_task ON test (application, task_id, created_at, id, run_type, status, counted_evals, counted_passed, has_error,
  example_id);
CREATE INDEX test_by_run ON test (application, run_id, created_at, id, status, counted_evals, counted_passed);
CREATE INDEX test_by_application ON test (application, created_at, id, status, phase, run_type, task_id);
CREATE INDEX test_by_modification ON test (application, modified_at, id, status, phase, run_type, task_id, created_at);
CREATE INDEX test_by_variant ON test (application, experiment_variant_id, status, counted_evals, counted_passed, created_at, id)
  WHERE experiment_variant_id IS NOT NULL;
CREATE INDEX test_by_example ON test (application, example_id, created_at, id) WHERE example_id IS NOT NULL;
CREATE INDEX test_by_id ON test (application, id, status, phase, run_type, task_id, created_at);

-- Outcome of each test that has ended, in short rows, of which lists of results are made.
-- basis: BLOCKING or ALL, by which verdicts; NULL if none decided. cause: key of why it did not pass; NULL if it passed.
-- input: text that tests have in common if they sent the same input. duration_ms, cost, tokens: of the traces of the app.
CREATE TABLE test_result (
  application INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  test_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  example_id TEXT,
  input TEXT NOT NULL,
  example_index INTEGER,
  outcome TEXT NOT NULL,
  basis TEXT,
  cause TEXT,
  duration_ms INTEGER,
  cost REAL,
  tokens INTEGER,
  PRIMARY KEY (application, run_id, test_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX test_result_by_test ON test_result (application, test_id, outcome, basis, cause, input);

-- Outcomes to compute again, newest tests first. definition_id: those of its tests; empty for all tests of the application.
-- before_at, before_id: the last test that was computed; NULL before the first.
CREATE TABLE outcome_fill (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  before_at INTEGER,
  before_id TEXT,
  PRIMARY KEY (application, definition_id)
) STRICT, WITHOUT ROWID;

-- Definitions that use a judge model and are blocking, because people have verified their judge.
CREATE TABLE verified_judge (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  PRIMARY KEY (application, definition_id)
) STRICT, WITHOUT ROWID;

-- History of each test, in the order of id.
CREATE TABLE test_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  phase TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX test_event_by_test ON test_event (application, test_id, id);

-- The tests that one trigger started for one task. prompt_seed: of a NORMAL task, whose prompts a model writes.
-- results_version: grows with every change of test_result for its tests.
-- run_set_id: the run set that it belongs to.
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  type TEXT NOT NULL,
  experiment_variant_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  prompt_seed INTEGER,
  results_version INTEGER NOT NULL DEFAULT 0,
  run_set_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX run_by_task ON run (application, task_id, created_at);
CREATE INDEX run_by_application ON run (application, created_at, id, type, task_id);
CREATE INDEX run_by_modification ON run (application, modified_at, id, type, task_id, created_at);
CREATE INDEX run_by_type ON run (application, type, id, task_id, created_at);
CREATE INDEX run_by_variant ON run (application, experiment_variant_id) WHERE experiment_variant_id IS NOT NULL;
CREATE INDEX run_by_id ON run (application, id, type, task_id, created_at);
CREATE INDEX run_by_set ON run (application, run_set_id, id) WHERE run_set_id IS NOT NULL;
