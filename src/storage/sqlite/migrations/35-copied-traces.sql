CREATE TABLE copied_trace (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  user_hash TEXT,
  session_hash TEXT,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX copied_trace_by_user ON copied_trace (application, user_hash) WHERE user_hash IS NOT NULL;
CREATE INDEX copied_trace_by_session ON copied_trace (application, session_hash) WHERE session_hash IS NOT NULL;
