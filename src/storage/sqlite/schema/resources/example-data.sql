-- Example data that was loaded into an application. status: LOADING, READY, FAILED, REMOVING. step: the part that is being made;
-- steps_done: number of parts before it. made: JSON object with the ids of all its records, stored before any of them is made.
CREATE TABLE example_data (
  application INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  status TEXT NOT NULL,
  step TEXT,
  steps_done INTEGER NOT NULL,
  failure TEXT,
  made TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
