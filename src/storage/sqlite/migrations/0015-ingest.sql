-- Storing a batch of spans costs the same for each trace, however many come with it.

-- Sessions are kept by the code that stores traces: a trigger makes SQLite keep a copy of every page a statement changes.
DROP TRIGGER trace_joins_session;
DROP TRIGGER trace_moves_session;
DROP TRIGGER trace_leaves_session;

-- What a trace is found by in `trace_attr`, as JSON: [[key, value], …]. It replaces an index as large as the table.
ALTER TABLE trace ADD COLUMN attributes TEXT NOT NULL DEFAULT '[]';
UPDATE trace SET attributes =
  (SELECT json_group_array(json_array(key, value)) FROM trace_attr WHERE trace_attr.tkey = trace.tkey);
DROP INDEX trace_attr_by_trace;

-- Marks traces that carry a test id (TraceFlag.hasTests), so that the others need no look-up.
UPDATE trace SET flags = flags | 512 WHERE tkey IN (SELECT tkey FROM trace_test);
