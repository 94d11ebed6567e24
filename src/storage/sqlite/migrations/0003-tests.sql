-- What is worth testing.
CREATE TABLE topic (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  baseline TEXT,
  status TEXT NOT NULL,
  quickstart_id TEXT,
  assigned_to TEXT,
  is_tasks_verified INTEGER NOT NULL,
  is_documents_verified INTEGER NOT NULL,
  is_knowledge_base_verified INTEGER NOT NULL,
  is_policies_verified INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_by_application ON topic (application, created_at, id);

CREATE TABLE task (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  input_examples TEXT NOT NULL,
  metadata TEXT,
  prompt_schema TEXT,
  topic_id TEXT,
  quickstart_id TEXT,
  is_verified INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX task_by_application ON task (application, created_at, id, status);
CREATE INDEX task_by_topic ON task (application, topic_id) WHERE topic_id IS NOT NULL;

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
CREATE INDEX tag_by_application ON tag (application, created_at, id);

CREATE TABLE task_tag (
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  PRIMARY KEY (application, task_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_tag_by_tag ON task_tag (application, tag_id, task_id);

-- criticality: HIGH, MEDIUM, LOW. `cron` is set when the moment was moved; times are Unix milliseconds.
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
CREATE INDEX task_schedule_by_application ON task_schedule (application, criticality);

-- The tests that one trigger started for one task.
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  type TEXT NOT NULL,
  experiment_variant_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_by_application ON run (application, created_at, id);
CREATE INDEX run_by_task ON run (application, task_id, created_at);

-- One run of one task against the customer's app; `id` is the test id that spans carry.
-- trace_id: the trace its deliveries begin. check_at: when to look whether it is complete, or has failed.
CREATE TABLE test (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  run_type TEXT NOT NULL,
  status TEXT NOT NULL,
  phase TEXT NOT NULL,
  failure TEXT,
  prompt TEXT NOT NULL,
  prompt_object TEXT,
  example_index INTEGER,
  metadata TEXT,
  experiment TEXT,
  experiment_id TEXT,
  experiment_variant_id TEXT,
  trace_id BLOB NOT NULL,
  delivered_at INTEGER,
  unknown_since INTEGER,
  last_span_at INTEGER,
  check_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX test_by_application ON test (application, created_at, id);
CREATE INDEX test_by_status ON test (application, status, created_at, id);
CREATE INDEX test_by_modification ON test (application, modified_at, id);
CREATE INDEX test_by_task ON test (application, task_id, created_at);
CREATE INDEX test_by_run ON test (application, run_id, created_at, id);
CREATE INDEX test_to_check ON test (check_at) WHERE check_at IS NOT NULL;

-- What happened to a test, in order.
CREATE TABLE test_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  phase TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX test_event_by_test ON test_event (application, test_id, id);

-- Where the tests of an application are sent. Secrets and the values of headers are sealed.
CREATE TABLE webhook (
  application INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  headers BLOB,
  secret BLOB NOT NULL,
  previous_secret BLOB,
  previous_until INTEGER,
  timeout_ms INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

-- Every attempt to send a test. sent_at is written before the request goes out; outcome once it is known.
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
  finished_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_by_application ON delivery (application, sent_at, id);
CREATE INDEX delivery_by_test ON delivery (application, test_id, attempt);
CREATE INDEX delivery_under_way ON delivery (sent_at) WHERE finished_at IS NULL;

-- Ids of sample tests, for as long as their traces are told from others.
CREATE TABLE sample_test (
  application INTEGER NOT NULL,
  test_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, test_id)
) STRICT, WITHOUT ROWID;

-- Work to be done, each piece once. state: waiting, running, dead. What is done is deleted.
-- `epoch` is that of the process that claimed it: claims of an earlier process are void.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  epoch INTEGER,
  reason TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX job_waiting ON job (kind, application, due_at) WHERE state = 'waiting';
CREATE INDEX job_running ON job (epoch) WHERE state = 'running';
CREATE INDEX job_dead ON job (application, created_at) WHERE state = 'dead';
CREATE TABLE job_epoch (epoch INTEGER NOT NULL) STRICT;
INSERT INTO job_epoch VALUES (0);
