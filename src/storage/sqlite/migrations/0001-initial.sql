-- Times ending in _ns are Unix nanoseconds, all others Unix milliseconds.
-- `application` is the small integer key of the application a row belongs to; every statement names it.

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

-- One row a trace. `tkey` grows with time and is never used twice.
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
  UNIQUE (application, trace_id)
) STRICT;
CREATE INDEX trace_by_start ON trace (application, start_ns, trace_id);
CREATE INDEX trace_by_session ON trace (application, session_id, start_ns, trace_id) WHERE session_id IS NOT NULL;
CREATE INDEX trace_by_user ON trace (application, user_id, start_ns, trace_id) WHERE user_id IS NOT NULL;
CREATE INDEX trace_with_errors ON trace (application, start_ns, trace_id) WHERE error_count > 0;

-- What a list shows of a trace's texts, cut short; kept apart so that scans of `trace` stay narrow.
-- A text of lower rank is nearer to the root; `at` breaks ties (earliest input, latest output).
CREATE TABLE trace_preview (
  tkey INTEGER PRIMARY KEY,
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

-- Every test id a trace carries. via: 0 = a span, 1 = a resource, 2 = the delivery of a test.
CREATE TABLE trace_test (
  application INTEGER NOT NULL,
  test_id BLOB NOT NULL,
  tkey INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  via INTEGER NOT NULL,
  PRIMARY KEY (application, test_id, tkey)
) STRICT, WITHOUT ROWID;
CREATE INDEX trace_test_by_trace ON trace_test (tkey);

-- Many-valued properties to filter by: 'kind', 'model', 'tag', and metadata keys as 'metadata.<key>'.
CREATE TABLE trace_attr (
  application INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  tkey INTEGER NOT NULL,
  PRIMARY KEY (application, key, value, tkey)
) STRICT, WITHOUT ROWID;
CREATE INDEX trace_attr_by_trace ON trace_attr (tkey);

-- Spans, many to a row; ck = tkey * 2^20 + seq. Formats: src/traces/skeleton.ts, src/traces/payload.ts.
CREATE TABLE chunk (
  ck INTEGER PRIMARY KEY,
  skeleton BLOB NOT NULL,
  payload BLOB NOT NULL
) STRICT;

-- The directory: which chunk holds the version of a span that counts, and the hash of that version.
CREATE TABLE span (
  tkey INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  chunk INTEGER NOT NULL,
  PRIMARY KEY (tkey, span_id)
) STRICT, WITHOUT ROWID;

-- Resources, kept once; `refs` = chunks that name them.
CREATE TABLE resource (
  application INTEGER NOT NULL,
  hash BLOB NOT NULL,
  refs INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (application, hash)
) STRICT, WITHOUT ROWID;

-- Native `llm` starts that wait for their end, and ends without an id of their own that closed one.
CREATE TABLE open_step (
  tkey INTEGER NOT NULL,
  match BLOB NOT NULL,
  start_ns INTEGER NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (tkey, match, start_ns, span_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE closed_step (
  tkey INTEGER NOT NULL,
  end_id BLOB NOT NULL,
  span_id BLOB NOT NULL,
  PRIMARY KEY (tkey, end_id)
) STRICT, WITHOUT ROWID;

-- Deleted traces, whose spans are refused from then on, and those whose bytes are still being removed.
CREATE TABLE tombstone (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE purge (
  tkey INTEGER PRIMARY KEY,
  application INTEGER NOT NULL
) STRICT;

-- Traces whose chunks are to be rewritten: spans were replaced, or the chunks are many and small.
CREATE TABLE rewrite (
  tkey INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rewrite_by_due ON rewrite (due_at);

-- Per hour and key: received = stored + duplicate + replaced + rejected.
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

-- The newest refusals of an application, to look at.
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

-- Answers to remember for 24 hours, by `Idempotency-Key`.
CREATE TABLE idempotency (
  application INTEGER NOT NULL,
  key TEXT NOT NULL,
  request_hash BLOB NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- 0 … 1023: lets one statement insert all spans of a chunk.
CREATE TABLE ordinal (i INTEGER PRIMARY KEY) STRICT;
WITH RECURSIVE seq (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM seq WHERE i < 1023)
INSERT INTO ordinal SELECT i FROM seq;
