-- Schema 34, the one before that of release 0.1.0.
CREATE TABLE organisation (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE application (
  application INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  org_id TEXT NOT NULL REFERENCES organisation (id),
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  description TEXT NOT NULL,
  context TEXT NOT NULL,
  language TEXT NOT NULL,
  type TEXT NOT NULL,
  environment TEXT NOT NULL,
  human_annotation_enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES application (application),
  key_id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_application ON api_key (application, created_at);
CREATE TABLE user_account (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE user_login (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT REFERENCES user_account (id),
  key_id TEXT,
  csrf_key BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX user_login_by_user ON user_login (user_id, created_at);
CREATE INDEX user_login_by_expiry ON user_login (expires_at);
CREATE TABLE membership (
  application INTEGER NOT NULL REFERENCES application (application),
  user_id TEXT NOT NULL REFERENCES user_account (id),
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (application, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_by_user ON membership (user_id, application);
CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES application (application),
  token_hash BLOB NOT NULL UNIQUE,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_by_application ON invitation (application, created_at, id);
CREATE INDEX invitation_by_expiry ON invitation (expires_at);
CREATE TABLE setup_link (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT REFERENCES user_account (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL REFERENCES application (application),
  created_at INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  resource_id TEXT,
  request_id TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entry_by_creation ON audit_entry (application, created_at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry (application, actor_id, created_at, id);
CREATE INDEX audit_entry_by_action ON audit_entry (application, action, created_at, id);
CREATE INDEX audit_entry_by_record ON audit_entry (application, resource_id, id) WHERE resource_id IS NOT NULL;
CREATE TABLE trace (
  tkey INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  native INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  next_seq INTEGER NOT NULL,
  span_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost REAL NOT NULL,
  kinds INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  root_rank INTEGER NOT NULL,
  root_ns INTEGER NOT NULL,
  root_name TEXT NOT NULL,
  session_id TEXT,
  user_id TEXT,
  models TEXT NOT NULL,
  services TEXT NOT NULL,
  rule_set INTEGER NOT NULL DEFAULT 1,
  total_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0,
  attributes TEXT NOT NULL DEFAULT '[]',
  UNIQUE (application, trace_id)
) STRICT;
CREATE INDEX trace_by_start ON trace (application, start_ns, trace_id);
CREATE INDEX trace_by_session ON trace (application, session_id, start_ns, trace_id) WHERE session_id IS NOT NULL;
CREATE INDEX trace_with_errors ON trace (application, start_ns, trace_id) WHERE error_count > 0;
CREATE INDEX trace_by_user ON trace (application, user_id, start_ns, trace_id, session_id) WHERE user_id IS NOT NULL;
CREATE TABLE trace_block (
  application INTEGER NOT NULL,
  block INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL,
  cost REAL NOT NULL,
  total_tokens INTEGER NOT NULL,
  PRIMARY KEY (application, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE trace_preview (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  input TEXT,
  input_rank INTEGER NOT NULL,
  input_ns INTEGER NOT NULL,
  output TEXT,
  output_rank INTEGER NOT NULL,
  output_ns INTEGER NOT NULL,
  metadata TEXT,
  metadata_rank INTEGER NOT NULL,
  metadata_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE trace_test (
  application INTEGER NOT NULL,
  test_id BLOB NOT NULL,
  tkey INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  via INTEGER NOT NULL,
  PRIMARY KEY (application, test_id, tkey)
) STRICT, WITHOUT ROWID;
CREATE INDEX trace_test_by_trace ON trace_test (tkey);
CREATE TABLE test_touch (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE trace_attr (
  application INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  tkey INTEGER NOT NULL,
  PRIMARY KEY (application, key, value, tkey)
) STRICT, WITHOUT ROWID;
CREATE TABLE session (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_first ON session (application, first_ns, id, last_ns);
CREATE INDEX session_by_last ON session (application, last_ns, id, first_ns);
CREATE TABLE chunk (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  skeleton BLOB NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (application, tkey, seq)
) STRICT;
CREATE TABLE span (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (application, tkey, span_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE resource (
  application INTEGER NOT NULL,
  hash BLOB NOT NULL,
  refs INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (application, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE span_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  span_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  tkey INTEGER,
  received_at INTEGER NOT NULL,
  record BLOB NOT NULL,
  UNIQUE (application, trace_id, span_id, hash)
) STRICT;
CREATE INDEX span_log_waiting ON span_log (received_at) WHERE tkey IS NULL;
CREATE TABLE open_step (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  match BLOB NOT NULL,
  start_ns INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (application, tkey, match, start_ns, span_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE closed_step (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  end_id BLOB NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (application, tkey, end_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tombstone (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  deleted_at INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_by_expiry ON tombstone (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE purge (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB,
  session_id TEXT
) STRICT;
CREATE TABLE rewrite (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rewrite_by_due ON rewrite (due_at);
CREATE TABLE refresh (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX refresh_by_due ON refresh (due_at);
CREATE TABLE ledger (
  application INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  requests INTEGER NOT NULL,
  received INTEGER NOT NULL,
  stored INTEGER NOT NULL,
  duplicate INTEGER NOT NULL,
  replaced INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  reasons TEXT NOT NULL,
  notices TEXT NOT NULL,
  PRIMARY KEY (application, hour, key_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE rejection (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  at INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  source TEXT NOT NULL,
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  spans INTEGER NOT NULL,
  trace_id TEXT,
  span_id TEXT
) STRICT;
CREATE INDEX rejection_by_application ON rejection (application, id);
CREATE TABLE idempotency (
  application INTEGER NOT NULL,
  key TEXT NOT NULL,
  request_hash BLOB NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE TABLE ordinal (i INTEGER PRIMARY KEY) STRICT;
WITH RECURSIVE seq (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM seq WHERE i < 1023)
INSERT INTO ordinal SELECT i FROM seq;
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  lease INTEGER,
  reason TEXT,
  created_at INTEGER NOT NULL,
  begun INTEGER NOT NULL DEFAULT 1,
  cuts INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX job_waiting ON job (kind, application, due_at) WHERE state = 'waiting';
CREATE INDEX job_running ON job (lease) WHERE state = 'running';
CREATE INDEX job_dead ON job (application, created_at) WHERE state = 'dead';
CREATE TABLE job_lease (lease INTEGER PRIMARY KEY AUTOINCREMENT, expires_at INTEGER NOT NULL) STRICT;
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
  modified_at INTEGER NOT NULL,
  finished_evals INTEGER NOT NULL DEFAULT 0,
  passed_evals INTEGER NOT NULL DEFAULT 0,
  counted_evals INTEGER NOT NULL DEFAULT 0,
  counted_passed INTEGER NOT NULL DEFAULT 0,
  has_error INTEGER NOT NULL DEFAULT 0,
  example_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX test_by_status ON test (application, status, created_at, id);
CREATE INDEX test_to_check ON test (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX test_by_task ON test (application, task_id, created_at, id, run_type, status, counted_evals, counted_passed, has_error,
  example_id);
CREATE INDEX test_by_run ON test (application, run_id, created_at, id, status, counted_evals, counted_passed);
CREATE INDEX test_by_application ON test (application, created_at, id, status, phase, run_type, task_id);
CREATE INDEX test_by_modification ON test (application, modified_at, id, status, phase, run_type, task_id, created_at);
CREATE INDEX test_by_variant ON test (application, experiment_variant_id, status, counted_evals, counted_passed, created_at, id)
  WHERE experiment_variant_id IS NOT NULL;
CREATE INDEX test_by_example ON test (application, example_id, created_at, id) WHERE example_id IS NOT NULL;
CREATE INDEX test_by_id ON test (application, id, status, phase, run_type, task_id, created_at);
CREATE TABLE test_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  phase TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX test_event_by_test ON test_event (application, test_id, id);
CREATE TABLE run (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  type TEXT NOT NULL,
  experiment_variant_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  prompt_seed INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX run_by_task ON run (application, task_id, created_at);
CREATE INDEX run_by_application ON run (application, created_at, id, type, task_id);
CREATE INDEX run_by_modification ON run (application, modified_at, id, type, task_id, created_at);
CREATE INDEX run_by_type ON run (application, type, id, task_id, created_at);
CREATE INDEX run_by_id ON run (application, id, type, task_id, created_at);
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
CREATE TABLE eval (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  definition_type TEXT NOT NULL,
  test_id TEXT,
  trace_id BLOB,
  task_id TEXT,
  run_id TEXT,
  run_type TEXT NOT NULL,
  status TEXT NOT NULL,
  score REAL,
  normalised REAL,
  passed INTEGER,
  version INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  cost REAL,
  latency_ms INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  input_hash TEXT NOT NULL,
  reason TEXT,
  results TEXT,
  judge TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  judge_version TEXT,
  CHECK (test_id IS NOT NULL OR trace_id IS NOT NULL)
) STRICT;
CREATE INDEX eval_by_creation ON eval (application, created_at, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_modification ON eval (application, modified_at, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_status ON eval (application, status, id, superseded, definition_type, passed);
CREATE INDEX eval_by_id ON eval (application, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_task ON eval (application, task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX eval_by_trace ON eval (application, trace_id, definition_id, superseded, id) WHERE trace_id IS NOT NULL;
CREATE INDEX eval_by_run ON eval (application, run_id, definition_id, superseded, status, test_id, passed, normalised, id)
  WHERE run_id IS NOT NULL;
CREATE INDEX eval_by_test ON eval (application, test_id, definition_id, superseded, status, definition_version, passed, normalised,
  id) WHERE test_id IS NOT NULL;
CREATE INDEX eval_by_definition ON eval (application, definition_id, created_at, superseded, status, run_type, test_id, trace_id,
  passed, id);
CREATE INDEX eval_of_monitoring ON eval (application, task_id, created_at, superseded, status, test_id, trace_id, passed, id)
  WHERE run_type = 'MONITORING';
CREATE INDEX eval_by_judge ON eval (application, definition_id, definition_version, created_at, judge_version, test_id, trace_id,
  version, passed) WHERE status = 'COMPLETED';
CREATE INDEX eval_of_session ON eval (application, trace_id)
  WHERE test_id IS NULL AND definition_type IN ('CONVERSATION', 'HTTP');
CREATE INDEX eval_failed ON eval (application, test_id, trace_id) WHERE passed = 0 AND superseded = 0;
CREATE INDEX eval_by_cost ON eval (application, created_at, definition_id, cost, input_tokens, output_tokens)
  WHERE input_tokens IS NOT NULL;
CREATE TABLE figure (
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  tests INTEGER NOT NULL DEFAULT 0,
  pass_rate REAL,
  error_rate REAL,
  monitoring_pass_rate REAL,
  health INTEGER,
  deviation REAL,
  due_at INTEGER DEFAULT 0,
  ready_at INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  examples INTEGER NOT NULL DEFAULT 0,
  pass_rate_low REAL,
  pass_rate_high REAL,
  evaluations INTEGER NOT NULL DEFAULT 0,
  passed_evaluations INTEGER NOT NULL DEFAULT 0,
  passed_tests INTEGER NOT NULL DEFAULT 0,
  monitored_tests INTEGER NOT NULL DEFAULT 0,
  monitored_evaluations INTEGER NOT NULL DEFAULT 0,
  monitored_passed_evaluations INTEGER NOT NULL DEFAULT 0,
  monitored_passed_tests INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (application, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_due ON figure (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE judge_call (
  application INTEGER NOT NULL,
  subject_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  run_id TEXT,
  judge TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cost REAL,
  latency_ms REAL NOT NULL,
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  request TEXT,
  raw TEXT,
  prompt_hash TEXT,
  PRIMARY KEY (application, subject_id, hash)
) STRICT;
CREATE INDEX judge_call_by_run ON judge_call (application, run_id, cost) WHERE cost IS NOT NULL AND run_id IS NOT NULL;
CREATE TABLE judge_prompt (
  application INTEGER NOT NULL,
  hash TEXT NOT NULL,
  system TEXT NOT NULL,
  PRIMARY KEY (application, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE judge_day (
  day TEXT NOT NULL,
  application INTEGER NOT NULL,
  cost REAL NOT NULL,
  PRIMARY KEY (day, application)
) STRICT, WITHOUT ROWID;
CREATE TABLE monitored_trace (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX monitored_trace_by_due ON monitored_trace (due_at);
CREATE TABLE monitoring (last_tkey INTEGER NOT NULL) STRICT;
CREATE TABLE monitored_session (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  session_id TEXT,
  trace_id BLOB,
  due_at INTEGER NOT NULL,
  UNIQUE (application, session_id),
  UNIQUE (application, trace_id),
  CHECK ((session_id IS NULL) <> (trace_id IS NULL))
) STRICT;
CREATE INDEX monitored_session_by_due ON monitored_session (due_at);
CREATE TABLE session_monitoring (last_tkey INTEGER NOT NULL) STRICT;
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
  modified_at INTEGER NOT NULL,
  is_in_scope INTEGER NOT NULL DEFAULT 1,
  description TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_by_application ON topic (application, created_at, id, status);
CREATE INDEX topic_by_modification ON topic (application, modified_at, id, status);
CREATE INDEX topic_by_title ON topic (application, title, id, status);
CREATE INDEX topic_by_status ON topic (application, status, id);
CREATE INDEX topic_by_id ON topic (application, id, status);
CREATE INDEX topic_by_quickstart ON topic (application, quickstart_id, status, title)
  WHERE quickstart_id IS NOT NULL;
CREATE INDEX topic_by_quickstart_and_id ON topic (application, quickstart_id, id, status, created_at)
  WHERE quickstart_id IS NOT NULL;
CREATE TABLE task (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  metadata TEXT,
  simulated_prompt_schema TEXT,
  topic_id TEXT,
  quickstart_id TEXT,
  is_verified INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  figure_status TEXT NOT NULL DEFAULT 'no-tests',
  confidence_level TEXT,
  stability_level TEXT,
  health_level TEXT,
  schedule_criticality TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX task_by_topic ON task (application, topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX task_by_application ON task (application, created_at, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_modification ON task (application, modified_at, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_title ON task (application, title, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_type ON task (application, type, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_status ON task (application, status, id, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_id ON task (application, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_quickstart ON task (application, quickstart_id, status, title)
  WHERE quickstart_id IS NOT NULL;
CREATE TABLE example (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  key TEXT,
  prompt TEXT NOT NULL,
  is_object INTEGER NOT NULL DEFAULT 0,
  expected TEXT,
  rubric TEXT,
  metadata TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  split TEXT,
  weight REAL NOT NULL DEFAULT 1,
  status TEXT NOT NULL DEFAULT 'ACTIVE',
  version INTEGER NOT NULL DEFAULT 1,
  trace_id BLOB,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX example_by_task ON example (application, task_id, position, id, status, split);
CREATE INDEX example_by_modification ON example (application, task_id, modified_at, id, status, split);
CREATE UNIQUE INDEX example_by_key ON example (application, task_id, key) WHERE key IS NOT NULL;
CREATE INDEX example_by_trace ON example (application, trace_id) WHERE trace_id IS NOT NULL;
CREATE TABLE example_version (
  application INTEGER NOT NULL,
  example_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  is_object INTEGER NOT NULL,
  expected TEXT,
  rubric TEXT,
  metadata TEXT,
  tags TEXT NOT NULL,
  split TEXT,
  weight REAL NOT NULL,
  status TEXT NOT NULL,
  replaced_at INTEGER NOT NULL,
  PRIMARY KEY (application, example_id, version)
) STRICT;
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
CREATE INDEX tag_by_application ON tag (application, created_at, id, status);
CREATE INDEX tag_by_modification ON tag (application, modified_at, id, status);
CREATE INDEX tag_by_name ON tag (application, name, id, status);
CREATE INDEX tag_by_status ON tag (application, status, id);
CREATE INDEX tag_by_id ON tag (application, id, status);
CREATE TABLE task_tag (
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  PRIMARY KEY (application, task_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_tag_by_tag ON task_tag (application, tag_id, task_id);
CREATE TABLE style_guide (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX style_guide_by_application ON style_guide (application, created_at, id);
CREATE INDEX style_guide_by_modification ON style_guide (application, modified_at, id);
CREATE INDEX style_guide_by_id ON style_guide (application, id);
CREATE INDEX style_guide_by_quickstart ON style_guide (application, quickstart_id, id) WHERE quickstart_id IS NOT NULL;
CREATE TABLE definition (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  scope TEXT NOT NULL DEFAULT 'application',
  global_config TEXT NOT NULL,
  style_guide_id TEXT,
  quickstart_id TEXT,
  version INTEGER NOT NULL,
  repeats INTEGER NOT NULL,
  gate_min_kappa REAL,
  gate_min_annotations INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX definition_by_application ON definition (application, created_at, id, status, type, scope);
CREATE INDEX definition_by_modification ON definition (application, modified_at, id, status, type, scope);
CREATE INDEX definition_by_name ON definition (application, name, id, status, type, scope);
CREATE INDEX definition_by_type ON definition (application, type, id, status, scope);
CREATE INDEX definition_by_id ON definition (application, id, status, type, scope);
CREATE INDEX definition_by_quickstart ON definition (application, quickstart_id, status)
  WHERE quickstart_id IS NOT NULL;
CREATE INDEX definition_monitoring ON definition (application, id, type, version, status,
  global_config ->> '$.monitoring.sampleRate', global_config ->> '$.monitoring.idleTimeoutMs')
  WHERE status = 'ACTIVE' AND global_config ->> '$.monitoring.sampleRate' > 0;
CREATE TABLE definition_link (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (application, kind, target_id, definition_id)
) STRICT;
CREATE INDEX definition_link_by_definition ON definition_link (application, definition_id, kind, target_id);
CREATE TRIGGER first_topic_makes_scope AFTER INSERT ON definition_link WHEN NEW.kind = 'topic'
BEGIN
  UPDATE definition SET scope = 'topic' WHERE application = NEW.application AND id = NEW.definition_id AND scope <> 'topic';
END;
CREATE TRIGGER last_topic_ends_scope AFTER DELETE ON definition_link WHEN OLD.kind = 'topic'
BEGIN
  UPDATE definition SET scope = 'application'
  WHERE application = OLD.application AND id = OLD.definition_id AND NOT EXISTS (
    SELECT 1 FROM definition_link
    WHERE application = OLD.application AND definition_id = OLD.definition_id AND kind = 'topic');
END;
CREATE TABLE document (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  optimized INTEGER NOT NULL,
  is_verified INTEGER NOT NULL,
  assignee TEXT,
  scrape_job_id TEXT,
  file_processing_id TEXT,
  topic_id TEXT,
  quickstart_id TEXT,
  current_version INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_by_creation ON document
  (application, created_at, id, type, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_modification ON document
  (application, modified_at, id, type, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_title ON document
  (application, title, id, type, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_type ON document
  (application, type, id, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_status ON document
  (application, status, id, type, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_assignee ON document (application, type, status, assignee) WHERE assignee IS NOT NULL;
CREATE INDEX document_by_topic ON document (application, topic_id, status, id, type, chunk_count)
  WHERE topic_id IS NOT NULL;
CREATE INDEX document_by_quickstart ON document (application, quickstart_id, status)
  WHERE quickstart_id IS NOT NULL;
CREATE TABLE document_version (
  key INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  version_number INTEGER NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  preview TEXT NOT NULL,
  metadata TEXT NOT NULL,
  original_sentences TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_version_number ON document_version (application, document_id, version_number);
CREATE TABLE document_chunk (
  key INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_chunk_position ON document_chunk (application, document_id, position);
CREATE TABLE document_tag (
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  PRIMARY KEY (application, document_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_tag_by_tag ON document_tag (application, tag_id, document_id);
CREATE TABLE scrape_job (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  initiated_by TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  quickstart_status TEXT NOT NULL,
  quickstart_id TEXT,
  options TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX scrape_job_by_id ON scrape_job (application, id, status, quickstart_id);
CREATE INDEX scrape_job_by_creation ON scrape_job (application, created_at, id, status, quickstart_id);
CREATE INDEX scrape_job_by_change ON scrape_job (application, modified_at, id, status, quickstart_id);
CREATE INDEX scrape_job_by_name ON scrape_job (application, name, id, status, quickstart_id);
CREATE INDEX scrape_job_by_status ON scrape_job (application, status, id, quickstart_id);
CREATE TABLE scrape_page (
  application INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  state TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT,
  title TEXT,
  description TEXT,
  error TEXT,
  content TEXT,
  PRIMARY KEY (application, job_id, seq)
) STRICT;
CREATE UNIQUE INDEX scrape_page_by_url ON scrape_page (application, job_id, url);
CREATE INDEX scrape_page_by_state ON scrape_page (application, job_id, state, seq);
CREATE TABLE inference_step (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  type TEXT NOT NULL,
  external_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX inference_step_by_creation ON inference_step (application, created_at, id);
CREATE INDEX inference_step_by_modification ON inference_step (application, modified_at, id);
CREATE INDEX inference_step_by_title ON inference_step (application, title, id);
CREATE INDEX inference_step_by_type ON inference_step (application, type, id);
CREATE UNIQUE INDEX inference_step_external_id ON inference_step (application, external_id);
CREATE INDEX inference_step_by_external_id ON inference_step (application, external_id, id);
CREATE INDEX inference_step_by_id ON inference_step (application, id);
CREATE TABLE experiment (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  inference_step_ids TEXT NOT NULL,
  task_ids TEXT NOT NULL,
  assignee TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX experiment_by_creation ON experiment (application, created_at, id, status);
CREATE INDEX experiment_by_modification ON experiment (application, modified_at, id, status);
CREATE INDEX experiment_by_title ON experiment (application, title, id, status);
CREATE INDEX experiment_by_status ON experiment (application, status, id);
CREATE INDEX experiment_by_assignee ON experiment (application, assignee IS NULL, assignee, id, status);
CREATE INDEX experiment_by_assignee_down
  ON experiment (application, assignee IS NULL, assignee DESC, id DESC, status);
CREATE INDEX experiment_by_id ON experiment (application, id, status);
CREATE TABLE experiment_variant (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  experiment_id TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL,
  config_patch TEXT NOT NULL,
  parent_id TEXT,
  started_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX experiment_variant_by_experiment ON experiment_variant (application, experiment_id, created_at, id);
CREATE UNIQUE INDEX experiment_baseline ON experiment_variant (application, experiment_id) WHERE parent_id IS NULL;
CREATE TABLE variant_start (
  variant_id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  repeat INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  task INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  run_id TEXT,
  task_ids TEXT NOT NULL,
  experiment TEXT NOT NULL
) STRICT;
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
CREATE INDEX annotation_queue_item_by_id
  ON annotation_queue_item (application, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_creation
  ON annotation_queue_item (application, created_at, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_expiry
  ON annotation_queue_item (application, expires_at, id, queue_id, completed_at);
CREATE INDEX annotation_queue_item_by_trace
  ON annotation_queue_item (application, trace_id, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_completion
  ON annotation_queue_item (application, completed_at IS NULL, completed_at, id, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_completion_down
  ON annotation_queue_item (application, completed_at IS NULL, completed_at DESC, id DESC, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_queue
  ON annotation_queue_item (application, queue_id, created_at, id, completed_at, expires_at);
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
CREATE TABLE quickstart (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  style_guide_id TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX quickstart_by_application ON quickstart (application, created_at, id, status);
CREATE INDEX quickstart_by_modification ON quickstart (application, modified_at, id, status);
CREATE INDEX quickstart_by_name ON quickstart (application, name, id, status);
CREATE INDEX quickstart_by_status ON quickstart (application, status, id);
CREATE INDEX quickstart_by_id ON quickstart (application, id, status);
CREATE TABLE upload (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  status TEXT NOT NULL,
  material_type TEXT NOT NULL,
  error_message TEXT,
  report TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX upload_by_application ON upload (application, created_at, id);
CREATE INDEX upload_by_quickstart ON upload (application, quickstart_id, created_at, id);
CREATE TABLE upload_part (
  application INTEGER NOT NULL,
  upload_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (application, upload_id, seq)
) STRICT;
CREATE TABLE conversation (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  task_id TEXT,
  external_id TEXT,
  turn_count INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_by_quickstart ON conversation (application, quickstart_id, created_at, id, task_id);
CREATE INDEX conversation_by_id ON conversation (application, quickstart_id, id, task_id);
CREATE INDEX conversation_by_external_id ON conversation (application, upload_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE TABLE conversation_turn (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX conversation_turn_by_conversation ON conversation_turn (application, conversation_id);
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
CREATE TABLE sample_test (
  application INTEGER NOT NULL,
  test_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, test_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_view (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  owner TEXT NOT NULL,
  screen TEXT NOT NULL,
  name TEXT NOT NULL,
  filter TEXT NOT NULL,
  columns TEXT,
  sort TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  creator_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_view_by_owner ON saved_view (application, owner, screen, name);
CREATE TABLE example_data (
  application INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  status TEXT NOT NULL,
  step TEXT,
  steps_done INTEGER NOT NULL,
  failure TEXT,
  made TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE TABLE retention (
  application INTEGER PRIMARY KEY,
  days INTEGER,
  max_bytes INTEGER,
  pinned_days INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  ran_at INTEGER,
  deleted_traces INTEGER NOT NULL DEFAULT 0,
  deleted_bytes INTEGER NOT NULL DEFAULT 0,
  is_over INTEGER NOT NULL DEFAULT 0,
  evals_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE stored_day (
  application INTEGER NOT NULL,
  day INTEGER NOT NULL,
  traces INTEGER NOT NULL,
  spans INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  measured_at INTEGER NOT NULL,
  PRIMARY KEY (application, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE erasure (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  subject_type TEXT NOT NULL,
  subject_hash TEXT NOT NULL,
  subject TEXT,
  status TEXT NOT NULL,
  counts TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_by_creation ON erasure (application, created_at, id);
CREATE INDEX erasure_by_subject ON erasure (application, subject_hash, created_at, id);
CREATE INDEX erasure_pending ON erasure (created_at, id) WHERE status = 'PENDING';
CREATE TABLE masking (
  application INTEGER PRIMARY KEY,
  rules TEXT NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE TABLE masked_value (
  application INTEGER NOT NULL,
  day INTEGER NOT NULL,
  detector TEXT NOT NULL,
  attribute TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (application, day, detector, attribute)
) STRICT, WITHOUT ROWID;
