ALTER TABLE example ADD COLUMN origin BLOB;
CREATE INDEX example_by_origin ON example (application, origin) WHERE origin IS NOT NULL;
UPDATE example SET origin = coalesce(trace_id, CASE WHEN length(key) = 42 THEN unhex(substr(key, 7), '-') END)
WHERE trace_id IS NOT NULL OR key > 'trace:' AND key < 'trace;';
