ALTER TABLE user_login ADD COLUMN browser_hash BLOB;
