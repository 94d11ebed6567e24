-- Columns ending in _ns hold Unix nanoseconds; all other times are Unix milliseconds.

-- Own mapping rules and prices of applications, as JSON; the highest version of each part applies. last_tkey: the last trace
-- when the version was stored. own_remap: the version by which traces up to after_tkey were mapped again.
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

-- One row per trace. tkey: day of arrival * 2^27 + a number; it grows with time and is never reused (src/traces/trace-keys.ts).
-- next_seq: the sequence number of the next block. rule_set: the version of the mapping rules that the row was made with.
-- attributes: the rows of trace_attr as JSON, [[key, value], …]: an index by trace would be as large as that table.
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
-- Traces that have only the service's own spans: no span of the app gave them a name (src/traces/rollup.ts).
CREATE INDEX trace_of_deliveries ON trace (application, tkey) WHERE native = 0 AND root_rank = 1048576 AND kinds = 1 AND root_name = 'POST webhook' AND services = '[]';
-- Includes session_id, so that the sessions of a user are found without reading rows.
CREATE INDEX trace_by_user ON trace (application, user_id, start_ns, trace_id, session_id) WHERE user_id IS NOT NULL;

-- Bounds of the traces with the same tkey / 256 (src/traces/trace-ranges.ts): their first start is not before first_ns, their last
-- not after last_ns, and none has more of the rest.
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

-- Truncated texts that lists show, in a table of their own so that scans of `trace` read short rows.
-- A text of lower rank is nearer to the root; _ns breaks ties (earliest input, latest output).
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

-- The test ids that a trace carries. via: 0 = a span, 1 = a resource, 2 = the delivery of a test, 3 = the same in
-- a deleted trace that had no span of the app.
CREATE TABLE trace_test (
  application INTEGER NOT NULL,
  test_id BLOB NOT NULL,
  tkey INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  via INTEGER NOT NULL,
  PRIMARY KEY (application, test_id, tkey)
) STRICT, WITHOUT ROWID;
CREATE INDEX trace_test_by_trace ON trace_test (tkey);

-- Spans of which tests have arrived, at which time, until the module of tests has taken note of them. test_id: a uuid, also one
-- that is no test.
CREATE TABLE test_touch (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

-- Properties with many values that lists filter by: 'kind', 'model', 'tag', and metadata keys as 'metadata.<key>'.
CREATE TABLE trace_attr (
  application INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  tkey INTEGER NOT NULL,
  PRIMARY KEY (application, key, value, tkey)
) STRICT, WITHOUT ROWID;

-- Start of the first and of the last trace of each session, so that lists of sessions need not read every trace.
-- The commands that store traces maintain it: a trigger makes SQLite keep a copy of every page a statement changes.
CREATE TABLE session (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_first ON session (application, first_ns, id, last_ns);
CREATE INDEX session_by_last ON session (application, last_ns, id, first_ns);

-- Many spans of one trace in a row. Formats: docs/format.md.
CREATE TABLE chunk (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  skeleton BLOB NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (application, tkey, seq)
) STRICT;

-- The directory: the current version of each span. seq: the block that holds it; hash: of its bytes.
CREATE TABLE span (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (application, tkey, span_id)
) STRICT, WITHOUT ROWID;

-- OpenTelemetry resources, each stored once. refs: number of blocks that refer to it.
CREATE TABLE resource (
  application INTEGER NOT NULL,
  hash BLOB NOT NULL,
  refs INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (application, hash)
) STRICT, WITHOUT ROWID;

-- Log records that refer to a span, as they were sent (opentelemetry.proto.logs.v1.LogRecord).
-- tkey: NULL until the first span of the trace is stored, since either may arrive first.
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
CREATE INDEX span_log_by_trace ON span_log (application, tkey);
CREATE INDEX span_log_waiting ON span_log (received_at) WHERE tkey IS NULL;

-- Spans of model responses, of applications that have sent log records that name a response instead of a span.
-- response: the hash of its id; such records wait in span_log under an empty trace_id, with it as span_id.
CREATE TABLE response_span (
  application INTEGER NOT NULL,
  response BLOB NOT NULL,
  tkey INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (application, response, tkey, span_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX response_span_by_trace ON response_span (application, tkey);

-- Applications with such an index. Blocks before this place are not in it yet; before_tkey 0: none.
CREATE TABLE response_index (
  application INTEGER PRIMARY KEY,
  before_tkey INTEGER NOT NULL,
  before_seq INTEGER NOT NULL
) STRICT;

-- Native `llm` starts that wait for their end.
CREATE TABLE open_step (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  match BLOB NOT NULL,
  start_ns INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (application, tkey, match, start_ns, span_id)
) STRICT, WITHOUT ROWID;

-- Native `llm` ends that matched a start by its content. end_id: the span id of the end; span_id: that of the start.
CREATE TABLE closed_step (
  application INTEGER NOT NULL,
  tkey INTEGER NOT NULL,
  end_id BLOB NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (application, tkey, end_id)
) STRICT, WITHOUT ROWID;

-- Deleted traces: spans that arrive for them later are rejected, until expires_at (NULL: always).
-- erased: 1 if an erasure deleted the trace, whose copies are not imported again; for a trace of OpenTelemetry also with the bytes
-- of its uuid, by which copies know it.
CREATE TABLE tombstone (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  deleted_at INTEGER NOT NULL,
  expires_at INTEGER,
  erased INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_by_expiry ON tombstone (expires_at) WHERE expires_at IS NOT NULL;

-- Deleted traces whose data is still being removed, step by step.
-- trace_id: 16 bytes; NULL when only blocks and spans of the trace are left.
-- session_id: session of the trace, whose evals may quote it.
CREATE TABLE purge (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB,
  session_id TEXT
) STRICT;

-- Traces whose blocks are to be rewritten: spans were replaced, or the blocks are many and small.
CREATE TABLE rewrite (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rewrite_by_due ON rewrite (due_at);

-- Traces whose row is to be computed again from all their spans: what a span means for its trace may depend on spans and
-- log records that arrived later.
CREATE TABLE refresh (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX refresh_by_due ON refresh (due_at);

-- Counts per hour and API key: received = stored + duplicate + replaced + rejected.
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

-- The latest rejections of each application.
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

-- Responses to requests with an `Idempotency-Key`, kept for 24 hours.
CREATE TABLE idempotency (
  application INTEGER NOT NULL,
  key TEXT NOT NULL,
  request_hash BLOB NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- The numbers 0 to 1023, so that one statement can insert all spans of a block.
CREATE TABLE ordinal (i INTEGER PRIMARY KEY) STRICT;
WITH RECURSIVE seq (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM seq WHERE i < 1023)
INSERT INTO ordinal SELECT i FROM seq;
