-- Verdicts and notes of people on traces. verdict: 1 = pass; NULL for a note and for one who is unsure.
-- eval_definition_id: the criterion that the verdict is about; NULL = the complete trace. score: on the scale of that definition.
-- trace_id: 16 bytes. corrected_output: JSON. criteria: JSON, verdicts by the criteria of a queue.
-- part_of: the annotation with the criteria, for a verdict by one of them.
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
  unsure INTEGER NOT NULL DEFAULT 0,
  criteria TEXT,
  part_of TEXT
) STRICT;
CREATE INDEX human_annotation_by_id
  ON human_annotation (application, id, verdict, annotator_id, source, eval_definition_id, created_at);
CREATE INDEX human_annotation_by_creation
  ON human_annotation (application, created_at, id, verdict, annotator_id, source, eval_definition_id, modified_at);
CREATE INDEX human_annotation_by_change
  ON human_annotation (application, modified_at, id, verdict, annotator_id, source, eval_definition_id, created_at);
CREATE INDEX human_annotation_by_trace ON human_annotation (application, trace_id, created_at, id);
-- What people said of one criterion, for its reliability.
CREATE INDEX human_annotation_by_criterion
  ON human_annotation (application, eval_definition_id, created_at, id, trace_id, annotator_id, verdict, unsure);
CREATE INDEX human_annotation_by_queue_item
  ON human_annotation (application, queue_item_id, id) WHERE queue_item_id IS NOT NULL;

-- Verdicts of people on traces that were drawn at random and deleted later, without their words. verdict: 0.5 = unsure.
-- eval_definition_id: empty for the complete trace.
CREATE TABLE deleted_verdict (
  application INTEGER NOT NULL,
  trace_id BLOB NOT NULL,
  eval_definition_id TEXT NOT NULL,
  annotator_id TEXT NOT NULL,
  verdict REAL NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (application, eval_definition_id, trace_id, annotator_id)
) STRICT, WITHOUT ROWID;
-- Criteria on which people judged traces of draws that name no definition, also if they deleted their verdicts.
CREATE TABLE asked_criterion (
  application INTEGER NOT NULL,
  eval_definition_id TEXT NOT NULL,
  PRIMARY KEY (application, eval_definition_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX human_annotation_parts ON human_annotation (application, part_of) WHERE part_of IS NOT NULL;
