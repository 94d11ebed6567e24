import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { STEP_TESTS, triggerInSteps } from '../../src/deliver/trigger-in-steps.ts';
import type { TriggerTasks } from '../../src/deliver/test-store.ts';
import { AppError } from '../../src/errors.ts';

const ARGS = { application: 1, type: 'MANUAL', experiment: null, at: 1 } as const;
const busy = new AppError('unavailable', 'the store cannot take data right now; send again');

/** Starts tests until `steps` commands have been run, and then fails. */
function failingAfter(steps: number) {
  const runs: string[] = [];
  let done = 0;
  const write = async (name: string, { taskIds, repeat, continues }: TriggerTasks): Promise<unknown> => {
    if (name === 'checkTrigger') return undefined;
    if (done++ >= steps) throw busy;
    return taskIds.map((taskId) => {
      const runId = continues?.runId ?? randomUUID();
      if (!continues) runs.push(runId);
      return { runId, taskId, testIds: Array.from({ length: repeat }, () => randomUUID()) };
    });
  };
  return { runs, write: write as never };
}

it.each<[rule: string, taskIds: string[], repeat: number]>([
  ['between two tasks', ['a', 'b', 'c'], STEP_TESTS],
  ['within a task', ['a'], 3 * STEP_TESTS],
])(
  'a failure %s says which tests were started, and not that nothing was done',
  async (_rule, taskIds, repeat) => {
    const none = failingAfter(0);
    await expect(triggerInSteps(none.write, { ...ARGS, taskIds, repeat })).rejects.toBe(busy);
    const some = failingAfter(1);
    const failure = await triggerInSteps(some.write, { ...ARGS, taskIds, repeat }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'conflict',
      message: `Only ${STEP_TESTS} of ${3 * STEP_TESTS} tests were started, by the runs ${some.runs.join(', ')}: ${busy.message}`,
    });
  },
);
