CREATE TABLE organisation (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- application: a small integer key, which every table and every statement names.
CREATE TABLE application (
  application INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  org_id TEXT NOT NULL REFERENCES organisation (id),
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  description TEXT NOT NULL,
  context TEXT NOT NULL,
  language TEXT NOT NULL,
  type TEXT NOT NULL,
  environment TEXT NOT NULL,
  human_annotation_enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
