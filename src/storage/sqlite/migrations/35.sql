ALTER TABLE test ADD COLUMN trace_deleted INTEGER NOT NULL DEFAULT 0;

-- Tests that had spans, none of whose traces is left.
UPDATE test SET trace_deleted = 1
WHERE last_span_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM trace_test JOIN trace USING (tkey)
  WHERE trace_test.application = test.application AND test_id = unhex(test.id, '-'));

ALTER TABLE user_login ADD COLUMN address TEXT;
ALTER TABLE user_login ADD COLUMN user_agent TEXT;
ALTER TABLE audit_entry ADD COLUMN detail TEXT;
CREATE TABLE known_browser (
  token_hash BLOB PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user_account (id),
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_browser_by_user ON known_browser (user_id, used_at);
CREATE INDEX known_browser_by_expiry ON known_browser (expires_at);

ALTER TABLE erasure ADD COLUMN other_forms TEXT;

ALTER TABLE erasure ADD COLUMN copies TEXT;

CREATE TABLE copied_trace (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  user_hash TEXT,
  session_hash TEXT,
  PRIMARY KEY (application, trace_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX copied_trace_by_user ON copied_trace (application, user_hash) WHERE user_hash IS NOT NULL;
CREATE INDEX copied_trace_by_session ON copied_trace (application, session_hash) WHERE session_hash IS NOT NULL;

ALTER TABLE example ADD COLUMN origin BLOB;
CREATE INDEX example_by_origin ON example (application, origin) WHERE origin IS NOT NULL;
UPDATE example SET origin = coalesce(trace_id, CASE WHEN length(key) = 42 THEN unhex(substr(key, 7), '-') END)
WHERE trace_id IS NOT NULL OR key > 'trace:' AND key < 'trace;';

ALTER TABLE user_login ADD COLUMN browser_hash BLOB;

CREATE INDEX span_log_by_trace ON span_log (application, tkey);
-- Days whose traces have log records are counted again, with them.
UPDATE stored_day SET measured_at = 0
WHERE EXISTS (
  SELECT 1 FROM span_log WHERE span_log.application = stored_day.application
    AND tkey >= day * 134217728 AND tkey < (day + 1) * 134217728);

ALTER TABLE tombstone ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;

-- Names and keys by which records are found are stored in Unicode NFC. Where two records differ in nothing else, the second keeps its own.
UPDATE OR IGNORE example SET key = nfc(key) WHERE key IS NOT NULL AND key <> nfc(key);
UPDATE OR IGNORE inference_step SET external_id = nfc(external_id) WHERE external_id <> nfc(external_id);
UPDATE OR IGNORE saved_view SET name = nfc(name) WHERE name <> nfc(name);

ALTER TABLE judge_call ADD COLUMN fingerprint TEXT;

ALTER TABLE definition ADD COLUMN gate_max_age_days INTEGER;
UPDATE definition SET gate_max_age_days = 90 WHERE gate_min_kappa IS NOT NULL;
ALTER TABLE definition ADD COLUMN is_overall INTEGER NOT NULL DEFAULT 0;

ALTER TABLE annotation_queue_item ADD COLUMN drawn_at INTEGER;
ALTER TABLE annotation_queue_item ADD COLUMN place INTEGER;
ALTER TABLE annotation_queue_item ADD COLUMN weight REAL;
UPDATE annotation_queue_item SET drawn_at = created_at, place = 0, weight = 1 WHERE selection = 'RANDOM';
CREATE INDEX annotation_queue_item_drawn ON annotation_queue_item (application, drawn_at, place, id) WHERE drawn_at IS NOT NULL;

-- The verdict may be NULL: the table is made again.
DROP INDEX human_annotation_by_id;
DROP INDEX human_annotation_by_creation;
DROP INDEX human_annotation_by_change;
DROP INDEX human_annotation_by_trace;
DROP INDEX human_annotation_by_queue_item;
ALTER TABLE human_annotation RENAME TO annotation_before;
CREATE TABLE human_annotation (
  id TEXT NOT NULL PRIMARY KEY,
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  verdict INTEGER,
  critique TEXT,
  annotator_id TEXT NOT NULL,
  source TEXT NOT NULL,
  queue_item_id TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  corrected_output TEXT,
  eval_definition_id TEXT,
  score REAL,
  unsure INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO human_annotation (id, application, trace_id, verdict, critique, annotator_id, source, queue_item_id, created_at,
  modified_at, corrected_output)
SELECT id, application, trace_id, verdict, critique, annotator_id, source, queue_item_id, created_at, modified_at, corrected_output
FROM annotation_before;
DROP TABLE annotation_before;
CREATE INDEX human_annotation_by_id
  ON human_annotation (application, id, verdict, annotator_id, source, eval_definition_id, created_at);
CREATE INDEX human_annotation_by_creation
  ON human_annotation (application, created_at, id, verdict, annotator_id, source, eval_definition_id, modified_at);
CREATE INDEX human_annotation_by_change
  ON human_annotation (application, modified_at, id, verdict, annotator_id, source, eval_definition_id, created_at);
CREATE INDEX human_annotation_by_trace ON human_annotation (application, trace_id, created_at, id);
CREATE INDEX human_annotation_by_criterion
  ON human_annotation (application, eval_definition_id, created_at, id, trace_id, annotator_id, verdict, unsure);
CREATE INDEX human_annotation_by_queue_item
  ON human_annotation (application, queue_item_id, id) WHERE queue_item_id IS NOT NULL;
