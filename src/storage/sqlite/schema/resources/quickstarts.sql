-- Setting up an application from uploads; records made by it refer to it by quickstart_id.
CREATE TABLE quickstart (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  style_guide_id TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX quickstart_by_application ON quickstart (application, created_at, id, status);
CREATE INDEX quickstart_by_modification ON quickstart (application, modified_at, id, status);
CREATE INDEX quickstart_by_name ON quickstart (application, name, id, status);
CREATE INDEX quickstart_by_status ON quickstart (application, status, id);
CREATE INDEX quickstart_by_id ON quickstart (application, id, status);

-- Files given to a quickstart. report: JSON of the records made and the rows rejected; its `rows` counts those processed.
CREATE TABLE upload (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  status TEXT NOT NULL,
  material_type TEXT NOT NULL,
  error_message TEXT,
  report TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX upload_by_application ON upload (application, created_at, id);
CREATE INDEX upload_by_quickstart ON upload (application, quickstart_id, created_at, id);

-- The bytes of an upload until they are processed, in order. They are stored before the row of the upload.
CREATE TABLE upload_part (
  application INTEGER NOT NULL,
  upload_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (application, upload_id, seq)
) STRICT;

-- An uploaded conversation. external_id: its id in the upload; task_id: the task that it is an example of.
CREATE TABLE conversation (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  quickstart_id TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  task_id TEXT,
  external_id TEXT,
  turn_count INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_by_quickstart ON conversation (application, quickstart_id, created_at, id, task_id);
CREATE INDEX conversation_by_id ON conversation (application, quickstart_id, id, task_id);
CREATE INDEX conversation_by_external_id ON conversation (application, upload_id, external_id)
  WHERE external_id IS NOT NULL;

-- Messages of a conversation, in the order of id. role: user, assistant, system.
CREATE TABLE conversation_turn (
  id INTEGER PRIMARY KEY,
  application INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX conversation_turn_by_conversation ON conversation_turn (application, conversation_id);
