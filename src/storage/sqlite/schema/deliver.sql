-- Attempts to send a test to the webhook. sent_at is written before the request is sent, outcome once it is known.
CREATE TABLE delivery (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  is_sample INTEGER NOT NULL,
  replay_of TEXT,
  url TEXT NOT NULL,
  span_id BLOB NOT NULL,
  request_headers TEXT NOT NULL,
  request_body BLOB NOT NULL,
  sent_at INTEGER NOT NULL,
  outcome TEXT,
  status_code INTEGER,
  message TEXT,
  response_headers TEXT,
  response_body BLOB,
  timings TEXT,
  finished_at INTEGER,
  lease INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_by_test ON delivery (application, test_id, attempt);
CREATE INDEX delivery_under_way ON delivery (sent_at) WHERE finished_at IS NULL;
CREATE INDEX delivery_by_application ON delivery (application, sent_at, id, outcome, is_sample);
CREATE INDEX delivery_by_test_and_id ON delivery (application, test_id, id, outcome, is_sample);
CREATE INDEX delivery_by_attempt ON delivery (application, attempt, id, outcome, is_sample);
CREATE INDEX delivery_by_id ON delivery (application, id, outcome, is_sample);

CREATE TABLE task_schedule (
  task_id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  criticality TEXT NOT NULL,
  cron TEXT,
  timezone TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  next_run_at INTEGER,
  last_run_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX task_schedule_by_next ON task_schedule (next_run_at) WHERE enabled = 1;
