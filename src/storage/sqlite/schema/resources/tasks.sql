-- figure_status and the levels repeat what the task's metrics amount to, and schedule_criticality its schedule, so that lists
-- filter by them without reading other tables.
CREATE TABLE task (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT NOT NULL,
  status TEXT NOT NULL,
  metadata TEXT,
  simulated_prompt_schema TEXT,
  topic_id TEXT,
  quickstart_id TEXT,
  is_verified INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  figure_status TEXT NOT NULL DEFAULT 'no-tests',
  confidence_level TEXT,
  stability_level TEXT,
  health_level TEXT,
  schedule_criticality TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX task_by_topic ON task (application, topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX task_by_application ON task (application, created_at, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_modification ON task (application, modified_at, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_title ON task (application, title, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_type ON task (application, type, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_status ON task (application, status, id, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_id ON task (application, id, status, figure_status, confidence_level, stability_level, health_level,
  topic_id, schedule_criticality);
CREATE INDEX task_by_quickstart ON task (application, quickstart_id, status, title)
  WHERE quickstart_id IS NOT NULL;

-- criticality: HIGH, MEDIUM, LOW. cron: NULL unless the time of runs was set.
