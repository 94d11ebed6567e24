CREATE TABLE erasure (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  subject_type TEXT NOT NULL,
  subject_hash TEXT NOT NULL,
  subject TEXT,
  status TEXT NOT NULL,
  counts TEXT NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_by_creation ON erasure (application, created_at, id);
CREATE INDEX erasure_by_subject ON erasure (application, subject_hash, created_at, id);
CREATE INDEX erasure_pending ON erasure (created_at, id) WHERE status = 'PENDING';
