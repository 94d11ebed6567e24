import type { Decision, RunSet, RunSetIssue } from '../api/generated/schema.ts';
import { StartupError } from '../errors.ts';
import { once, patiently, pause, RejectedError } from './test-calls.ts';
import type { TestOptions } from './test-options.ts';
import { type ChosenTask, MOST_TESTS, type ServerAccess } from './test-runs.ts';

type SetOptions = Pick<
  TestOptions,
  'repeat' | 'examples' | 'promptSeed' | 'baseline' | 'title' | 'provenance' | 'untilSure'
>;

/** Starts the tests of tasks as one run set. Throws StartupError. */
export async function startRunSet(
  { api, url, signal }: ServerAccess,
  tasks: readonly ChosenTask[],
  { repeat, examples, promptSeed, baseline, title, provenance, untilSure }: SetOptions,
): Promise<RunSet> {
  if (tasks.length * repeat > MOST_TESTS)
    throw new StartupError(`A command starts at most ${MOST_TESTS} tests; got ${tasks.length * repeat}.`);
  const body = {
    taskIds: tasks.map(({ id }) => id),
    repeat,
    // Null: the tests of a task take its examples in turn.
    examples,
    ...(promptSeed !== null && { promptSeed }),
    ...(baseline !== null && { baseline }),
    title,
    ...provenance,
    ...(untilSure && { untilSure }),
  };
  const { data } = await once(url, signal, (init) => api.POST('/v0/run-sets', { body, ...init }));
  return data;
}

/** Reads a run set. */
export async function readRunSet({ api, url, ...call }: ServerAccess, id: string): Promise<RunSet> {
  const params = { path: { id } };
  const { data } = await patiently(url, call, (init) => api.GET('/v0/run-sets/{id}', { params, ...init }));
  return data;
}

/** Milliseconds between two looks at canaries. */
const LOOK_MS = 1_000;

/** Waits until judges have judged their canaries again. */
export async function waitForCanaries(server: ServerAccess, id: string): Promise<void> {
  for (;;) {
    const { canaries } = await readRunSet(server, id);
    if (canaries.open === 0) return;
    await pause(LOOK_MS, server.signal);
  }
}

/** Starts the next batch of a run set that tests until it is sure; returns false if none can be started. Throws StartupError. */
export async function startBatch({ api, url, signal }: ServerAccess, id: string): Promise<boolean> {
  const params = { path: { id } };
  try {
    await once(url, signal, (init) => api.POST('/v0/run-sets/{id}/continue', { params, ...init }));
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

const isConflict = (error: unknown): boolean => error instanceof RejectedError && error.status === 409;

/** Returns a percentage as queries have it: with the sign where a number may be meant as a share. The declared type is that of the number. */
const signed = (percent: number): number =>
  percent > 0 && percent <= 1 ? (`${percent}%` as unknown as number) : percent;

/** Returns the decision on a run set so far, which is not recorded. */
export async function lookAt(
  { api, url, ...call }: ServerAccess,
  id: string,
  { failUnder, allowSkipped, withAdvisory }: TestOptions,
): Promise<Decision> {
  const params = { path: { id }, query: { failUnder: signed(failUnder), allowSkipped, withAdvisory } };
  const { data } = await patiently(url, call, (init) =>
    api.GET('/v0/run-sets/{id}/decision', { params, ...init }),
  );
  return data;
}

/** Returns the issues that a run set concerns; none if the server does not know or show them. */
export async function issuesOfSet(
  { api, url, ...call }: ServerAccess,
  id: string,
): Promise<readonly RunSetIssue[]> {
  const params = { path: { id } };
  try {
    const { data } = await patiently(url, call, (init) =>
      api.GET('/v0/run-sets/{id}/issues', { params, ...init }),
    );
    return data;
  } catch (error) {
    // A server of an earlier version, or a caller who reviews some of the tests blind.
    if (error instanceof RejectedError && [404, 409].includes(error.status)) return [];
    throw error;
  }
}

/** Requests the cancellation of a run set, unless it has ended. */
export async function cancelSet({ api, url, ...call }: ServerAccess, id: string): Promise<void> {
  const params = { path: { id } };
  await patiently(url, call, (init) => api.POST('/v0/run-sets/{id}/cancel', { params, ...init })).catch(
    (error: unknown) => {
      if (!isConflict(error)) throw error;
    },
  );
}

/** Requests the decision on a run set, which the server records. Throws StartupError. */
export async function decideOn(
  { api, url, ...call }: ServerAccess,
  id: string,
  options: TestOptions,
): Promise<Decision> {
  const { failUnder, isStrict: strict, allowSkipped, question, equalTasks, withAdvisory } = options;
  const { margin, minPaired, findLoss } = options;
  const rule = {
    failUnder: signed(failUnder),
    strict,
    allowSkipped,
    question,
    equalTasks,
    withAdvisory,
    minPaired: signed(minPaired),
    findLoss: signed(findLoss),
    ...(margin !== null && { margin: signed(margin) }),
  };
  const params = { path: { id }, query: rule };
  const { data } = await patiently(url, call, (init) =>
    api.POST('/v0/run-sets/{id}/decision', { params, ...init }),
  );
  return data;
}

const EXIT_CODES = { PASS: 0, FAIL: 1, INCONCLUSIVE: 2 } as const;

/** Returns the exit code for a decision: 0 = passed, 1 = failed, 2 = unknown. */
export const exitCodeFor = ({ outcome }: Pick<Decision, 'outcome'>): 0 | 1 | 2 => EXIT_CODES[outcome];
