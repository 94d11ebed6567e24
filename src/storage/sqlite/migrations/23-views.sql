-- Saved filters of screens of the dashboard. owner: empty for views of everybody, else `user:` or `key:` and the id of the creator.
-- filter: JSON object of lists of texts. columns: JSON array of texts. sort: name of a field, after a minus if descending.
-- creator_name: name of the creator at the time of creation.
CREATE TABLE saved_view (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  owner TEXT NOT NULL,
  screen TEXT NOT NULL,
  name TEXT NOT NULL,
  filter TEXT NOT NULL,
  columns TEXT,
  sort TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  creator_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX saved_view_by_owner ON saved_view (application, owner, screen, name);
