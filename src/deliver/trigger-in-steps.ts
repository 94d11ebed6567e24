import { AppError } from '../errors.ts';
import type { Call } from '../storage/operations.ts';
import type { DeliverCommands } from './operations.ts';
import type { StartedRun, TriggerTasks } from './test-store.ts';

/** Tests that one command starts: each takes the writer about 0.1 ms. */
export const STEP_TESTS = 500;

type Write = Call<Pick<DeliverCommands, 'checkTrigger' | 'triggerTasks'>>;

/**
 * Starts the tests of tasks by commands of bounded work. Throws `not_found`, `conflict` and `bad_request` before any is
 * started. When the process ends in between, the tests of the commands before it are started and complete by themselves;
 * when a command fails after others have started tests, `conflict` says which.
 */
export async function triggerInSteps(write: Write, args: TriggerTasks): Promise<StartedRun[]> {
  const taskIds = [...new Set(args.taskIds)];
  const wanted = taskIds.length * args.repeat;
  if (wanted <= STEP_TESTS) return write('triggerTasks', args);
  await write('checkTrigger', args);
  const runs: StartedRun[] = [];
  try {
    await startAll(write, { ...args, taskIds }, runs);
  } catch (error) {
    throw runs.length === 0 ? error : partlyStarted(runs, wanted, error);
  }
  return runs;
}

/** Adds each run to `runs` when its first tests have been started. */
async function startAll(write: Write, args: TriggerTasks, runs: StartedRun[]): Promise<void> {
  const { taskIds, repeat } = args;
  const perStep = Math.max(1, Math.floor(STEP_TESTS / repeat));
  for (let first = 0; first < taskIds.length; first += perStep) {
    const step = { ...args, taskIds: taskIds.slice(first, first + perStep) };
    const started = await write('triggerTasks', { ...step, repeat: Math.min(repeat, STEP_TESTS) });
    runs.push(...started);
    // More tests of one task than a step starts: its run goes on.
    for (let from = STEP_TESTS; from < repeat; from += STEP_TESTS) {
      const [{ runId, testIds }] = started as [StartedRun];
      const more = { ...step, repeat: Math.min(repeat - from, STEP_TESTS), continues: { runId, from } };
      const [continued] = await write('triggerTasks', more);
      testIds.push(...(continued?.testIds ?? []));
    }
  }
}

/** A code that asks for another try would have the same tests started twice. */
function partlyStarted(runs: readonly StartedRun[], wanted: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const started = runs.reduce((sum, { testIds }) => sum + testIds.length, 0);
  const ids = runs.map(({ runId }) => runId).join(', ');
  return new AppError(
    'conflict',
    `Only ${started} of ${wanted} tests were started, by the runs ${ids}: ${error.message}`,
  );
}
