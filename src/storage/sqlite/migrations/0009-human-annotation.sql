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

-- Traces that people are to judge. selection: how the trace was chosen: RANDOM, MANUAL, FAILED. trace_id: 16 bytes.
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
-- Each order of the list has an index, with all that the list filters by, so that deep pages read nothing else.
CREATE INDEX annotation_queue_item_by_id
  ON annotation_queue_item (application, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_creation
  ON annotation_queue_item (application, created_at, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_expiry
  ON annotation_queue_item (application, expires_at, id, queue_id, completed_at);
CREATE INDEX annotation_queue_item_by_trace
  ON annotation_queue_item (application, trace_id, id, queue_id, completed_at, expires_at);
-- What is not completed comes last in both directions.
CREATE INDEX annotation_queue_item_by_completion
  ON annotation_queue_item (application, completed_at IS NULL, completed_at, id, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_completion_down
  ON annotation_queue_item (application, completed_at IS NULL, completed_at DESC, id DESC, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_queue
  ON annotation_queue_item (application, queue_id, created_at, id, completed_at, expires_at);

-- What people say of traces. verdict: 1 = pass. trace_id: 16 bytes.
CREATE TABLE human_annotation (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  verdict INTEGER NOT NULL,
  critique TEXT,
  annotator_id TEXT NOT NULL,
  source TEXT NOT NULL,
  queue_item_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX human_annotation_by_id
  ON human_annotation (application, id, verdict, annotator_id, source, created_at);
CREATE INDEX human_annotation_by_creation
  ON human_annotation (application, created_at, id, verdict, annotator_id, source, modified_at);
CREATE INDEX human_annotation_by_change
  ON human_annotation (application, modified_at, id, verdict, annotator_id, source, created_at);
CREATE INDEX human_annotation_by_trace ON human_annotation (application, trace_id, created_at, id);
CREATE INDEX human_annotation_by_queue_item
  ON human_annotation (application, queue_item_id, id) WHERE queue_item_id IS NOT NULL;

-- Of which traces people may want to see why they failed.
CREATE INDEX eval_failed ON eval (application, test_id, trace_id) WHERE passed = 0 AND superseded = 0;
