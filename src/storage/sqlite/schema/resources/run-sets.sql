-- Everything that one CI build or one person started together. commit_id … author, metadata: what the caller says of it.
-- planned_tests: number of its tests; open_tests: those of them that have not ended, started or not.
-- repeat, prompt_seed, examples: what was requested. position: where to continue its start (JSON); NULL = all tests were started.
-- batch_examples: number of examples that are tested between two looks, in random order; NULL = all at once.
-- baseline_id: the run set it is compared with; baseline_runs: their runs, or other runs (JSON array of ids).
-- decision: the last one that was recorded, without texts (JSON). decided_at: when it was. used_at: when it last was a baseline of
-- a recorded decision. released_at: when retention removed the texts of its judges, once it was no longer pinned.
CREATE TABLE run_set (
  id TEXT PRIMARY KEY,
  application INTEGER NOT NULL,
  title TEXT,
  commit_id TEXT,
  branch TEXT,
  pull_request TEXT,
  build_url TEXT,
  author TEXT,
  metadata TEXT,
  status TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  prompt_seed INTEGER,
  examples TEXT,
  planned_tests INTEGER NOT NULL,
  open_tests INTEGER NOT NULL,
  position TEXT,
  baseline_id TEXT,
  baseline_runs TEXT,
  decision TEXT,
  decided_at INTEGER,
  used_at INTEGER,
  released_at INTEGER,
  batch_examples INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX run_set_by_creation ON run_set (application, created_at, id, status, branch);
CREATE INDEX run_set_by_modification ON run_set (application, modified_at, id, status, branch);
CREATE INDEX run_set_by_branch ON run_set (application, branch, status, created_at, id);
CREATE INDEX run_set_by_commit ON run_set (application, commit_id, status, created_at, id);
CREATE INDEX run_set_to_release ON run_set (application, created_at)
  WHERE released_at IS NULL AND (decided_at IS NOT NULL OR used_at IS NOT NULL);
CREATE INDEX run_set_pinned ON run_set (application, branch, created_at, id)
  WHERE decided_at IS NOT NULL OR used_at IS NOT NULL;

-- Definitions as they were when a run set was started. style_guide: JSON of its content.
-- judge_version: the judge of the newest eval of this version at that time; NULL if there was none.
-- gate_state: what its gate said of the judge then: PROVED, UNPROVED, LOST; NULL if no model judges by it. gate_judge: version of
-- the proved judge. gate_reason: why the gate was not valid.
CREATE TABLE run_set_definition (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  definition_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  repeats INTEGER NOT NULL,
  global_config TEXT NOT NULL,
  style_guide TEXT,
  judge_version TEXT,
  gate_state TEXT,
  gate_judge TEXT,
  gate_reason TEXT,
  PRIMARY KEY (application, run_set_id, definition_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_set_definition_by_definition ON run_set_definition (application, definition_id);

-- Definitions that applied to the tasks of a run set when it was started, in the order of place. config: JSON { expected? }.
CREATE TABLE run_set_link (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  definition_id TEXT NOT NULL,
  config TEXT NOT NULL,
  PRIMARY KEY (application, run_set_id, task_id, place)
) STRICT, WITHOUT ROWID;

-- Examples of the tasks of a run set when it was started, in the order of place. turn: random order over all tasks, from 0, of a run
-- set that tests in batches.
CREATE TABLE run_set_example (
  application INTEGER NOT NULL,
  run_set_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  example_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  turn INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (application, run_set_id, task_id, place)
) STRICT, WITHOUT ROWID;
