CREATE TABLE annotation_queue (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  topic_id TEXT,
  title TEXT NOT NULL,
  assignee_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annotation_queue_by_id ON annotation_queue (application, id);
CREATE INDEX annotation_queue_by_creation ON annotation_queue (application, created_at, id);
CREATE INDEX annotation_queue_by_change ON annotation_queue (application, modified_at, id);
CREATE INDEX annotation_queue_by_title ON annotation_queue (application, title, id);
