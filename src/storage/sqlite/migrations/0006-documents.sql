-- What an application knows and what it must keep to. status: DRAFT, ACTIVE. type: KNOWLEDGE, POLICY.
CREATE TABLE document (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  optimized INTEGER NOT NULL,
  is_verified INTEGER NOT NULL,
  assignee TEXT,
  scrape_job_id TEXT,
  file_processing_id TEXT,
  topic_id TEXT,
  quickstart_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX document_by_application ON document (application, created_at, id);

-- status: DRAFT, REVIEW, APPROVED, ARCHIVED; at most one of a document is APPROVED.
CREATE TABLE document_version (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  version_number INTEGER NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  metadata TEXT NOT NULL,
  original_sentences TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX document_version_number ON document_version (application, document_id, version_number);
