import { AppError } from '../errors.ts';
import type { Write } from '../storage/calls.ts';
import { triggerTasks } from './calls.ts';
import { addRuns, type StartedRun, type TriggerTasks } from './trigger.ts';

/**
 * Starts the tests of tasks with several bounded commands. Throws `not_found`, `conflict` and `bad_request` before
 * any test is started. If the process ends in between, the tests that were started continue. If a command fails after
 * others have started tests, throws `conflict` with their number and runs.
 */
export async function triggerInSteps(write: Write, args: TriggerTasks): Promise<StartedRun[]> {
  const { runs, ...first } = await write(triggerTasks, args);
  try {
    for (let { next } = first; next !== null; ) {
      const step = await write(triggerTasks, { ...args, from: next });
      addRuns(runs, step.runs);
      ({ next } = step);
    }
  } catch (error) {
    throw partlyStarted(runs, error);
  }
  return runs;
}

/** Returns the error for a partial start. It is never retryable, because a retry would start the same tests twice. */
function partlyStarted(runs: readonly StartedRun[], error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const started = runs.reduce((sum, { testIds }) => sum + testIds.length, 0);
  const ids = runs.map(({ runId }) => runId).join(', ');
  return new AppError('conflict', `Only ${started} tests were started, in the runs ${ids}: ${error.message}`);
}
