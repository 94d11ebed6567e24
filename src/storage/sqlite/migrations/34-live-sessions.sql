CREATE TABLE monitored_session (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  session_id TEXT,
  trace_id BLOB,
  due_at INTEGER NOT NULL,
  UNIQUE (application, session_id),
  UNIQUE (application, trace_id),
  CHECK ((session_id IS NULL) <> (trace_id IS NULL))
) STRICT;
CREATE INDEX monitored_session_by_due ON monitored_session (due_at);
CREATE TABLE session_monitoring (last_tkey INTEGER NOT NULL) STRICT;
DROP INDEX definition_monitoring;
CREATE INDEX definition_monitoring ON definition (application, id, type, version, status,
  global_config ->> '$.monitoring.sampleRate', global_config ->> '$.monitoring.idleTimeoutMs')
  WHERE status = 'ACTIVE' AND global_config ->> '$.monitoring.sampleRate' > 0;
