-- baseline: a number as text.
CREATE TABLE topic (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  baseline TEXT,
  status TEXT NOT NULL,
  quickstart_id TEXT,
  assigned_to TEXT,
  is_tasks_verified INTEGER NOT NULL,
  is_documents_verified INTEGER NOT NULL,
  is_knowledge_base_verified INTEGER NOT NULL,
  is_policies_verified INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  is_in_scope INTEGER NOT NULL DEFAULT 1,
  description TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX topic_by_application ON topic (application, created_at, id, status);
CREATE INDEX topic_by_modification ON topic (application, modified_at, id, status);
CREATE INDEX topic_by_title ON topic (application, title, id, status);
CREATE INDEX topic_by_status ON topic (application, status, id);
CREATE INDEX topic_by_id ON topic (application, id, status);
CREATE INDEX topic_by_quickstart ON topic (application, quickstart_id, status, title)
  WHERE quickstart_id IS NOT NULL;
CREATE INDEX topic_by_quickstart_and_id ON topic (application, quickstart_id, id, status, created_at)
  WHERE quickstart_id IS NOT NULL;
