-- What the features of one version add, each under a comment with its name.

-- Outcomes of tests
ALTER TABLE run ADD COLUMN results_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX run_by_variant ON run (application, experiment_variant_id) WHERE experiment_variant_id IS NOT NULL;
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
CREATE INDEX test_result_by_test ON test_result (application, test_id, outcome, basis, cause);
CREATE TABLE outcome_fill (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  before_at INTEGER,
  before_id TEXT,
  PRIMARY KEY (application, definition_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE verified_judge (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  PRIMARY KEY (application, definition_id)
) STRICT, WITHOUT ROWID;
INSERT INTO outcome_fill (application, definition_id) SELECT application, '' FROM application;
