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
DROP INDEX trace_by_start;
CREATE INDEX trace_by_start ON trace (application, start_ns, trace_id);
