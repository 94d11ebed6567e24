-- Requests to delete all traces of a user or session, and their receipts. subject_hash: SHA-256 of the id, in hex; subject: the id
-- itself, NULL once all is deleted. other_forms: JSON array of the forms that masking gives the id, NULL as subject. counts: JSON object, deleted or cleared rows by kind. status: PENDING, COMPLETED.
-- copies: JSON object, the backups and exports that were made before; NULL until completed.
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
  modified_at INTEGER NOT NULL,
  other_forms TEXT,
  copies TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX erasure_by_creation ON erasure (application, created_at, id);
CREATE INDEX erasure_by_subject ON erasure (application, subject_hash, created_at, id);
CREATE INDEX erasure_pending ON erasure (created_at, id) WHERE status = 'PENDING';
