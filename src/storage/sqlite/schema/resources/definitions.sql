-- Definitions by which tests and traces are judged. status: DRAFT, ACTIVE, ARCHIVED.
-- scope: topic if the definition is linked to a topic, else application.
-- version: grows when type, global_config or style_guide_id change.
-- gate_min_kappa: 0 to 1, the agreement with people that the judge must reach for the definition to be a gate; NULL = not a gate.
-- gate_min_annotations: number of human verdicts at its first test. gate_max_age_days: days until it expires.
-- gate_canaries: number of judged subjects that are frozen and judged again with every run set; NULL = the default.
-- issue_id: issue from whose notes it was drafted; NULL = from none. It is measured on the holdout only.
-- is_overall: 1 if verdicts of people on a complete trace are verdicts on it.
CREATE TABLE definition (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  scope TEXT NOT NULL DEFAULT 'application',
  global_config TEXT NOT NULL,
  style_guide_id TEXT,
  quickstart_id TEXT,
  version INTEGER NOT NULL,
  repeats INTEGER NOT NULL,
  gate_min_kappa REAL,
  gate_min_annotations INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  gate_max_age_days INTEGER,
  is_overall INTEGER NOT NULL DEFAULT 0,
  gate_canaries INTEGER,
  issue_id TEXT
) STRICT, WITHOUT ROWID;
-- Each includes the columns that lists filter by, so that no other rows are read.
CREATE INDEX definition_by_application ON definition (application, created_at, id, status, type, scope);
CREATE INDEX definition_by_modification ON definition (application, modified_at, id, status, type, scope);
CREATE INDEX definition_by_name ON definition (application, name, id, status, type, scope);
CREATE INDEX definition_by_type ON definition (application, type, id, status, scope);
CREATE INDEX definition_by_id ON definition (application, id, status, type, scope);
CREATE INDEX definition_by_quickstart ON definition (application, quickstart_id, status)
  WHERE quickstart_id IS NOT NULL;
-- Definitions that live traces and sessions are judged by. Includes all that sampling reads, because configs may be long.
CREATE INDEX definition_monitoring ON definition (application, id, type, version, status,
  global_config ->> '$.monitoring.sampleRate', global_config ->> '$.monitoring.idleTimeoutMs')
  WHERE status = 'ACTIVE' AND global_config ->> '$.monitoring.sampleRate' > 0;

-- What a definition is applied to. kind: task, topic, application; target_id: its id.
-- id: grows in the order of linking. config: JSON { expected? }.
CREATE TABLE definition_link (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (application, kind, target_id, definition_id)
) STRICT;
CREATE INDEX definition_link_by_definition ON definition_link (application, definition_id, kind, target_id);

CREATE TRIGGER first_topic_makes_scope AFTER INSERT ON definition_link WHEN NEW.kind = 'topic'
BEGIN
  UPDATE definition SET scope = 'topic' WHERE application = NEW.application AND id = NEW.definition_id AND scope <> 'topic';
END;

CREATE TRIGGER last_topic_ends_scope AFTER DELETE ON definition_link WHEN OLD.kind = 'topic'
BEGIN
  UPDATE definition SET scope = 'application'
  WHERE application = OLD.application AND id = OLD.definition_id AND NOT EXISTS (
    SELECT 1 FROM definition_link
    WHERE application = OLD.application AND definition_id = OLD.definition_id AND kind = 'topic');
END;

-- Evals whose subjects are judged again with every run set, to notice a judge that has changed.
-- definition_version, judge_version: those of the eval. passed: verdict when they were frozen, with which later ones are compared; NULL
-- = not judged again so far.
CREATE TABLE canary (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  eval_id TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  judge_version TEXT NOT NULL,
  passed INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, definition_id, eval_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX canary_by_eval ON canary (application, eval_id);

-- Verdicts on canaries that were judged again with a run set. status: PENDING, COMPLETED, FAILED, SKIPPED, or GONE when what was judged has
-- changed or was deleted. before: verdict when it was frozen; NULL = that is this one. passed, cost, tokens: of this verdict.
CREATE TABLE canary_verdict (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  definition_id TEXT NOT NULL,
  eval_id TEXT NOT NULL,
  status TEXT NOT NULL,
  before INTEGER,
  passed INTEGER,
  cost REAL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, run_set_id, definition_id, eval_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX canary_verdict_by_cost ON canary_verdict (application, created_at, definition_id, cost, input_tokens, output_tokens)
  WHERE input_tokens IS NOT NULL;
