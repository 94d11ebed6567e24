CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES application (application),
  key_id TEXT NOT NULL UNIQUE,
  hash BLOB NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_application ON api_key (application, created_at);
