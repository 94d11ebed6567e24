-- Traces for people to judge. selection: how the trace was chosen: RANDOM, RANDOM_PART, MANUAL, FAILED. trace_id: 16 bytes.
-- drawn_at, place: when a draw from all traces chose this one at random, and its place in that draw; NULL if none did.
-- weight: number of traces that it stands for, relative to others; 1 unless the draw preferred some.
-- draw_id: the draw; NULL for those of earlier versions. eval_definition_id: the definition that the draw names, or NULL.
-- reviews: number of people who have judged it; is_disputed: 1 if they differ. leased_until: end of the last lease.
CREATE TABLE annotation_queue_item (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  queue_id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  selection TEXT NOT NULL,
  completed_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  drawn_at INTEGER,
  place INTEGER,
  weight REAL,
  draw_id TEXT,
  eval_definition_id TEXT,
  reviews INTEGER NOT NULL DEFAULT 0,
  is_disputed INTEGER NOT NULL DEFAULT 0,
  leased_until INTEGER
) STRICT, WITHOUT ROWID;
-- One index per order of the list, with every column that the list filters by, so that deep pages read nothing else.
CREATE INDEX annotation_queue_item_by_id
  ON annotation_queue_item (application, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_creation
  ON annotation_queue_item (application, created_at, id, queue_id, completed_at, expires_at);
CREATE INDEX annotation_queue_item_by_expiry
  ON annotation_queue_item (application, expires_at, id, queue_id, completed_at);
CREATE INDEX annotation_queue_item_by_trace
  ON annotation_queue_item (application, trace_id, id, queue_id, completed_at, expires_at);
-- Items that are not completed come last in both directions.
CREATE INDEX annotation_queue_item_by_completion
  ON annotation_queue_item (application, completed_at IS NULL, completed_at, id, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_completion_down
  ON annotation_queue_item (application, completed_at IS NULL, completed_at DESC, id DESC, queue_id, expires_at);
CREATE INDEX annotation_queue_item_by_queue
  ON annotation_queue_item (application, queue_id, created_at, id, completed_at, expires_at, reviews, is_disputed, leased_until);
-- What was drawn at random, in the order of the draws.
CREATE INDEX annotation_queue_item_drawn ON annotation_queue_item (application, drawn_at, place, id) WHERE drawn_at IS NOT NULL;

-- Random draws. filter: JSON of what the request named. population: number of traces of which it drew. offered: the same
-- without the dates, the task, the run and the run set of the request. drawn: number of traces that it drew.
CREATE TABLE annotation_draw (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  queue_id TEXT NOT NULL,
  eval_definition_id TEXT,
  filter TEXT NOT NULL,
  population INTEGER NOT NULL,
  offered INTEGER NOT NULL,
  drawn INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX annotation_draw_by_queue ON annotation_draw (application, queue_id);

-- What is left of items that were drawn at random when their traces are deleted, so that no deletion changes a sample.
-- tests: JSON array of the ids of the tests of the trace.
CREATE TABLE deleted_item (
  application INTEGER NOT NULL,
  id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  tests TEXT NOT NULL,
  eval_definition_id TEXT,
  drawn_at INTEGER NOT NULL,
  place INTEGER NOT NULL,
  weight REAL NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
-- What a person has to do with an item. state: LEASED (until expires_at), JUDGED, SKIPPED, UNCLEAR (both at ended_at),
-- EXCLUDED (has seen the verdicts of others). verdicts: JSON, verdict by criterion: PASS, FAIL, UNSURE.
CREATE TABLE annotation_review (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  item_id TEXT NOT NULL,
  queue_id TEXT NOT NULL,
  trace_id BLOB NOT NULL,
  person TEXT NOT NULL,
  state TEXT NOT NULL,
  token TEXT,
  started_at INTEGER NOT NULL,
  expires_at INTEGER,
  ended_at INTEGER,
  annotation_id TEXT,
  verdicts TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX annotation_review_by_item ON annotation_review (application, item_id, person);
CREATE INDEX annotation_review_by_person ON annotation_review (application, person, queue_id, state);
CREATE INDEX annotation_review_by_queue ON annotation_review (application, queue_id, state, ended_at);
CREATE INDEX annotation_review_by_trace ON annotation_review (application, trace_id);
