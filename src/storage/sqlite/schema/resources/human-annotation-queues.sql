-- Queues of traces for people to judge. criteria: JSON, what they judge by; reviewer_ids: JSON, who may, '[]' = everybody.
-- is_blind: verdicts on the trace of an open item are withheld from its reviewers. disagreement: THIRD, MAJORITY, NONE.
CREATE TABLE annotation_queue (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  topic_id TEXT,
  title TEXT NOT NULL,
  assignee_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  reviews_per_item INTEGER NOT NULL DEFAULT 1,
  is_blind INTEGER NOT NULL DEFAULT 0,
  criteria TEXT NOT NULL DEFAULT '[]',
  reviewer_ids TEXT NOT NULL DEFAULT '[]',
  document_ids TEXT NOT NULL DEFAULT '[]',
  disagreement TEXT NOT NULL DEFAULT 'NONE',
  due_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX annotation_queue_by_id ON annotation_queue (application, id);
CREATE INDEX annotation_queue_by_creation ON annotation_queue (application, created_at, id);
CREATE INDEX annotation_queue_by_change ON annotation_queue (application, modified_at, id);
CREATE INDEX annotation_queue_by_title ON annotation_queue (application, title, id);
CREATE INDEX annotation_queue_blind ON annotation_queue (application) WHERE is_blind = 1;
