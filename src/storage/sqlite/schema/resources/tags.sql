CREATE TABLE tag (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_application ON tag (application, created_at, id, status);
CREATE INDEX tag_by_modification ON tag (application, modified_at, id, status);
CREATE INDEX tag_by_name ON tag (application, name, id, status);
CREATE INDEX tag_by_status ON tag (application, status, id);
CREATE INDEX tag_by_id ON tag (application, id, status);

CREATE TABLE task_tag (
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  PRIMARY KEY (application, task_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_tag_by_tag ON task_tag (application, tag_id, task_id);
