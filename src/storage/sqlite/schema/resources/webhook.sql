-- Where the tests of an application are sent. Secrets and header values are encrypted.
CREATE TABLE webhook (
  application INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  headers BLOB,
  secret BLOB NOT NULL,
  previous_secret BLOB,
  previous_until INTEGER,
  timeout_ms INTEGER NOT NULL,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

-- Ids of sample tests, kept for as long as their traces are marked as samples.
CREATE TABLE sample_test (
  application INTEGER NOT NULL,
  test_id BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, test_id)
) STRICT, WITHOUT ROWID;
