-- Verdicts of people on traces. verdict: 1 = pass. trace_id: 16 bytes. corrected_output: JSON.
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
  modified_at INTEGER NOT NULL,
  corrected_output TEXT
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
