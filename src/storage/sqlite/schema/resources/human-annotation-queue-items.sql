-- Traces for people to judge. selection: how the trace was chosen: RANDOM, MANUAL, FAILED. trace_id: 16 bytes.
-- drawn_at, place: when a draw chose the trace at random, and its place in that draw; NULL if none did.
-- weight: number of traces that it stands for, relative to others; 1 unless the draw preferred some.
CREATE TABLE annotation_queue_item (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  queue_id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  selection TEXT NOT NULL,
  completed_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  drawn_at INTEGER,
  place INTEGER,
  weight REAL
) STRICT, WITHOUT ROWID;
-- One index per order of the list, with every column that the list filters by, so that deep pages read nothing else.
CREATE INDEX annotation_queue_item_by_id
  ON annotation_queue_item (application, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_creation
  ON annotation_queue_item (application, created_at, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_expiry
  ON annotation_queue_item (application, expires_at, id, queue_id, completed_at);
CREATE INDEX annotation_queue_item_by_trace
  ON annotation_queue_item (application, trace_id, id, queue_id, completed_at, expires_at);
-- Items that are not completed come last in both directions.
CREATE INDEX annotation_queue_item_by_completion
  ON annotation_queue_item (application, completed_at IS NULL, completed_at, id, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_completion_down
  ON annotation_queue_item (application, completed_at IS NULL, completed_at DESC, id DESC, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_queue
  ON annotation_queue_item (application, queue_id, created_at, id, completed_at, expires_at);
-- What was drawn at random, in the order of the draws.
CREATE INDEX annotation_queue_item_drawn ON annotation_queue_item (application, drawn_at, place, id) WHERE drawn_at IS NOT NULL;
