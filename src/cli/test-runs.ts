import type { ReportedEval } from '../resources/run-sets/report.ts';
import type { ListedTest } from '../resources/tests/contract.ts';
import { StartupError } from '../errors.ts';
import { type Api, once, patiently, RejectedError } from './test-calls.ts';
import type { TaskChoice } from './test-options.ts';

/** Most tasks that the server accepts in one call. */
export const MAX_TASKS = 100;
const PAGE = 100;
/** Most tests that one command starts. */
export const MOST_TESTS = 10_000;
/** Most evals that are read of each kind: those that did not pass, and those without a verdict. */
const MAX_EVALS = 10_000;

/** A server at the user's address, and the time limit of its calls. */
export interface ServerAccess {
  api: Api;
  url: string;
  signal: AbortSignal;
  onTrouble: (message: string) => void;
}

export interface ChosenTask {
  id: string;
  title: string;
  /** `NORMAL` if a model writes its prompts. */
  type?: 'STATIC' | 'NORMAL';
  /** Number of its active examples. */
  exampleCount?: number;
}

export interface StartedRunOfTests {
  runId: string;
}

export interface TriggeredRun extends StartedRunOfTests {
  taskId: string;
  testIds: string[];
}

/**
 * Returns the selected tasks, each once. Topics, tags and `all` select active tasks, ordered by title. Throws
 * StartupError.
 */
export async function chosenTasks(
  server: ServerAccess,
  choices: readonly TaskChoice[],
): Promise<ChosenTask[]> {
  const { api, url, signal } = server;
  const found = new Map<string, ChosenTask>();
  for (const choice of choices) {
    if (choice.by === 'id') {
      const params = { path: { id: choice.id } };
      const { task } = await once(url, signal, (init) =>
        api.GET('/v0/tasks/{id}', { params, ...init }),
      ).catch(unknownIs(`There is no task ${choice.id}.`));
      found.set(task.id, task);
      continue;
    }
    const filter = {
      ...(choice.by === 'topic' && { topicId: [choice.id] }),
      ...(choice.by === 'tag' && { tagId: [choice.id] }),
    };
    const tasks = await everyPage((skip) => {
      const query = { ...filter, taskStatus: ['ACTIVE' as const], ...pageFrom(skip) };
      return once(url, signal, (init) => api.GET('/v0/tasks', { params: { query }, ...init }));
    }, MOST_TESTS);
    tasks.sort((a, b) => a.title.localeCompare(b.title, 'en'));
    for (const task of tasks) found.set(task.id, task);
  }
  if (found.size === 0) throw new StartupError('--tasks selects no active task.');
  return [...found.values()];
}

/** Replaces a "not found" error of the server by a more specific message. */
const unknownIs =
  (sentence: string) =>
  (error: unknown): never => {
    throw error instanceof RejectedError && error.status === 404 ? new StartupError(sentence) : error;
  };

/** Starts the tests and adds them to `runs`. Throws StartupError; tests in `runs` were started even then. */
export async function startTests(
  { api, url, signal }: ServerAccess,
  {
    tasks,
    runs,
    repeat,
    examples,
    promptSeed,
  }: {
    tasks: readonly ChosenTask[];
    runs: TriggeredRun[];
    repeat: number;
    /** Examples to test; null for `repeat` tests of each task. Tasks whose prompts a model writes have none. */
    examples: { splits?: string[] } | null;
    /** Seed of the prompts that a model writes; null for the default of the server. */
    promptSeed: number | null;
  },
): Promise<void> {
  if (tasks.length * repeat > MOST_TESTS)
    throw new StartupError(`A command starts at most ${MOST_TESTS} tests; got ${tasks.length * repeat}.`);
  const [written = [], fixed = []] = [true, false].map((isNormal) =>
    tasks.filter(({ type }) => (type === 'NORMAL') === isNormal),
  );
  for (const some of [...chunks(fixed, MAX_TASKS), ...chunks(written, MAX_TASKS)]) {
    const body = {
      taskIds: some.map(({ id }) => id),
      repeat,
      ...(examples && some[0]?.type !== 'NORMAL' && { examples }),
      ...(promptSeed !== null && { promptSeed }),
    };
    const params = { header: { prefer: 'return=representation' } };
    const started = await once(url, signal, (init) =>
      api.POST('/v0/tasks/trigger', { body, params, ...init }),
    );
    runs.push(...(started?.data ?? []));
  }
}

/** Counts the tests that have not ended. */
export async function countOpen(server: ServerAccess, runs: readonly TriggeredRun[]): Promise<number> {
  let open = 0;
  for (const some of chunks(runs, MAX_TASKS)) {
    const { pagination } = await openTests(server, some, { limit: 1 });
    open += pagination.total;
  }
  return open;
}

/** Returns why the oldest delivered test still waits for its spans; null when none has waited unusually long. */
export async function adviceOnWaiting(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
): Promise<string | null> {
  const { api, url } = server;
  const query = {
    runId: runs.slice(0, MAX_TASKS).map(({ runId }) => runId),
    phase: ['delivered' as const],
    orderBy: 'createdAt' as const,
    orderDir: 'asc' as const,
    limit: 1,
  };
  const { data } = await patiently(url, server, (init) =>
    api.GET('/v0/tests', { params: { query }, ...init }),
  );
  const [oldest] = data;
  if (!oldest) return null;
  const params = { path: { id: oldest.id } };
  const { test } = await patiently(url, server, (init) => api.GET('/v0/tests/{id}', { params, ...init }));
  return (
    test.advice && `Test ${test.id} waits for spans. ${test.advice.cause} ${test.advice.cure ?? ''}`.trim()
  );
}

interface ListedOutcome {
  tests: ListedTest[];
  evals: ReportedEval[];
}

/** Reads the current outcome of the tests, in the order of their start. */
export async function outcomeOf(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
): Promise<ListedOutcome> {
  const { api, url } = server;
  const outcome: ListedOutcome = { tests: [], evals: [] };
  for (const some of chunks(runs, MAX_TASKS)) {
    const runId = some.map((run) => run.runId);
    const tests = await everyPage((skip) => {
      const query = { runId, ...pageFrom(skip) };
      return patiently(url, server, (init) => api.GET('/v0/tests', { params: { query }, ...init }));
    }, MOST_TESTS);
    outcome.tests.push(...tests);
    for (const filter of [{ passed: false }, { status: ['FAILED' as const, 'SKIPPED' as const] }])
      outcome.evals.push(...(await evalsOfRuns(server, some, filter, MAX_EVALS)));
  }
  outcome.tests.sort(inOrderOfStart);
  return outcome;
}

/** Compares tests by the time of their start; those of one moment by their examples. */
const inOrderOfStart = (a: ListedTest, b: ListedTest): number =>
  a.createdAt.localeCompare(b.createdAt) || (a.exampleIndex ?? 0) - (b.exampleIndex ?? 0);

/** Reads the evals of runs that meet a filter, at most `most` of each hundred runs. */
export async function evalsOfRuns(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
  filter: { passed?: boolean; status?: ('FAILED' | 'SKIPPED')[]; type?: string[] },
  most: number,
): Promise<ReportedEval[]> {
  const { api, url } = server;
  const all: ReportedEval[] = [];
  for (const some of chunks(runs, MAX_TASKS)) {
    const runId = some.map((run) => run.runId);
    const evals = await everyPage((skip) => {
      const query = { runId, ...filter, ...pageFrom(skip) };
      return patiently(url, server, (init) => api.GET('/v0/evals', { params: { query }, ...init }));
    }, most);
    all.push(...evals);
  }
  return all;
}

function openTests(
  server: ServerAccess,
  runs: readonly TriggeredRun[],
  page: Partial<ReturnType<typeof pageFrom>>,
) {
  const status = ['PENDING' as const, 'IN_PROGRESS' as const];
  const query = { runId: runs.map(({ runId }) => runId), status, ...page };
  return patiently(server.url, server, (init) => server.api.GET('/v0/tests', { params: { query }, ...init }));
}

const pageFrom = (skip: number) => ({ skip, limit: PAGE, orderBy: 'id' as const, orderDir: 'asc' as const });

/** Returns all entries of a list, up to a limit. */
async function everyPage<T>(
  page: (skip: number) => Promise<{ data: T[]; pagination: { total: number } }>,
  most: number,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const { data, pagination } = await page(all.length);
    all.push(...data);
    if (data.length === 0 || all.length >= Math.min(pagination.total, most)) return all;
  }
}

/** Splits a list into parts of at most `size`. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
