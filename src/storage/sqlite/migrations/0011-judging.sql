-- What a judge model took for an eval, 0 when it does not tell; NULL of those that none was asked for.
ALTER TABLE eval ADD COLUMN input_tokens INTEGER;
ALTER TABLE eval ADD COLUMN output_tokens INTEGER;
CREATE INDEX eval_by_cost ON eval (application, created_at, definition_id, cost, input_tokens, output_tokens)
  WHERE input_tokens IS NOT NULL;

-- Definitions that live traces are judged by.
CREATE INDEX definition_monitoring ON definition (application, id, global_config ->> '$.monitoring.sampleRate')
  WHERE status = 'ACTIVE' AND global_config ->> '$.monitoring.sampleRate' > 0;

-- Live traces that were drawn; they are judged when they are quiet. due_at: when to look whether they are.
CREATE TABLE monitored_trace (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX monitored_trace_by_due ON monitored_trace (due_at);
-- How far traces have been drawn: one row, none while nothing monitors.
CREATE TABLE monitoring (last_tkey INTEGER NOT NULL) STRICT;
