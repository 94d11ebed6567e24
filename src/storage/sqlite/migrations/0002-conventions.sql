-- What the conventions say of a trace beyond input and output tokens, and the rule set that said it.
ALTER TABLE trace ADD COLUMN rule_set INTEGER NOT NULL DEFAULT 1;
ALTER TABLE trace ADD COLUMN total_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trace ADD COLUMN cache_read_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trace ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trace ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
UPDATE trace SET total_tokens = input_tokens + output_tokens;

-- Log records that belong to a span, as they were sent (opentelemetry.proto.logs.v1.LogRecord).
-- `tkey` is NULL until the first span of the trace is stored: either may come first.
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

-- Traces whose row is to be worked out anew from their skeletons: what a span means for its trace may depend on
-- spans and log records that came later.
CREATE TABLE refresh (
  tkey INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX refresh_by_due ON refresh (due_at);
