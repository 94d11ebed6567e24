-- begun: whether the run under way counts as an attempt when the process dies; 0 while it waits for its turn.
-- cuts: how often a process died while the job was running.
ALTER TABLE job ADD COLUMN begun INTEGER NOT NULL DEFAULT 1;
ALTER TABLE job ADD COLUMN cuts INTEGER NOT NULL DEFAULT 0;
