ALTER TABLE purge ADD COLUMN session_id TEXT;
CREATE INDEX eval_of_session ON eval (application, trace_id)
  WHERE test_id IS NULL AND definition_type IN ('CONVERSATION', 'HTTP');
