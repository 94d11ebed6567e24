-- What an application keeps. days: of traces, after the day of their arrival; max_bytes: of all its traces; NULL = no limit.
-- pinned_days: how long traces that people or tests refer to are kept beyond both limits.
-- kept_run_sets: how many run sets of each branch are kept with what they judged, of those that decided or were a baseline.
-- ran_at, deleted_traces, deleted_bytes: of the last run that deleted something. is_over: 1 if the rest of what is beyond
-- max_bytes is pinned. evals_until: creation of the last eval whose requests to judges were removed.
CREATE TABLE retention (
  application INTEGER PRIMARY KEY,
  days INTEGER,
  max_bytes INTEGER,
  pinned_days INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  ran_at INTEGER,
  deleted_traces INTEGER NOT NULL DEFAULT 0,
  deleted_bytes INTEGER NOT NULL DEFAULT 0,
  is_over INTEGER NOT NULL DEFAULT 0,
  evals_until INTEGER NOT NULL DEFAULT 0,
  kept_run_sets INTEGER NOT NULL DEFAULT 20
) STRICT;

-- Stored traces by the day of their arrival (days since 1970-01-01, UTC), with their log records; those without a trace count
-- on the day of their own arrival. bytes: of blocks, and of log records with their rows and indexes.
-- measured_at: below 1 if the day has changed since, another number after each change.
CREATE TABLE stored_day (
  application INTEGER NOT NULL,
  day INTEGER NOT NULL,
  traces INTEGER NOT NULL,
  spans INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  measured_at INTEGER NOT NULL,
  PRIMARY KEY (application, day)
) STRICT, WITHOUT ROWID;
