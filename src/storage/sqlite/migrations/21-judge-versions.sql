ALTER TABLE eval ADD COLUMN judge_version TEXT;
ALTER TABLE definition ADD COLUMN gate_min_annotations INTEGER;
UPDATE definition SET gate_min_annotations = 30 WHERE gate_min_kappa IS NOT NULL;
CREATE INDEX eval_by_judge ON eval (application, definition_id, definition_version, created_at, judge_version, test_id, trace_id,
  version, passed) WHERE status = 'COMPLETED';
