ALTER TABLE tombstone ADD COLUMN expires_at INTEGER;
CREATE INDEX tombstone_by_expiry ON tombstone (expires_at) WHERE expires_at IS NOT NULL;
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
  evals_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE stored_day (
  application INTEGER NOT NULL,
  day INTEGER NOT NULL,
  traces INTEGER NOT NULL,
  spans INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  measured_at INTEGER NOT NULL,
  PRIMARY KEY (application, day)
) STRICT, WITHOUT ROWID;
