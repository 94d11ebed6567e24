-- A comparison of settings over the same tasks. inference_step_ids, task_ids: JSON arrays.
CREATE TABLE experiment (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  inference_step_ids TEXT NOT NULL,
  task_ids TEXT NOT NULL,
  assignee TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX experiment_by_application ON experiment (application, created_at, id);

-- Settings tried in an experiment: config_patch over those of its parents. Without a parent it is the baseline.
CREATE TABLE experiment_variant (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  experiment_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  config_patch TEXT NOT NULL,
  parent_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX experiment_variant_by_experiment ON experiment_variant (application, experiment_id, created_at, id);

-- A step of the customer's app whose settings experiments may change; external_id: its name there.
CREATE TABLE inference_step (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  type TEXT NOT NULL,
  external_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX inference_step_by_application ON inference_step (application, created_at, id);

CREATE INDEX test_by_variant ON test (application, experiment_variant_id, created_at) WHERE experiment_variant_id IS NOT NULL;
