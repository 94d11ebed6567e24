ALTER TABLE erasure ADD COLUMN other_forms TEXT;
