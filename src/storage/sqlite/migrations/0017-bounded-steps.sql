-- Variants whose tests are not all started yet: how far that has come, so that it is completed after a crash.
-- repeat: tests of each task. task, tests, run_id: the index of the next task, how many of its tests were started, and
-- their run. remaining: tests still to start. experiment: what payloads contain of the variant, JSON.
CREATE TABLE variant_start (
  variant_id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  repeat INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  remaining INTEGER NOT NULL,
  task INTEGER NOT NULL,
  tests INTEGER NOT NULL,
  run_id TEXT,
  task_ids TEXT NOT NULL,
  experiment TEXT NOT NULL
) STRICT;

-- Tests of a deleted trace are removed from `trace_test` step by step, instead of being copied when it is deleted.
INSERT OR IGNORE INTO trace_test (application, test_id, tkey, first_ns, via)
  SELECT application, unhex(test_id, '-'), tkey, 0, 0 FROM purge_test JOIN purge USING (tkey);
DROP TABLE purge_test;
