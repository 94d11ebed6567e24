-- Knowledge and policies of an application. type: KNOWLEDGE, POLICY. status: DRAFT, ACTIVE.
-- current_version: number of the approved version, or of the latest if none is approved; title: of that version.
-- chunk_count: number of rows in document_chunk.
CREATE TABLE document (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  optimized INTEGER NOT NULL,
  is_verified INTEGER NOT NULL,
  assignee TEXT,
  scrape_job_id TEXT,
  file_processing_id TEXT,
  topic_id TEXT,
  quickstart_id TEXT,
  current_version INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
-- Each includes the columns that lists filter by, so that only rows on the page are read.
CREATE INDEX document_by_creation ON document
  (application, created_at, id, type, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_modification ON document
  (application, modified_at, id, type, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_title ON document
  (application, title, id, type, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_type ON document
  (application, type, id, status, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_status ON document
  (application, status, id, type, topic_id, assignee, is_verified, quickstart_id);
CREATE INDEX document_by_assignee ON document (application, type, status, assignee) WHERE assignee IS NOT NULL;
CREATE INDEX document_by_topic ON document (application, topic_id, status, id, type, chunk_count)
  WHERE topic_id IS NOT NULL;
CREATE INDEX document_by_quickstart ON document (application, quickstart_id, status)
  WHERE quickstart_id IS NOT NULL;

-- status: DRAFT, REVIEW, APPROVED, ARCHIVED; at most one version of a document is APPROVED. preview: the beginning of content.
-- metadata: JSON object; original_sentences: JSON array. Long columns are last, so that reading the others skips them.
CREATE TABLE document_version (
  key INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  version_number INTEGER NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL,
  type TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  preview TEXT NOT NULL,
  metadata TEXT NOT NULL,
  original_sentences TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_version_number ON document_version (application, document_id, version_number);

-- The approved version of a document in pieces for retrieval. starts_at, ends_at: offsets in UTF-16 units.
CREATE TABLE document_chunk (
  key INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX document_chunk_position ON document_chunk (application, document_id, position);

CREATE TABLE document_tag (
  application INTEGER NOT NULL,
  document_id TEXT NOT NULL,
  tag_id TEXT NOT NULL,
  PRIMARY KEY (application, document_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_tag_by_tag ON document_tag (application, tag_id, document_id);
