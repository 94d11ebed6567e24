CREATE TABLE annotation_queue (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  topic_id TEXT,
  title TEXT NOT NULL,
  assignee_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annotation_queue_by_application ON annotation_queue (application, created_at, id);

-- Traces that people are to judge. selection: how the trace was chosen: RANDOM, MANUAL, FAILED.
CREATE TABLE annotation_queue_item (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  queue_id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  selection TEXT NOT NULL,
  completed_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annotation_queue_item_by_application ON annotation_queue_item (application, created_at, id);
CREATE INDEX annotation_queue_item_by_queue ON annotation_queue_item (application, queue_id, created_at, id);

-- What people say of traces. verdict: 1 = pass.
CREATE TABLE human_annotation (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  verdict INTEGER NOT NULL,
  critique TEXT,
  annotator_id TEXT NOT NULL,
  source TEXT NOT NULL,
  queue_item_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX human_annotation_by_application ON human_annotation (application, created_at, id);
CREATE INDEX human_annotation_by_trace ON human_annotation (application, trace_id, created_at);
