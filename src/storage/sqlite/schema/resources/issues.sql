-- Problems of an app, with the traces that show them. number: from 1 in each application, never used twice.
-- trace_id: 16 bytes. match_line: filter line. merged_into: the issue that has its links now. resolution, rejection: JSON.
-- link_count: traces that were ever linked; deleted_count: those of them that are deleted. first_seen_at, last_seen_at: starts of
-- the first and the last of them; last_seen_at is the time of creation without any.
-- sample_queue_id: the queue in whose random draws a linked trace was found last; NULL = none was.
CREATE TABLE issue (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  source TEXT NOT NULL,
  priority TEXT NOT NULL,
  parent_id TEXT,
  test_id TEXT,
  trace_id BLOB,
  task_id TEXT,
  topic_id TEXT,
  human_annotation_id TEXT,
  eval_definition_id TEXT,
  experiment_id TEXT,
  owner_id TEXT,
  match_line TEXT,
  merged_into TEXT,
  reopened_at INTEGER,
  resolution TEXT,
  rejection TEXT,
  link_count INTEGER NOT NULL,
  deleted_count INTEGER NOT NULL,
  first_seen_at INTEGER,
  last_seen_at INTEGER NOT NULL,
  sample_queue_id TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  creator_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX issue_by_number ON issue (application, number);
CREATE INDEX issue_by_creation ON issue (application, created_at, id, status, priority, type, source, topic_id);
CREATE INDEX issue_by_last_seen ON issue (application, last_seen_at, id, status, priority, type, source, topic_id);
CREATE INDEX issue_by_change ON issue (application, modified_at, id, status, priority, type, source, topic_id);
CREATE INDEX issue_by_parent ON issue (application, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX issue_by_target ON issue (application, merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX issue_by_trace ON issue (application, trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX issue_by_test ON issue (application, test_id) WHERE test_id IS NOT NULL;
CREATE INDEX issue_resolved ON issue (application, id) WHERE status = 'RESOLVED';

-- The last number of an issue in each application.
CREATE TABLE issue_number (
  application INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;

-- Traces that show an issue. trace_id: 16 bytes. test_id: the test that the trace belongs to. seen_at: start of the trace.
-- source: NOTE, or SELECTION for one that was chosen otherwise.
CREATE TABLE issue_link (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  issue_id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  test_id TEXT,
  seen_at INTEGER NOT NULL,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX issue_link_by_issue ON issue_link (application, issue_id, trace_id);
CREATE INDEX issue_link_by_time ON issue_link (application, issue_id, seen_at, id);
CREATE INDEX issue_link_by_creation ON issue_link (application, issue_id, created_at, id);
CREATE INDEX issue_link_by_trace ON issue_link (application, trace_id, issue_id);
CREATE INDEX issue_link_by_test ON issue_link (application, test_id, issue_id) WHERE test_id IS NOT NULL;

-- Number of traces of each UTC day (since 1970) that were ever linked to an issue.
CREATE TABLE issue_day (
  application INTEGER NOT NULL,
  issue_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (application, issue_id, day)
) STRICT, WITHOUT ROWID;

-- What happened to an issue. detail: JSON.
CREATE TABLE issue_event (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  issue_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_event_by_issue ON issue_event (application, issue_id, created_at, id);
