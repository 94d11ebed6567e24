DROP INDEX trace_by_start;
CREATE INDEX trace_by_start ON trace (application, start_ns, trace_id, end_ns, cost, total_tokens);
