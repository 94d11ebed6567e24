-- What judges answered for an eval, so that nothing that was answered is asked and paid again.
-- hash: SHA-256, in hex, of all that was asked. repeat: from 0. run_id: of the eval's test. request: JSON; NULL where an earlier call of
-- the eval has the same. request and raw are NULL once the trace was deleted. cost: US dollars, NULL = no price is known.
CREATE TABLE judge_call (
  application INTEGER NOT NULL,
  eval_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  run_id TEXT,
  judge TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cost REAL,
  latency_ms REAL NOT NULL,
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  request TEXT,
  raw TEXT,
  PRIMARY KEY (application, eval_id, hash)
) STRICT;
CREATE INDEX judge_call_by_run ON judge_call (application, run_id, cost) WHERE cost IS NOT NULL AND run_id IS NOT NULL;

-- US dollars that the calls of an application took on a day (UTC, YYYY-MM-DD).
CREATE TABLE judge_day (
  day TEXT NOT NULL,
  application INTEGER NOT NULL,
  cost REAL NOT NULL,
  PRIMARY KEY (day, application)
) STRICT, WITHOUT ROWID;
