import { AppError } from '../../errors.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { cancelTest } from '../../deliver/delivery-store.ts';
import { checkTrigger, triggerTasks, type TriggerTasks } from '../../deliver/trigger.ts';
import { cancelJob, enqueueJob } from '../../jobs/store.ts';
import { CommandTime } from '../../storage/command-time.ts';
import type { Database } from '../../storage/database.ts';
import { each, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { withHooks } from '../../storage/operations.ts';
import type { RecordOf } from '../../storage/record.ts';
import { createdWithin, oneOfEach } from '../../storage/sql.ts';
import type { TestHooks } from '../../tests/store.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import { countCanaries, planCanaries, skipCanaries } from '../definitions/canary-store.ts';
import { tags } from '../tags/record.ts';
import { tasksThat } from '../tasks/filter.ts';
import { topics } from '../topics/record.ts';
import { findBaseline } from './baseline.ts';
import type { CreateRunSetBody, RunSet, RunSetsQuery, RunSetSnapshot } from './contract.ts';
import { type FixedGate, gatesOfToday } from '../definitions/fixed-gates.ts';
import { startNextBatch } from './batches.ts';
import { recountOpenTests } from './open-tests.ts';
import { runSets } from './record.ts';
import { fixSnapshot, snapshotOfRunSet } from './snapshot.ts';

/** Kind of the jobs that start the tests of a run set that are left. The key of a job is its id. */
export const START_RUN_SET = 'start-run-set';

/** Most tasks of a run set. */
const MAX_TASKS = 1_000;
/** Most tests that one command cancels. */
const STEP_CANCELS = 200;

interface CreateRunSet extends ById {
  fields: CreateRunSetBody;
  promptSeed: number | null;
  /** Gates of definitions, from `gatesToFix`. */
  gates: readonly FixedGate[];
  at: number;
}

/**
 * Creates a run set, fixes what its tests are judged by, and starts the first of them; a job starts the others. Throws
 * `bad_request`, `not_found` and `conflict` before anything is stored.
 */
function createRunSet(
  database: Database,
  { owner, id, fields, promptSeed, gates, at }: CreateRunSet,
): RunSet {
  const { application } = owner;
  const {
    taskIds: _,
    filter: _filter,
    baseline: text,
    commit,
    promptSeed: _seed,
    untilSure,
    ...rest
  } = fields;
  const { repeat, branch } = fields;
  const examples = fields.examples ?? undefined;
  const taskIds = chosenTaskIds(database, application, fields);
  const trigger = { ...triggerOf({ application, id, at }, { examples, repeat, promptSeed }), taskIds };
  // Without `runSetId`, tasks whose prompts a model writes are rejected.
  const wanted = checkTrigger(database, untilSure ? { ...trigger, runSetId: undefined } : trigger);
  const plannedTests = untilSure ? 0 : wanted;
  const comparer = { application, id, branch, startedAt: at };
  const baseline = text === undefined ? null : findBaseline(database, comparer, text);
  runSets.insert(
    database,
    { application, at },
    {
      ...rest,
      id,
      commitId: commit,
      promptSeed,
      status: 'RUNNING',
      plannedTests,
      openTests: plannedTests,
      baselineId: baseline?.runSetId ?? null,
      baselineRuns: baseline?.runIds ?? null,
      position: untilSure ? null : { taskIds, next: { task: 0, tests: 0, runId: null } },
      batchExamples: untilSure?.batch ?? null,
    },
  );
  const random = untilSure?.max;
  fixSnapshot(database, { application, runSetId: id, taskIds, examples, repeat, random, gates });
  planCanaries(database, { application, runSetId: id, at });
  if (untilSure) startNextBatch(database, { application, id, at });
  else if (continueRunSet(database, { application, id, at }))
    enqueueJob(database, { application, kind: START_RUN_SET, key: id, dueAt: at, at });
  return getRunSet(database, { owner, id });
}

/** Returns the ids of the tasks that a run set tests, each once. Throws `not_found` and `bad_request`. */
function chosenTaskIds(
  database: Database,
  application: number,
  { taskIds = [], filter }: CreateRunSetBody,
): string[] {
  const found = new Set(taskIds);
  if (filter) {
    topics.requireAll(database, application, filter.topicId ?? []);
    tags.requireAll(database, application, filter.tagId ?? []);
    const where = tasksThat(database, { application, filter: { ...filter, taskStatus: ['ACTIVE'] } });
    const rows = database.all<{ id: string }>(
      `SELECT id FROM task WHERE application = ? AND ${where.map(({ sql }) => `(${sql})`).join(' AND ')}
       ORDER BY title, id LIMIT ${MAX_TASKS + 1}`,
      application,
      ...where.flatMap(({ values }) => values),
    );
    for (const { id } of rows) found.add(id);
  }
  if (found.size === 0) throw new AppError('bad_request', '`filter` selects no active task');
  if (found.size > MAX_TASKS)
    throw new AppError('bad_request', `A run set has at most ${MAX_TASKS} tasks; got ${found.size}`);
  return [...found];
}

const triggerOf = (
  { application, id, at }: OfRunSet & { at: number },
  { examples, repeat, promptSeed }: Pick<TriggerTasks, 'examples' | 'repeat' | 'promptSeed'>,
): Omit<TriggerTasks, 'taskIds'> => ({
  application,
  examples,
  repeat,
  promptSeed,
  runSetId: id,
  type: 'MANUAL',
  experiment: null,
  at,
});

interface OfRunSet {
  application: number;
  id: string;
}

const progress = runSets.pick('id', 'status', 'openTests');
const starts = runSets.pick('id', 'status', 'position', 'examples', 'repeat', 'promptSeed');

/** Starts some of the tests of a run set that are left; returns whether there are more. */
function continueRunSet(database: Database, { application, id, at }: OfRunSet & { at: number }): boolean {
  const set = starts.find(database, application, id);
  if (!set || set.position === null) return false;
  const { taskIds, next: from } = set.position;
  const args = triggerOf({ application, id, at }, { ...set, examples: set.examples ?? undefined });
  const next = set.status === 'CANCELLED' ? null : triggerTasks(database, { ...args, taskIds, from }).next;
  starts.update(database, { application, id, at }, { position: next && { taskIds, next } });
  if (next === null) recountOpenTests(database, { application, id, at });
  return next !== null;
}

/**
 * Cancels some of the tests of a run set; returns the ids of those that were, and whether there are more. Throws `not_found`,
 * and at the first step `conflict` for one that has ended: between steps, the last tests may end.
 */
function cancelRunSet(
  database: Database,
  { application, id, at, isFirst }: OfRunSet & { at: number; isFirst: boolean },
  hooks: TestHooks,
): { testIds: string[]; hasMore: boolean } {
  const { status, openTests } = progress.require(database, application, id);
  if (status !== 'RUNNING' && openTests === 0) {
    if (isFirst) throw new AppError('conflict', `The run set is already ${status}`);
    return { testIds: [], hasMore: false };
  }
  if (status !== 'CANCELLED') {
    starts.update(database, { application, id, at }, { status: 'CANCELLED', position: null });
    cancelJob(database, { kind: START_RUN_SET, key: id });
    recountOpenTests(database, { application, id, at });
    skipCanaries(database, { application, runSetId: id });
  }
  const some = database.all<{ id: string }>(
    `SELECT test.id FROM run JOIN test ON test.application = run.application AND test.run_id = run.id
     WHERE run.application = :application AND run.run_set_id = :id AND test.status IN ('PENDING', 'IN_PROGRESS')
     LIMIT ${STEP_CANCELS}`,
    { application, id },
  );
  const time = new CommandTime();
  const testIds: string[] = [];
  for (const { id: testId } of some) {
    if (testIds.length > 0 && time.isOver) return { testIds, hasMore: true };
    cancelTest(database, { application, id: testId, at }, hooks);
    testIds.push(testId);
  }
  return { testIds, hasMore: testIds.length === STEP_CANCELS };
}

/** Returns a run set; throws `not_found`. */
export function getRunSet(database: Database, { owner, id }: ById): RunSet {
  const [found] = shownRunSets(database, owner, [runSets.get(database, { owner, id })]);
  return found as RunSet;
}

/** Returns what a run set has fixed; throws `not_found`. */
function getRunSetSnapshot(database: Database, { owner: { application }, id }: ById): RunSetSnapshot {
  progress.require(database, application, id);
  return snapshotOfRunSet(database, { application, runSetId: id });
}

function listRunSets(
  database: Database,
  { owner, query }: { owner: Owner; query: RunSetsQuery },
): ListOf<RunSet> {
  const { status, branch, commit, startDate, endDate, ...page } = query;
  const where = [
    ...oneOfEach({ status, branch, commit_id: commit }),
    ...createdWithin({ startDate, endDate }),
  ];
  const { data, pagination } = runSets.list(database, owner, { where, page });
  return { data: shownRunSets(database, owner, data), pagination };
}

interface Sums {
  runIds: string[];
  passed: number;
  total: number;
  rates: number;
  counted: number;
  scores: number;
  scored: number;
}

function shownRunSets(
  database: Database,
  { application }: Owner,
  records: readonly RecordOf<typeof runSets>[],
): RunSet[] {
  const ids = records.map(({ id }) => id);
  const sums = sumsOfSets(database, application, ids);
  const examples = countExamples(database, application, ids);
  const canaries = countCanaries(database, { application, runSetIds: ids });
  return records.map((record) => {
    const {
      commitId: commit,
      plannedTests,
      openTests,
      position: _position,
      promptSeed: _seed,
      examples: _examples,
      baselineRuns: _runs,
      decidedAt: _decidedAt,
      usedAt: _usedAt,
      batchExamples,
      ...rest
    } = record;
    const { runIds, passed, total, rates, counted, scores, scored } = sums.get(record.id) ?? NO_SUMS_OF_SET;
    return {
      ...rest,
      commit,
      runIds,
      tests: { total: plannedTests, open: openTests },
      canaries: canaries.get(record.id) ?? { total: 0, open: 0 },
      examples: examples.get(record.id) ?? 0,
      untilSure: batchExamples === null ? null : { batch: batchExamples, tested: plannedTests },
      result: {
        passed,
        failed: total - passed,
        total,
        passRate: counted === 0 ? null : percent(settled(rates / counted)),
        averageScore: scored === 0 ? null : settled(scores / scored),
      },
    };
  });
}

const NO_SUMS_OF_SET: Sums = { runIds: [], passed: 0, total: 0, rates: 0, counted: 0, scores: 0, scored: 0 };

const countExamples = (
  database: Database,
  application: number,
  ids: readonly string[],
): Map<string, number> =>
  new Map(
    database
      .all<{ id: string; n: number }>(
        `SELECT run_set_id AS id, count(*) AS n FROM run_set_example
         WHERE application = :application AND run_set_id IN ${valuesOf(':ids')} GROUP BY run_set_id`,
        { application, ids: JSON.stringify(ids) },
      )
      .map(({ id, n }) => [id, n]),
  );

/** Returns the runs of run sets, and the sums over their tests and evals. */
function sumsOfSets(database: Database, application: number, ids: readonly string[]): Map<string, Sums> {
  const ofSets = database.all<{ id: string; runSetId: string }>(
    `SELECT run.id, run_set_id AS "runSetId" FROM ${each(':ids')} ${orderedJoin} run
     ON run.application = :application AND run_set_id = value ORDER BY created_at, run.id`,
    { application, ids: JSON.stringify(ids) },
  );
  const runIds = JSON.stringify(ofSets.map(({ id }) => id));
  const ofRuns = (condition: string): string =>
    `FROM ${each(':runIds')} ${orderedJoin} ${condition} GROUP BY value`;
  const tests = database.all<Omit<Sums, 'runIds' | 'scores' | 'scored'> & { id: string }>(
    `SELECT value AS id, sum(counted_passed) AS passed, sum(counted_evals) AS total, count(*) AS counted,
       sum(1.0 * counted_passed / counted_evals) AS rates
     ${ofRuns('test ON test.application = :application AND run_id = value WHERE counted_evals > 0')}`,
    { application, runIds },
  );
  const evals = database.all<Pick<Sums, 'scores' | 'scored'> & { id: string }>(
    `SELECT value AS id, sum(normalised) AS scores, count(*) AS scored
     ${ofRuns(`eval ON eval.application = :application AND run_id = value WHERE superseded = 0 AND status = 'COMPLETED'`)}`,
    { application, runIds },
  );
  const testsOf = new Map(tests.map((row) => [row.id, row]));
  const evalsOf = new Map(evals.map((row) => [row.id, row]));
  const sums = new Map<string, Sums>();
  for (const { id, runSetId } of ofSets) {
    const before = sums.get(runSetId) ?? NO_SUMS_OF_SET;
    const added = { ...NO_SUMS_OF_SET, ...testsOf.get(id), ...evalsOf.get(id) };
    sums.set(runSetId, {
      runIds: [...before.runIds, id],
      passed: before.passed + added.passed,
      total: before.total + added.total,
      rates: before.rates + added.rates,
      counted: before.counted + added.counted,
      scores: before.scores + added.scores,
      scored: before.scored + added.scored,
    });
  }
  return sums;
}

export const runSetCommands = (hooks: TestHooks) => ({
  createRunSet,
  continueRunSet,
  cancelRunSet: withHooks(hooks)(cancelRunSet),
  startNextBatch,
});
export const runSetQueries = { gatesToFix: gatesOfToday, getRunSet, getRunSetSnapshot, listRunSets };
