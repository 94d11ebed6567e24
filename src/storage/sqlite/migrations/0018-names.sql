-- A column is called as the field of the record.
ALTER TABLE task RENAME COLUMN prompt_schema TO simulated_prompt_schema;
