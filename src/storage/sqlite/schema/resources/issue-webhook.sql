-- Where changes of issues are reported. Secrets are encrypted. events: JSON list of kinds of issue_event.
CREATE TABLE issue_webhook (
  application INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  secret BLOB NOT NULL,
  previous_secret BLOB,
  previous_until INTEGER,
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

-- Messages about changes of issues, without their bodies, which are made when they are sent. event_id: NULL = a test message.
-- status: PENDING, DELIVERED, FAILED. error: why the last attempt failed.
CREATE TABLE issue_message (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  type TEXT NOT NULL,
  issue_id TEXT,
  event_id TEXT,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  next_attempt_at INTEGER,
  finished_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_message_by_creation ON issue_message (application, created_at, id, status, issue_id);
