-- email: in lower case. password_hash: parameters, salt and hash of scrypt.
CREATE TABLE user_account (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Browsers that are signed in, as a user or with an API key. token_hash: SHA-256 of the cookie's 32 bytes.
-- browser_hash: token_hash of known_browser; null for an API key, and for users who signed in before there was the column.
CREATE TABLE user_login (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT REFERENCES user_account (id),
  key_id TEXT,
  csrf_key BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  address TEXT,
  user_agent TEXT,
  browser_hash BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX user_login_by_user ON user_login (user_id, created_at);
CREATE INDEX user_login_by_expiry ON user_login (expires_at);

-- Browsers with which a user has signed in, for attempts to sign in again. token_hash: SHA-256 of the cookie's 32 bytes.
CREATE TABLE known_browser (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user_account (id),
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_browser_by_user ON known_browser (user_id, used_at);
CREATE INDEX known_browser_by_expiry ON known_browser (expires_at);

-- Failed attempts to sign in of the last hour, where several processes share the store. subject: a hash, by a secret, of the account,
-- network or browser that is counted. failed_at and wait_until: by the clock of the store.
CREATE TABLE sign_in_failure (
  subject BLOB PRIMARY KEY,
  failures INTEGER NOT NULL,
  failed_at INTEGER NOT NULL,
  wait_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_failure_by_time ON sign_in_failure (failed_at);

CREATE TABLE membership (
  application INTEGER NOT NULL REFERENCES application (application),
  user_id TEXT NOT NULL REFERENCES user_account (id),
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (application, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_by_user ON membership (user_id, application);

CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL REFERENCES application (application),
  token_hash BLOB NOT NULL UNIQUE,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_by_application ON invitation (application, created_at, id);
CREATE INDEX invitation_by_expiry ON invitation (expires_at);

-- Links for the first user; with a user_id, for a user who has lost the password.
CREATE TABLE setup_link (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT REFERENCES user_account (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Changes by users and API keys, without their contents.
CREATE TABLE audit_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL REFERENCES application (application),
  created_at INTEGER NOT NULL,
  actor_type TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  resource_id TEXT,
  request_id TEXT NOT NULL,
  detail TEXT
) STRICT;
CREATE INDEX audit_entry_by_creation ON audit_entry (application, created_at, id);
CREATE INDEX audit_entry_by_actor ON audit_entry (application, actor_id, created_at, id);
CREATE INDEX audit_entry_by_action ON audit_entry (application, action, created_at, id);
CREATE INDEX audit_entry_by_record ON audit_entry (application, resource_id, id) WHERE resource_id IS NOT NULL;
