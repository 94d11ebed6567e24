ALTER TABLE user_login ADD COLUMN address TEXT;
ALTER TABLE user_login ADD COLUMN user_agent TEXT;
ALTER TABLE audit_entry ADD COLUMN detail TEXT;
CREATE TABLE known_browser (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user_account (id),
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_browser_by_user ON known_browser (user_id, used_at);
CREATE INDEX known_browser_by_expiry ON known_browser (expires_at);
