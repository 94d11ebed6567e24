CREATE INDEX span_log_by_trace ON span_log (application, tkey);
-- Days whose traces have log records are counted again, with them.
UPDATE stored_day SET measured_at = 0
WHERE EXISTS (
  SELECT 1 FROM span_log WHERE span_log.application = stored_day.application
    AND tkey >= day * 134217728 AND tkey < (day + 1) * 134217728);
