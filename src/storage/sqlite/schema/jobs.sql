-- Jobs to run; a finished job is deleted. state: waiting, running, dead.
-- lease: of the process that runs the job.
-- begun: 1 if the current run counts as an attempt when the process dies; 0 while it waits for a slot.
-- cuts: number of times a process died while the job was running.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  lease INTEGER,
  reason TEXT,
  created_at INTEGER NOT NULL,
  begun INTEGER NOT NULL DEFAULT 1,
  cuts INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX job_waiting ON job (kind, application, due_at) WHERE state = 'waiting';
CREATE INDEX job_running ON job (lease) WHERE state = 'running';
CREATE INDEX job_dead ON job (application, created_at) WHERE state = 'dead';

-- Processes that run jobs. expires_at: in Unix milliseconds; unless it is renewed until then, the jobs of the lease run again
-- elsewhere.
CREATE TABLE job_lease (lease INTEGER PRIMARY KEY AUTOINCREMENT, expires_at INTEGER NOT NULL) STRICT;
