-- How an application's answers are to sound: a JSON array of { heading, content, approved }.
CREATE TABLE style_guide (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX style_guide_by_application ON style_guide (application, created_at, id);
CREATE INDEX style_guide_by_modification ON style_guide (application, modified_at, id);
CREATE INDEX style_guide_by_id ON style_guide (application, id);
CREATE INDEX style_guide_by_quickstart ON style_guide (application, quickstart_id, id) WHERE quickstart_id IS NOT NULL;

-- Rules by which tests and traces are judged. status: DRAFT, ACTIVE, ARCHIVED.
-- scope: topic when it is linked to one, else application.
-- version: grows when type, global_config or style_guide_id change.
-- gate_min_kappa: 0 to 1, what its judge has to reach for it to be a gate; NULL = it is none.
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
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- With what lists leave rows out by, so that they do so without reading them.
CREATE INDEX definition_by_application ON definition (application, created_at, id, status, type, scope);
CREATE INDEX definition_by_modification ON definition (application, modified_at, id, status, type, scope);
CREATE INDEX definition_by_name ON definition (application, name, id, status, type, scope);
CREATE INDEX definition_by_type ON definition (application, type, id, status, scope);
CREATE INDEX definition_by_id ON definition (application, id, status, type, scope);

-- What a definition is applied to. kind: task, topic, application; target_id: of the task, the topic or the application.
-- id: the order in which they were linked. config: JSON { expected? }.
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

-- Topics, tags and deliveries in each order of their lists, with what these leave rows out by.
DROP INDEX topic_by_application;
CREATE INDEX topic_by_application ON topic (application, created_at, id, status);
CREATE INDEX topic_by_modification ON topic (application, modified_at, id, status);
CREATE INDEX topic_by_title ON topic (application, title, id, status);
CREATE INDEX topic_by_status ON topic (application, status, id);
CREATE INDEX topic_by_id ON topic (application, id, status);

DROP INDEX tag_by_application;
CREATE INDEX tag_by_application ON tag (application, created_at, id, status);
CREATE INDEX tag_by_modification ON tag (application, modified_at, id, status);
CREATE INDEX tag_by_name ON tag (application, name, id, status);
CREATE INDEX tag_by_status ON tag (application, status, id);
CREATE INDEX tag_by_id ON tag (application, id, status);

DROP INDEX delivery_by_application;
CREATE INDEX delivery_by_application ON delivery (application, sent_at, id, outcome, is_sample);
CREATE INDEX delivery_by_test_and_id ON delivery (application, test_id, id, outcome, is_sample);
CREATE INDEX delivery_by_attempt ON delivery (application, attempt, id, outcome, is_sample);
CREATE INDEX delivery_by_id ON delivery (application, id, outcome, is_sample);
