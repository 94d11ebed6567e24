-- What the tests of a task send, and what is expected of the app. position: order in the task.
-- key: identity of the example in imports. prompt: the text to send; for an object (is_object = 1), its JSON.
-- expected, metadata, rubrics: JSON. assertions: JSON array of checks. tags: JSON array of texts. status: ACTIVE; WRITTEN for a
-- prompt that a model wrote; ARCHIVED. version: from 1, grows with every change.
-- trace_id: 16 bytes of the trace that the example was made from; NULL once that is deleted.
-- origin: 16 bytes of the trace whose texts the example or its copy has, also of one that is deleted.
CREATE TABLE example (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  key TEXT,
  prompt TEXT NOT NULL,
  is_object INTEGER NOT NULL DEFAULT 0,
  expected TEXT,
  rubric TEXT,
  metadata TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  split TEXT,
  weight REAL NOT NULL DEFAULT 1,
  status TEXT NOT NULL DEFAULT 'ACTIVE',
  version INTEGER NOT NULL DEFAULT 1,
  trace_id BLOB,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  origin BLOB,
  assertions TEXT,
  rubrics TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX example_by_task ON example (application, task_id, position, id, status, split);
CREATE INDEX example_by_modification ON example (application, task_id, modified_at, id, status, split);
CREATE UNIQUE INDEX example_by_key ON example (application, task_id, key) WHERE key IS NOT NULL;
CREATE INDEX example_by_trace ON example (application, trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX example_by_origin ON example (application, origin) WHERE origin IS NOT NULL;
CREATE INDEX example_by_split ON example (application, split, id, status, task_id) WHERE split IS NOT NULL;

-- Earlier versions of examples. replaced_at: time of the change that ended the version.
CREATE TABLE example_version (
  application INTEGER NOT NULL,
  example_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  is_object INTEGER NOT NULL,
  expected TEXT,
  rubric TEXT,
  metadata TEXT,
  tags TEXT NOT NULL,
  split TEXT,
  weight REAL NOT NULL,
  status TEXT NOT NULL,
  replaced_at INTEGER NOT NULL,
  assertions TEXT,
  rubrics TEXT,
  PRIMARY KEY (application, example_id, version)
) STRICT;

-- Deleted traces of which an example or the title of a task was copied, so that an erasure finds the copies.
-- user_hash, session_hash: SHA-256 of the user and the session of the trace, in hex.
CREATE TABLE copied_trace (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  user_hash TEXT,
  session_hash TEXT,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX copied_trace_by_user ON copied_trace (application, user_hash) WHERE user_hash IS NOT NULL;
CREATE INDEX copied_trace_by_session ON copied_trace (application, session_hash) WHERE session_hash IS NOT NULL;
