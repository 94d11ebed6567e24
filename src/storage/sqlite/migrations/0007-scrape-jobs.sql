-- Pages to be fetched and made documents. options: JSON of what was asked for; pages, failed_pages: JSON arrays.
CREATE TABLE scrape_job (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  initiated_by TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  quickstart_status TEXT NOT NULL,
  quickstart_id TEXT,
  topic_id TEXT,
  options TEXT NOT NULL,
  pages TEXT NOT NULL,
  failed_pages TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX scrape_job_by_application ON scrape_job (application, created_at, id);
