-- One definition applied to one test, or to one trace that no test asked for (then test_id is NULL). Of each pair one row is
-- current; those that a newer version took the place of are superseded.
-- trace_id: 16 bytes; of a test the first of its traces. run_type: of a trace without a test MONITORING.
-- status: PENDING, IN_PROGRESS, COMPLETED, FAILED, SKIPPED; the last three are final.
-- score: on the scale of the definition's type; normalised: on a scale from 0 to 1. results, judge: JSON objects.
CREATE TABLE eval (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  definition_type TEXT NOT NULL,
  test_id TEXT,
  trace_id BLOB,
  task_id TEXT,
  run_id TEXT,
  run_type TEXT NOT NULL,
  status TEXT NOT NULL,
  score REAL,
  normalised REAL,
  passed INTEGER,
  version INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  cost REAL,
  latency_ms INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  input_hash TEXT NOT NULL,
  reason TEXT,
  results TEXT,
  judge TEXT,
  CHECK (test_id IS NOT NULL OR trace_id IS NOT NULL)
) STRICT;
-- Texts make rows of evals long: these hold all that lists are filtered by.
CREATE INDEX eval_by_creation ON eval (application, created_at, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_modification ON eval (application, modified_at, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_status ON eval (application, status, id, superseded, definition_type, passed);
CREATE INDEX eval_by_id ON eval (application, id, superseded, status, definition_type, passed);
CREATE INDEX eval_by_task ON eval (application, task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX eval_by_trace ON eval (application, trace_id, definition_id, superseded, id) WHERE trace_id IS NOT NULL;
-- And these, all that figures are worked out from.
CREATE INDEX eval_by_run ON eval (application, run_id, definition_id, superseded, status, test_id, passed, normalised, id)
  WHERE run_id IS NOT NULL;
CREATE INDEX eval_by_test ON eval (application, test_id, definition_id, superseded, status, definition_version, passed, normalised,
  id) WHERE test_id IS NOT NULL;
CREATE INDEX eval_by_definition ON eval (application, definition_id, created_at, superseded, status, run_type, test_id, trace_id,
  passed, id);
CREATE INDEX eval_of_monitoring ON eval (application, task_id, created_at, superseded, status, test_id, trace_id, passed, id)
  WHERE run_type = 'MONITORING';

-- Of a test: its current evals that are COMPLETED, and how many of them passed.
ALTER TABLE test ADD COLUMN finished_evals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE test ADD COLUMN passed_evals INTEGER NOT NULL DEFAULT 0;
-- What a test adds to pass rates, kept by the trigger test_counts. has_error: it failed in a way that says nothing of the app.
ALTER TABLE test ADD COLUMN counted_evals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE test ADD COLUMN counted_passed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE test ADD COLUMN has_error INTEGER NOT NULL DEFAULT 0;

-- Prompts make rows of tests long: what is counted of them is read from these alone.
DROP INDEX test_by_task;
CREATE INDEX test_by_task ON test (application, task_id, created_at, id, run_type, status, counted_evals, counted_passed, has_error,
  example_index);
DROP INDEX test_by_run;
CREATE INDEX test_by_run ON test (application, run_id, created_at, id, status, counted_evals, counted_passed);
DROP INDEX test_by_application;
CREATE INDEX test_by_application ON test (application, created_at, id, status, phase, run_type, task_id);
DROP INDEX test_by_modification;
CREATE INDEX test_by_modification ON test (application, modified_at, id, status, phase, run_type, task_id, created_at);
CREATE INDEX test_by_id ON test (application, id, status, phase, run_type, task_id, created_at);

DROP INDEX run_by_application;
CREATE INDEX run_by_application ON run (application, created_at, id, type, task_id);
CREATE INDEX run_by_modification ON run (application, modified_at, id, type, task_id, created_at);
CREATE INDEX run_by_type ON run (application, type, id, task_id, created_at);
CREATE INDEX run_by_id ON run (application, id, type, task_id, created_at);

-- What the tests and evals that count say of a task, a topic or a definition (kind). Rates and deviations: 0 to 1.
-- due_at: when it has to be worked out anew, since something changed or leaves the time that counts; NULL = never.
-- ready_at: what takes long to work out is not worked out again before. version: grows whenever something changes.
CREATE TABLE figure (
  application INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  tests INTEGER NOT NULL DEFAULT 0,
  pass_rate REAL,
  error_rate REAL,
  monitoring_pass_rate REAL,
  health INTEGER,
  deviation REAL,
  due_at INTEGER DEFAULT 0,
  ready_at INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (application, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_due ON figure (due_at) WHERE due_at IS NOT NULL;

-- How the figures of a task are judged, here too so that lists can be filtered by it without reading anything else.
ALTER TABLE task ADD COLUMN figure_status TEXT NOT NULL DEFAULT 'no-tests';
ALTER TABLE task ADD COLUMN confidence_level TEXT;
ALTER TABLE task ADD COLUMN stability_level TEXT;
ALTER TABLE task ADD COLUMN health_level TEXT;
-- That of its schedule, likewise.
ALTER TABLE task ADD COLUMN schedule_criticality TEXT;
UPDATE task SET schedule_criticality = (SELECT criticality FROM task_schedule WHERE task_id = task.id);
DROP INDEX task_schedule_by_application;
DROP INDEX task_by_application;
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

-- Whatever ends a test, takes it up again or changes its evals. When it is COMPLETED its finished evals count; when it
-- failed by the app's fault it counts as one that did not pass. Figures are due then; evals of monitoring count before the end.
CREATE TRIGGER test_counts AFTER UPDATE OF status, failure, finished_evals, passed_evals ON test
WHEN OLD.status IN ('COMPLETED', 'FAILED') OR NEW.status IN ('COMPLETED', 'FAILED') OR NEW.run_type = 'MONITORING'
BEGIN
  UPDATE test SET (counted_evals, counted_passed, has_error) = (
    SELECT
      CASE WHEN NEW.status = 'COMPLETED' THEN NEW.finished_evals ELSE by_app END,
      CASE WHEN NEW.status = 'COMPLETED' THEN NEW.passed_evals ELSE 0 END,
      NEW.status = 'FAILED' AND NOT by_app
    FROM (SELECT NEW.status = 'FAILED'
      AND coalesce(NEW.failure ->> 'code' IN ('webhook_status', 'webhook_timeout', 'trace_missing'), FALSE) AS by_app))
  WHERE id = NEW.id;
  INSERT INTO figure (application, kind, id)
    SELECT NEW.application, 'task', NEW.task_id WHERE NEW.run_type <> 'EXPERIMENT'
    UNION ALL
    SELECT application, 'topic', topic_id FROM task
    WHERE application = NEW.application AND id = NEW.task_id AND topic_id IS NOT NULL AND NEW.run_type <> 'EXPERIMENT'
    UNION ALL
    SELECT DISTINCT application, 'definition', definition_id FROM eval
    WHERE application = NEW.application AND test_id = NEW.id AND NEW.run_type <> 'EXPERIMENT'
  ON CONFLICT DO UPDATE SET due_at = ready_at, version = version + 1;
END;

CREATE TRIGGER new_test_counts AFTER INSERT ON test WHEN NEW.status IN ('COMPLETED', 'FAILED')
BEGIN
  UPDATE test SET status = status WHERE id = NEW.id;
END;

CREATE TRIGGER moved_task_makes_figures_due AFTER UPDATE OF topic_id ON task WHEN OLD.topic_id IS NOT NEW.topic_id
BEGIN
  INSERT INTO figure (application, kind, id)
    SELECT NEW.application, 'topic', value FROM json_each(json_array(OLD.topic_id, NEW.topic_id)) WHERE value IS NOT NULL
  ON CONFLICT DO UPDATE SET due_at = ready_at, version = version + 1;
END;

-- Tests that ended before anything was counted.
UPDATE test SET status = status WHERE status = 'FAILED';
