import { AppError } from '../errors.ts';
import type { Call } from '../storage/operations.ts';
import type { DeliverCommands } from './operations.ts';
import { addRuns, type StartedRun, type TriggerTasks } from './trigger.ts';

type Write = Call<Pick<DeliverCommands, 'triggerTasks'>>;

/**
 * Starts the tests of tasks by commands of bounded work. Throws `not_found`, `conflict` and `bad_request` before any is
 * started. When the process ends in between, the tests of the commands before it are started and complete by themselves;
 * when a command fails after others have started tests, `conflict` says which.
 */
export async function triggerInSteps(write: Write, args: TriggerTasks): Promise<StartedRun[]> {
  const { runs, ...first } = await write('triggerTasks', args);
  try {
    for (let { next } = first; next !== null; ) {
      const step = await write('triggerTasks', { ...args, from: next });
      addRuns(runs, step.runs);
      ({ next } = step);
    }
  } catch (error) {
    throw partlyStarted(runs, new Set(args.taskIds).size * args.repeat, error);
  }
  return runs;
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
