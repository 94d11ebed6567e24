-- Sites whose pages become documents. Statuses: src/resources/scrape-jobs/states.ts.
-- options: JSON of its limits and of the fields of its documents. reason: why the job failed.
CREATE TABLE scrape_job (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  initiated_by TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  status TEXT NOT NULL,
  quickstart_status TEXT NOT NULL,
  quickstart_id TEXT,
  options TEXT NOT NULL,
  reason TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- One index per order of the list, with every column that the list filters by.
CREATE INDEX scrape_job_by_id ON scrape_job (application, id, status, quickstart_id);
CREATE INDEX scrape_job_by_creation ON scrape_job (application, created_at, id, status, quickstart_id);
CREATE INDEX scrape_job_by_change ON scrape_job (application, modified_at, id, status, quickstart_id);
CREATE INDEX scrape_job_by_name ON scrape_job (application, name, id, status, quickstart_id);
CREATE INDEX scrape_job_by_status ON scrape_job (application, status, id, quickstart_id);

-- Pages of a job in the order in which they were found. final_url: where url redirected to, if it did.
-- state: FOUND = to be fetched; READ = fetched, with title, description and content; DONE = became a document;
-- FAILED = with its error; MOVED = redirected to another page of the job.
CREATE TABLE scrape_page (
  application INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  state TEXT NOT NULL,
  url TEXT NOT NULL,
  final_url TEXT,
  title TEXT,
  description TEXT,
  error TEXT,
  content TEXT,
  PRIMARY KEY (application, job_id, seq)
) STRICT;
CREATE UNIQUE INDEX scrape_page_by_url ON scrape_page (application, job_id, url);
CREATE INDEX scrape_page_by_state ON scrape_page (application, job_id, state, seq);
