import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { enqueueJob } from '../jobs/store.ts';
import type { Database } from '../storage/database.ts';
import type { RunType } from '../tests/states.ts';
import { insertRun, insertTest, type NewTest } from '../tests/store.ts';
import { DELIVER } from './delivery-store.ts';
import { promptObjectOf } from './payload.ts';
import { type ChosenExamples, type ExampleToTest, requireExamples, TaskExamples } from './task-examples.ts';

/**
 * Kind of the jobs that have the prompts of a `NORMAL` task written and then deliver its tests. The key of a job is the
 * id of the run.
 */
export const WRITE_PROMPTS = 'write-prompts';

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
  /** Number of tests of each task, or of each chosen example. */
  repeat: number;
  /** Examples to test; without it, the tests of a task take its examples in turn. */
  examples?: ChosenExamples | undefined;
  /** Run set that the runs belong to: its examples are tested, by its definitions. */
  runSetId?: string | undefined;
  type: Exclude<RunType, 'MONITORING'>;
  /** Experiment of the tests; null when they are part of none. */
  experiment: ExperimentOfTests | null;
  /** Seed of the prompts of `NORMAL` tasks; null if no prompt model is configured. */
  promptSeed: number | null;
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
  type: 'STATIC' | 'NORMAL';
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
    const { total, ...run } = startRun(database, args, { task, runId, from: tests }, budget);
    runs.push(run);
    tests += run.testIds.length;
    if (tests < total) return { runs, next: { task: index, tests, runId: run.runId } };
  }
  return { runs, next: null };
}

/** Starts tests of a task in a run, which it creates if there is none, up to the test with the index `upTo`. */
export function startTestsOf(
  database: Database,
  args: Omit<TriggerTasks, 'taskIds'>,
  { taskId, runId, from, upTo }: { taskId: string; runId: string | null; from: number; upTo: number },
): number {
  const task = findTask(database, args.application, taskId);
  if (!task) return 0;
  const budget = { tests: upTo - from, characters: STEP_CHARACTERS };
  const started = startRun(database, { ...args, taskIds: [] }, { task, runId, from }, budget);
  return started.testIds.length;
}

/** Adds runs to `runs`. If the last run continues, adds its tests to it. */
export function addRuns(runs: StartedRun[], more: readonly StartedRun[]): void {
  for (const run of more) {
    const begun = runs.at(-1);
    if (begun?.runId === run.runId) begun.testIds.push(...run.testIds);
    else runs.push(run);
  }
}

/**
 * Returns the number of tests that a trigger will start. Throws `bad_request`, `not_found` and `conflict` for one that cannot be
 * started.
 */
export function checkTrigger(
  database: Database,
  { application, taskIds, repeat, examples: chosen, promptSeed, runSetId }: TriggerTasks,
): number {
  const ids = new Set(taskIds);
  if (!chosen && ids.size * repeat > MAX_TESTS)
    throw new AppError('bad_request', `the number of taskIds times repeat must be at most ${MAX_TESTS}`);
  const types = new Map([...ids].map((id) => [id, checkTask(database, application, id)]));
  const isOfRunSet = runSetId !== undefined;
  for (const [id, type] of types) if (type === 'NORMAL') checkNormal(id, { chosen, promptSeed, isOfRunSet });
  if (chosen?.ids) requireExamples(database, { application, taskIds: ids, ids: chosen.ids });
  let tests = 0;
  for (const [id, type] of types) {
    if (type === 'NORMAL') {
      tests += repeat;
      continue;
    }
    const { count } = new TaskExamples(database, { application, taskId: id, chosen });
    if (count === 0)
      throw new AppError(
        'conflict',
        chosen
          ? `Task ${id} has none of the chosen examples`
          : `Task ${id} has no examples; add one by POST /v0/tasks/${id}/examples`,
      );
    tests += chosen ? count * repeat : repeat;
  }
  if (chosen && tests > MAX_TESTS)
    throw new AppError(
      'bad_request',
      `the number of chosen examples times repeat must be at most ${MAX_TESTS}; got ${tests}`,
    );
  return tests;
}

/** Returns the type of a task. Throws `not_found`, and `conflict` for an archived task. */
function checkTask(database: Database, application: number, id: string): TaskRow['type'] {
  const task = database.get<Pick<TaskRow, 'type'> & { status: string }>(
    'SELECT status, type FROM task WHERE application = :application AND id = :id',
    { application, id },
  );
  if (!task) throw new AppError('not_found', `Task ${id} not found`);
  if (task.status === 'ARCHIVED') throw new AppError('conflict', `Task ${id} is archived`);
  return task.type;
}

/**
 * Throws `conflict` for a `NORMAL` task without a prompt model, or with chosen examples; those of a run set are of its other tasks.
 */
function checkNormal(
  id: string,
  {
    chosen,
    promptSeed,
    isOfRunSet,
  }: { chosen: ChosenExamples | undefined; promptSeed: number | null; isOfRunSet: boolean },
): void {
  const isNormal = `Task ${id} is of type NORMAL, whose prompts a model writes`;
  if (promptSeed === null)
    throw new AppError(
      'conflict',
      `${isNormal}, and no prompt model is configured; set TOUCHSTONE_PROMPT_MODEL`,
    );
  if (chosen && !isOfRunSet) throw new AppError('conflict', `${isNormal}; start it without \`examples\``);
}

const findTask = (database: Database, application: number, id: string): TaskRow | undefined =>
  database.get<TaskRow>(
    'SELECT id, type, metadata, simulated_prompt_schema AS promptSchema FROM task WHERE application = :application AND id = :id',
    { application, id },
  );

/** Starts tests of a task, beginning at index `from`, until all are started or the budget is spent. */
function startRun(
  database: Database,
  args: TriggerTasks,
  { task, from, ...known }: { task: TaskRow; runId: string | null; from: number },
  budget: Budget,
): StartedRun & { total: number } {
  const { application, type, at, runSetId } = args;
  const runId = known.runId ?? randomUUID();
  const experimentVariantId = args.experiment?.experimentVariantId ?? null;
  const ofRun = { application, taskId: task.id, experimentVariantId, at };
  const isNormal = task.type === 'NORMAL';
  const promptSeed = isNormal ? args.promptSeed : null;
  if (known.runId === null) insertRun(database, { ...ofRun, id: runId, type, promptSeed, runSetId });
  const testIds: string[] = [];
  const examples = new TaskExamples(database, {
    application,
    taskId: task.id,
    chosen: args.examples,
    runSetId,
  });
  const total = isNormal ? args.repeat : testsOf(args, examples);
  const tests = isNormal ? unwrittenTests(task, args, from) : newTests(task, args, examples, from);
  if (isNormal) enqueueJob(database, { application, kind: WRITE_PROMPTS, key: runId, dueAt: at, at });
  for (const test of tests) {
    if (isSpent(budget)) break;
    const id = randomUUID();
    insertTest(database, { ...ofRun, ...test, id, runId, runType: type, snapshotId: runSetId });
    if (!isNormal) enqueueJob(database, { application, kind: DELIVER, key: id, dueAt: at, at });
    testIds.push(id);
    budget.tests -= 1;
    for (const text of [test.prompt, test.promptObject, test.metadata, test.experiment])
      budget.characters -= text?.length ?? 0;
  }
  return { runId, taskId: task.id, testIds, total };
}

/** Returns the number of tests of a task. */
const testsOf = ({ repeat, examples: chosen }: TriggerTasks, { count }: TaskExamples): number =>
  count === 0 ? 0 : chosen ? count * repeat : repeat;

type TestOfExample = Pick<
  NewTest,
  | 'prompt'
  | 'promptObject'
  | 'metadata'
  | 'experiment'
  | 'exampleId'
  | 'exampleVersion'
  | 'exampleIndex'
  | 'experimentId'
>;

/** Yields the tests of a `NORMAL` task, beginning at index `from`. Their prompts are written later. */
function* unwrittenTests(
  { metadata }: TaskRow,
  { repeat, experiment }: TriggerTasks,
  from: number,
): Generator<TestOfExample> {
  const test = {
    prompt: '',
    promptObject: null,
    metadata,
    experiment: experiment && JSON.stringify(experiment),
    exampleId: null,
    exampleVersion: null,
    exampleIndex: null,
    experimentId: experiment?.experimentId ?? null,
  };
  for (let index = from; index < repeat; index++) yield test;
}

/** Yields the tests of a `STATIC` task, beginning at index `from`. */
function* newTests(
  task: TaskRow,
  args: TriggerTasks,
  examples: TaskExamples,
  from: number,
): Generator<TestOfExample> {
  const { experiment } = args;
  const schema: unknown = task.promptSchema === null ? null : JSON.parse(task.promptSchema);
  const experimentJson = experiment && JSON.stringify(experiment);
  const total = testsOf(args, examples);
  for (let index = from; index < total; index++) {
    const example = examples.at(index % examples.count);
    if (!example) return;
    yield {
      prompt: example.prompt,
      promptObject: promptObject(example, schema),
      metadata: metadataOf(task, example),
      experiment: experimentJson,
      exampleId: example.id,
      exampleVersion: example.version,
      exampleIndex: example.position,
      experimentId: experiment?.experimentId ?? null,
    };
  }
}

function promptObject({ prompt, isObject }: ExampleToTest, schema: unknown): string | null {
  if (isObject === 1) return prompt;
  const object = promptObjectOf(prompt, schema);
  return object === null ? null : JSON.stringify(object);
}

/** Returns the metadata of a task together with those of the example, which take precedence. */
function metadataOf({ metadata }: TaskRow, example: ExampleToTest): string | null {
  if (metadata === null || example.metadata === null) return example.metadata ?? metadata;
  return JSON.stringify({
    ...(JSON.parse(metadata) as object),
    ...(JSON.parse(example.metadata) as object),
  });
}
