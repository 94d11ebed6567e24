import type { Call } from '../storage/operations.ts';
import type { DeliverCommands } from './operations.ts';
import type { StartedRun, TriggerTasks } from './test-store.ts';

/** Tests that one command starts: each takes the writer about 0.1 ms. */
export const STEP_TESTS = 500;

type Write = Call<Pick<DeliverCommands, 'checkTrigger' | 'triggerTasks'>>;

/**
 * Starts the tests of tasks by commands of bounded work. Throws `not_found`, `conflict` and `bad_request` before any is
 * started. When the process ends in between, the tests of the commands before it are started and complete by themselves.
 */
export async function triggerInSteps(write: Write, args: TriggerTasks): Promise<StartedRun[]> {
  const taskIds = [...new Set(args.taskIds)];
  const { repeat } = args;
  if (taskIds.length * repeat <= STEP_TESTS) return write('triggerTasks', args);
  await write('checkTrigger', args);
  const runs: StartedRun[] = [];
  const perStep = Math.max(1, Math.floor(STEP_TESTS / repeat));
  for (let first = 0; first < taskIds.length; first += perStep) {
    const step = { ...args, taskIds: taskIds.slice(first, first + perStep) };
    const started = await write('triggerTasks', { ...step, repeat: Math.min(repeat, STEP_TESTS) });
    // More tests of one task than a step starts: its run goes on.
    for (let from = STEP_TESTS; from < repeat; from += STEP_TESTS) {
      const [{ runId, testIds }] = started as [StartedRun];
      const more = { ...step, repeat: Math.min(repeat - from, STEP_TESTS), continues: { runId, from } };
      const [continued] = await write('triggerTasks', more);
      testIds.push(...(continued?.testIds ?? []));
    }
    runs.push(...started);
  }
  return runs;
}
