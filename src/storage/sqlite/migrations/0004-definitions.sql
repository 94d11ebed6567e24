-- How an application's answers are to sound: a JSON array of { heading, content, approved }.
CREATE TABLE style_guide (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX style_guide_by_application ON style_guide (application, created_at, id);

-- Rules by which tests and traces are judged. status: DRAFT, ACTIVE, ARCHIVED.
-- version: grows when type, global_config or style_guide_id change.
CREATE TABLE definition (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  global_config TEXT NOT NULL,
  style_guide_id TEXT,
  quickstart_id TEXT,
  version INTEGER NOT NULL,
  repeats INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX definition_by_application ON definition (application, created_at, id);

-- What a definition is applied to. kind: task, topic, application; target_id: of the task, the topic or the application.
CREATE TABLE definition_link (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, kind, target_id, definition_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX definition_link_by_definition ON definition_link (application, definition_id, kind);
