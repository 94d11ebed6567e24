-- Deleting a trace only makes it unreachable; all that grows with its size is removed by steps afterwards.
-- trace_id: 16 bytes; NULL for traces deleted before, of which nothing but chunks and spans was left.
ALTER TABLE purge ADD COLUMN trace_id BLOB;

-- Tests of deleted traces whose deliveries and evals still repeat texts of the trace.
CREATE TABLE purge_test (
  tkey INTEGER NOT NULL,
  test_id TEXT NOT NULL,
  PRIMARY KEY (tkey, test_id)
) STRICT, WITHOUT ROWID;
