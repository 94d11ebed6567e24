-- Observations of people on traces. trace_id: 16 bytes. span_id: 16 hex digits; NULL = the complete trace.
-- field: INPUT or OUTPUT, with the words between start_offset and end_offset in UTF-16 code units; all NULL without words.
-- quote: these words, as the person saw them. mentions: JSON array of ids of users. issue_id: the issue that it is evidence for.
CREATE TABLE note (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  span_id TEXT,
  field TEXT,
  start_offset INTEGER,
  end_offset INTEGER,
  quote TEXT,
  content TEXT NOT NULL,
  mentions TEXT NOT NULL,
  issue_id TEXT,
  creator_type TEXT NOT NULL,
  creator_id TEXT NOT NULL,
  creator_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX note_by_id ON note (application, id, issue_id, creator_id);
CREATE INDEX note_by_creation ON note (application, created_at, id, issue_id, creator_id);
CREATE INDEX note_by_change ON note (application, modified_at, id, issue_id, creator_id);
CREATE INDEX note_by_trace ON note (application, trace_id, created_at, id);
CREATE INDEX note_by_issue ON note (application, issue_id, created_at, id) WHERE issue_id IS NOT NULL;
