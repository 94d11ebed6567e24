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
-- Each with the status, so that a filter by it reads no rows.
CREATE INDEX experiment_by_creation ON experiment (application, created_at, id, status);
CREATE INDEX experiment_by_modification ON experiment (application, modified_at, id, status);
CREATE INDEX experiment_by_title ON experiment (application, title, id, status);
CREATE INDEX experiment_by_status ON experiment (application, status, id);
-- Nobody comes last in both directions.
CREATE INDEX experiment_by_assignee ON experiment (application, assignee IS NULL, assignee, id, status);
CREATE INDEX experiment_by_assignee_down
  ON experiment (application, assignee IS NULL, assignee DESC, id DESC, status);
CREATE INDEX experiment_by_id ON experiment (application, id, status);

-- Settings tried in an experiment: config_patch, a JSON object, over those of its parents. Without a parent it is the
-- baseline. started_at: when it first ran.
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

-- A step of the customer's app whose settings experiments may change; external_id: its name there.
CREATE TABLE inference_step (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  type TEXT NOT NULL,
  external_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX inference_step_by_creation ON inference_step (application, created_at, id);
CREATE INDEX inference_step_by_modification ON inference_step (application, modified_at, id);
CREATE INDEX inference_step_by_title ON inference_step (application, title, id);
CREATE INDEX inference_step_by_type ON inference_step (application, type, id);
CREATE UNIQUE INDEX inference_step_external_id ON inference_step (application, external_id);
CREATE INDEX inference_step_by_external_id ON inference_step (application, external_id, id);
CREATE INDEX inference_step_by_id ON inference_step (application, id);

-- All that is told of a variant from its tests, so that no rows of theirs are read.
CREATE INDEX test_by_variant ON test (application, experiment_variant_id, status, counted_evals, counted_passed, created_at, id)
  WHERE experiment_variant_id IS NOT NULL;
