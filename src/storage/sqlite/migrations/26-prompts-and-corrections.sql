ALTER TABLE judge_call RENAME COLUMN eval_id TO subject_id;
ALTER TABLE judge_call ADD COLUMN prompt_hash TEXT;
CREATE TABLE judge_prompt (
  application INTEGER NOT NULL,
  hash TEXT NOT NULL,
  system TEXT NOT NULL,
  PRIMARY KEY (application, hash)
) STRICT, WITHOUT ROWID;
ALTER TABLE run ADD COLUMN prompt_seed INTEGER;
CREATE INDEX example_by_trace ON example (application, trace_id) WHERE trace_id IS NOT NULL;
ALTER TABLE human_annotation ADD COLUMN corrected_output TEXT;
-- From now on, examples forget a trace when it is deleted.
UPDATE example SET trace_id = NULL WHERE trace_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM trace WHERE trace.application = example.application AND trace.trace_id = example.trace_id);
