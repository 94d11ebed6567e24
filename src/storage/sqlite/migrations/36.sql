-- What the features of one version add, each under a comment with its name.

-- Outcomes of tests
ALTER TABLE run ADD COLUMN results_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX run_by_variant ON run (application, experiment_variant_id) WHERE experiment_variant_id IS NOT NULL;
CREATE TABLE test_result (
  application INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  test_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  example_id TEXT,
  input TEXT NOT NULL,
  example_index INTEGER,
  outcome TEXT NOT NULL,
  basis TEXT,
  cause TEXT,
  duration_ms INTEGER,
  cost REAL,
  tokens INTEGER,
  PRIMARY KEY (application, run_id, test_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX test_result_by_test ON test_result (application, test_id, outcome, basis, cause, input);
CREATE TABLE outcome_fill (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  before_at INTEGER,
  before_id TEXT,
  PRIMARY KEY (application, definition_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE verified_judge (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  PRIMARY KEY (application, definition_id)
) STRICT, WITHOUT ROWID;
INSERT INTO outcome_fill (application, definition_id) SELECT application, '' FROM application;

-- Run sets.
ALTER TABLE test ADD COLUMN example_version INTEGER;
ALTER TABLE test ADD COLUMN snapshot_id TEXT;
ALTER TABLE run ADD COLUMN run_set_id TEXT;
ALTER TABLE retention ADD COLUMN kept_run_sets INTEGER NOT NULL DEFAULT 20;
CREATE INDEX run_by_set ON run (application, run_set_id, id) WHERE run_set_id IS NOT NULL;
CREATE TABLE run_set (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT,
  commit_id TEXT,
  branch TEXT,
  pull_request TEXT,
  build_url TEXT,
  author TEXT,
  metadata TEXT,
  status TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  prompt_seed INTEGER,
  examples TEXT,
  planned_tests INTEGER NOT NULL,
  open_tests INTEGER NOT NULL,
  position TEXT,
  baseline_id TEXT,
  baseline_runs TEXT,
  decision TEXT,
  decided_at INTEGER,
  used_at INTEGER,
  released_at INTEGER,
  batch_examples INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_set_by_creation ON run_set (application, created_at, id, status, branch);
CREATE INDEX run_set_by_modification ON run_set (application, modified_at, id, status, branch);
CREATE INDEX run_set_by_branch ON run_set (application, branch, status, created_at, id);
CREATE INDEX run_set_by_commit ON run_set (application, commit_id, status, created_at, id);
CREATE INDEX run_set_to_release ON run_set (application, created_at)
  WHERE released_at IS NULL AND (decided_at IS NOT NULL OR used_at IS NOT NULL);
CREATE INDEX run_set_pinned ON run_set (application, branch, created_at, id)
  WHERE decided_at IS NOT NULL OR used_at IS NOT NULL;

CREATE TABLE run_set_definition (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  definition_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  repeats INTEGER NOT NULL,
  global_config TEXT NOT NULL,
  style_guide TEXT,
  judge_version TEXT,
  gate_state TEXT,
  gate_judge TEXT,
  gate_reason TEXT,
  PRIMARY KEY (application, run_set_id, definition_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_set_definition_by_definition ON run_set_definition (application, definition_id);

CREATE TABLE run_set_link (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  config TEXT NOT NULL,
  PRIMARY KEY (application, run_set_id, task_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_set_example (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  example_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  turn INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (application, run_set_id, task_id, place)
) STRICT, WITHOUT ROWID;

-- Traces of deliveries: lists leave them out.
CREATE INDEX trace_of_deliveries ON trace (application, tkey) WHERE native = 0 AND root_rank = 1048576 AND kinds = 1 AND root_name = 'POST webhook' AND services = '[]';

-- Checks of examples
ALTER TABLE example ADD COLUMN assertions TEXT;
ALTER TABLE example_version ADD COLUMN assertions TEXT;
ALTER TABLE example ADD COLUMN rubrics TEXT;
CREATE INDEX example_by_split ON example (application, split, id, status, task_id) WHERE split IS NOT NULL;
ALTER TABLE example_version ADD COLUMN rubrics TEXT;

-- Own mapping rules and prices
CREATE TABLE own_rules (
  application INTEGER NOT NULL,
  part TEXT NOT NULL,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_tkey INTEGER NOT NULL,
  PRIMARY KEY (application, part, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE own_remap (
  application INTEGER PRIMARY KEY,
  version TEXT NOT NULL,
  after_tkey INTEGER NOT NULL
) STRICT;

-- Log records that name a response
CREATE TABLE response_span (
  application INTEGER NOT NULL,
  response BLOB NOT NULL,
  tkey INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (application, response, tkey, span_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX response_span_by_trace ON response_span (application, tkey);

CREATE TABLE response_index (
  application INTEGER PRIMARY KEY,
  before_tkey INTEGER NOT NULL,
  before_seq INTEGER NOT NULL
) STRICT;

-- Canaries of judges
ALTER TABLE definition ADD COLUMN gate_canaries INTEGER;
CREATE TABLE canary (
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  eval_id TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  judge_version TEXT NOT NULL,
  passed INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, definition_id, eval_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX canary_by_eval ON canary (application, eval_id);

CREATE TABLE canary_verdict (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  definition_id TEXT NOT NULL,
  eval_id TEXT NOT NULL,
  status TEXT NOT NULL,
  before INTEGER,
  passed INTEGER,
  cost REAL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, run_set_id, definition_id, eval_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX canary_verdict_by_cost ON canary_verdict (application, created_at, definition_id, cost, input_tokens, output_tokens)
  WHERE input_tokens IS NOT NULL;

-- Leases of deliveries
ALTER TABLE delivery ADD COLUMN lease INTEGER;

-- Samples of draws
ALTER TABLE annotation_queue_item ADD COLUMN draw_id TEXT;
ALTER TABLE annotation_queue_item ADD COLUMN eval_definition_id TEXT;
-- Earlier versions let callers say that an item was random, and counted draws of a part: such items prove no gate.
UPDATE annotation_queue_item SET selection = 'RANDOM_PART', drawn_at = NULL, place = NULL, weight = NULL
WHERE selection = 'RANDOM' OR drawn_at IS NOT NULL;
CREATE TABLE annotation_draw (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  queue_id TEXT NOT NULL,
  eval_definition_id TEXT,
  filter TEXT NOT NULL,
  population INTEGER NOT NULL,
  offered INTEGER NOT NULL,
  drawn INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annotation_draw_by_queue ON annotation_draw (application, queue_id);

CREATE TABLE deleted_item (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  tests TEXT NOT NULL,
  eval_definition_id TEXT,
  drawn_at INTEGER NOT NULL,
  place INTEGER NOT NULL,
  weight REAL NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE deleted_verdict (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  eval_definition_id TEXT NOT NULL,
  annotator_id TEXT NOT NULL,
  verdict REAL NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, eval_definition_id, trace_id, annotator_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE asked_criterion (
  application INTEGER NOT NULL,
  eval_definition_id TEXT NOT NULL,
  PRIMARY KEY (application, eval_definition_id)
) STRICT, WITHOUT ROWID;

-- Notes and issues
CREATE TABLE note (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  span_id TEXT,
  field TEXT,
  start_offset INTEGER,
  end_offset INTEGER,
  quote TEXT,
  content TEXT NOT NULL,
  mentions TEXT NOT NULL,
  issue_id TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  creator_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX note_by_id ON note (application, id, issue_id, creator_id);
CREATE INDEX note_by_creation ON note (application, created_at, id, issue_id, creator_id);
CREATE INDEX note_by_change ON note (application, modified_at, id, issue_id, creator_id);
CREATE INDEX note_by_trace ON note (application, trace_id, created_at, id);
CREATE INDEX note_by_issue ON note (application, issue_id, created_at, id) WHERE issue_id IS NOT NULL;
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

ALTER TABLE definition ADD COLUMN issue_id TEXT;
CREATE TABLE issue_number (
  application INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;

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

CREATE TABLE issue_day (
  application INTEGER NOT NULL,
  issue_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (application, issue_id, day)
) STRICT, WITHOUT ROWID;

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

-- Reviews
ALTER TABLE annotation_queue ADD COLUMN reviews_per_item INTEGER NOT NULL DEFAULT 1;
ALTER TABLE annotation_queue ADD COLUMN is_blind INTEGER NOT NULL DEFAULT 0;
ALTER TABLE annotation_queue ADD COLUMN criteria TEXT NOT NULL DEFAULT '[]';
ALTER TABLE annotation_queue ADD COLUMN reviewer_ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE annotation_queue ADD COLUMN document_ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE annotation_queue ADD COLUMN disagreement TEXT NOT NULL DEFAULT 'NONE';
ALTER TABLE annotation_queue ADD COLUMN due_at INTEGER;
CREATE INDEX annotation_queue_blind ON annotation_queue (application) WHERE is_blind = 1;
ALTER TABLE annotation_queue_item ADD COLUMN reviews INTEGER NOT NULL DEFAULT 0;
ALTER TABLE annotation_queue_item ADD COLUMN is_disputed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE annotation_queue_item ADD COLUMN leased_until INTEGER;
DROP INDEX annotation_queue_item_by_queue;
CREATE INDEX annotation_queue_item_by_queue
  ON annotation_queue_item (application, queue_id, created_at, id, completed_at, expires_at, reviews, is_disputed, leased_until);
ALTER TABLE human_annotation ADD COLUMN criteria TEXT;
ALTER TABLE human_annotation ADD COLUMN part_of TEXT;
CREATE INDEX human_annotation_parts ON human_annotation (application, part_of) WHERE part_of IS NOT NULL;
CREATE TABLE annotation_review (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  item_id TEXT NOT NULL,
  queue_id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  person TEXT NOT NULL,
  state TEXT NOT NULL,
  token TEXT,
  started_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended_at INTEGER,
  annotation_id TEXT,
  verdicts TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX annotation_review_by_item ON annotation_review (application, item_id, person);
CREATE INDEX annotation_review_by_person ON annotation_review (application, person, queue_id, state);
CREATE INDEX annotation_review_by_queue ON annotation_review (application, queue_id, state, ended_at);
CREATE INDEX annotation_review_by_trace ON annotation_review (application, trace_id);

-- Attempts to sign in of all replicas
CREATE TABLE sign_in_failure (
  subject BLOB PRIMARY KEY,
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL,
  wait_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failure_by_time ON sign_in_failure (failed_at);

-- Webhook of issues.
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
