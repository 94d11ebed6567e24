-- Tests that had spans, none of whose traces is left.
UPDATE test SET trace_deleted = 1
WHERE last_span_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM trace_test JOIN trace USING (tkey)
  WHERE trace_test.application = test.application AND test_id = unhex(test.id, '-'));
