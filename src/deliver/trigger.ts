import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { enqueueJob } from '../jobs/store.ts';
import type { Database } from '../storage/database.ts';
import type { RunType } from '../tests/states.ts';
import { insertRun, insertTest, type NewTest } from '../tests/store.ts';
import { DELIVER } from './delivery-store.ts';
import { promptObjectOf, promptsOf } from './payload.ts';

/** Most tests that one trigger may start. */
const MAX_TESTS = 10_000;
/** Most tests that one command starts; each takes the writer about 0.1 ms. */
export const STEP_TESTS = 500;
/** Limit of characters of tests that one command stores; a single test may exceed it. */
const STEP_CHARACTERS = 4 * 1024 * 1024;

/** Experiment of the tests of a variant, as it appears in the payload. */
export interface ExperimentOfTests {
  experimentId: string;
  experimentVariantId: string;
  overrides: unknown;
}

export interface TriggerTasks {
  application: number;
  taskIds: readonly string[];
  /** Number of tests of each task. */
  repeat: number;
  type: Exclude<RunType, 'MONITORING'>;
  /** Experiment of the tests; null when they are part of none. */
  experiment: ExperimentOfTests | null;
  /** Time of the trigger, in Unix milliseconds. */
  at: number;
  /** Position to continue at. Without it, the command begins with the first test. */
  from?: TriggerPosition;
}

/** Progress of a trigger: position of the next test. */
export interface TriggerPosition {
  /** Index of the next task. */
  task: number;
  /** Number of its tests that were started, and their run. */
  tests: number;
  runId: string | null;
}

export interface StartedRun {
  runId: string;
  taskId: string;
  testIds: string[];
}

export interface StartedTests {
  /** Runs that were started or continued, with the tests of this command. */
  runs: StartedRun[];
  /** Position to continue at; null when all tests have been started. */
  next: TriggerPosition | null;
}

interface TaskRow {
  id: string;
  title: string;
  description: string;
  inputExamples: string;
  metadata: string | null;
  promptSchema: string | null;
}

/** Tests and characters that one command may still use. */
interface Budget {
  tests: number;
  characters: number;
}

const isSpent = ({ tests, characters }: Budget): boolean => tests <= 0 || characters <= 0;

/**
 * Starts some of the tests of tasks. The first command throws `bad_request`, `not_found` and `conflict` before it
 * stores anything. Later commands skip tasks that were deleted in the meantime, and still start tasks that were
 * archived.
 */
export function triggerTasks(database: Database, args: TriggerTasks): StartedTests {
  if (!args.from) checkTrigger(database, args);
  const taskIds = [...new Set(args.taskIds)];
  const budget = { tests: STEP_TESTS, characters: STEP_CHARACTERS };
  const runs: StartedRun[] = [];
  let { task: index, tests, runId }: TriggerPosition = args.from ?? { task: 0, tests: 0, runId: null };
  for (; index < taskIds.length; [index, tests, runId] = [index + 1, 0, null]) {
    if (isSpent(budget)) return { runs, next: { task: index, tests, runId } };
    const task = findTask(database, args.application, taskIds[index] as string);
    if (!task) continue;
    const run = startRun(database, args, { task, runId, from: tests }, budget);
    runs.push(run);
    tests += run.testIds.length;
    if (tests < args.repeat) return { runs, next: { task: index, tests, runId: run.runId } };
  }
  return { runs, next: null };
}

/** Adds runs to `runs`. If the last run continues, adds its tests to it. */
export function addRuns(runs: StartedRun[], more: readonly StartedRun[]): void {
  for (const run of more) {
    const begun = runs.at(-1);
    if (begun?.runId === run.runId) begun.testIds.push(...run.testIds);
    else runs.push(run);
  }
}

function checkTrigger(database: Database, { application, taskIds, repeat }: TriggerTasks): void {
  const ids = new Set(taskIds);
  if (ids.size * repeat > MAX_TESTS)
    throw new AppError('bad_request', `the number of taskIds times repeat must be at most ${MAX_TESTS}`);
  for (const id of ids) {
    const task = database.get<{ status: string }>(
      'SELECT status FROM task WHERE application = ? AND id = ?',
      application,
      id,
    );
    if (!task) throw new AppError('not_found', `Task ${id} not found`);
    if (task.status === 'ARCHIVED') throw new AppError('conflict', `Task ${id} is archived`);
  }
}

const findTask = (database: Database, application: number, id: string): TaskRow | undefined =>
  database.get<TaskRow>(
    `SELECT id, title, description, input_examples AS inputExamples, metadata, simulated_prompt_schema AS promptSchema
     FROM task WHERE application = ? AND id = ?`,
    application,
    id,
  );

/** Starts tests of a task, beginning at index `from`, until all are started or the budget is spent. */
function startRun(
  database: Database,
  args: TriggerTasks,
  { task, from, ...known }: { task: TaskRow; runId: string | null; from: number },
  budget: Budget,
): StartedRun {
  const { application, type, at } = args;
  const runId = known.runId ?? randomUUID();
  const experimentVariantId = args.experiment?.experimentVariantId ?? null;
  const ofRun = { application, taskId: task.id, experimentVariantId, at };
  if (known.runId === null) insertRun(database, { ...ofRun, id: runId, type });
  const testIds: string[] = [];
  for (const test of newTests(task, args, from)) {
    if (isSpent(budget)) break;
    const id = randomUUID();
    insertTest(database, { ...ofRun, ...test, id, runId, runType: type });
    enqueueJob(database, { application, kind: DELIVER, key: id, dueAt: at, at });
    testIds.push(id);
    budget.tests -= 1;
    for (const text of [test.prompt, test.promptObject, test.metadata, test.experiment])
      budget.characters -= text?.length ?? 0;
  }
  return { runId, taskId: task.id, testIds };
}

/** Yields the tests of a task, beginning at index `from`. */
function* newTests(
  task: TaskRow,
  { repeat, experiment }: TriggerTasks,
  from: number,
): Generator<
  Pick<NewTest, 'prompt' | 'promptObject' | 'metadata' | 'experiment' | 'exampleIndex' | 'experimentId'>
> {
  const inputExamples = JSON.parse(task.inputExamples) as string[];
  const prompts = promptsOf({ ...task, inputExamples });
  const schema: unknown = task.promptSchema === null ? null : JSON.parse(task.promptSchema);
  const experimentJson = experiment && JSON.stringify(experiment);
  for (let index = from; index < repeat; index++) {
    const prompt = prompts[index % prompts.length] as string;
    const object = promptObjectOf(prompt, schema);
    yield {
      prompt,
      promptObject: object === null ? null : JSON.stringify(object),
      metadata: task.metadata,
      experiment: experimentJson,
      exampleIndex: inputExamples.length === 0 ? null : index % inputExamples.length,
      experimentId: experiment?.experimentId ?? null,
    };
  }
}
