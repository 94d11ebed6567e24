-- A comparison of settings over the same tasks. inference_step_ids, task_ids: JSON arrays.
CREATE TABLE experiment (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  inference_step_ids TEXT NOT NULL,
  task_ids TEXT NOT NULL,
  assignee TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
-- Each includes the status, so that filtering by it reads no rows.
CREATE INDEX experiment_by_creation ON experiment (application, created_at, id, status);
CREATE INDEX experiment_by_modification ON experiment (application, modified_at, id, status);
CREATE INDEX experiment_by_title ON experiment (application, title, id, status);
CREATE INDEX experiment_by_status ON experiment (application, status, id);
-- Experiments without an assignee come last in both directions.
CREATE INDEX experiment_by_assignee ON experiment (application, assignee IS NULL, assignee, id, status);
CREATE INDEX experiment_by_assignee_down
  ON experiment (application, assignee IS NULL, assignee DESC, id DESC, status);
CREATE INDEX experiment_by_id ON experiment (application, id, status);

-- config_patch: JSON object applied over the settings of the parents; the variant without a parent is the baseline.
-- started_at: when the variant first ran.
CREATE TABLE experiment_variant (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  experiment_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  config_patch TEXT NOT NULL,
  parent_id TEXT,
  started_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX experiment_variant_by_experiment ON experiment_variant (application, experiment_id, created_at, id);
CREATE UNIQUE INDEX experiment_baseline ON experiment_variant (application, experiment_id) WHERE parent_id IS NULL;

-- Progress of variants whose tests are not all started yet, so that starting them resumes after a crash.
-- repeat: tests per task. task, tests, run_id: index of the next task, number of its tests that were started, and their
-- run. remaining: tests still to start. experiment: JSON of what payloads contain about the variant.
CREATE TABLE variant_start (
  variant_id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  repeat INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  task INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  run_id TEXT,
  task_ids TEXT NOT NULL,
  experiment TEXT NOT NULL
) STRICT;
