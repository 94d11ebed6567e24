INSERT INTO trace_block (application, block, first_ns, last_ns, duration_ns, cost, total_tokens)
SELECT application, tkey / 256, min(start_ns), max(start_ns), max(end_ns - start_ns), max(cost), max(total_tokens)
FROM trace GROUP BY application, tkey / 256;
