import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StartedTests, TriggerTasks } from '../../src/deliver/trigger.ts';
import { triggerInSteps } from '../../src/deliver/trigger-in-steps.ts';
import { AppError } from '../../src/errors.ts';

const STEP_TESTS = 500;
const ARGS = { application: 1, type: 'MANUAL', experiment: null, promptSeed: null, at: 1 } as const;
const busy = new AppError('unavailable', 'the store cannot take data right now; send again');

/** Starts tests, so many with each command, until `steps` commands have been run, and then fails. */
function failingAfter(steps: number) {
  const runs: string[] = [];
  let done = 0;
  const write = async (_name: string, { taskIds, repeat, from }: TriggerTasks): Promise<StartedTests> => {
    if (done++ >= steps) throw busy;
    const { task, tests, runId } = from ?? { task: 0, tests: 0, runId: null };
    const id = runId ?? randomUUID();
    if (runId === null) runs.push(id);
    const testIds = Array.from({ length: STEP_TESTS }, () => randomUUID());
    const isWhole = tests + STEP_TESTS === repeat;
    const next = isWhole
      ? { task: task + 1, tests: 0, runId: null }
      : { task, tests: tests + STEP_TESTS, runId: id };
    return {
      runs: [{ runId: id, taskId: taskIds[task] as string, testIds }],
      next: next.task === taskIds.length ? null : next,
    };
  };
  return { runs, write: write as never };
}

it.each<[rule: string, taskIds: string[], repeat: number]>([
  ['between two tasks', ['a', 'b', 'c'], STEP_TESTS],
  ['within a task', ['a'], 3 * STEP_TESTS],
])(
  'a failure %s says which tests were started, and not that nothing was done',
  async (_definition, taskIds, repeat) => {
    const none = failingAfter(0);
    await expect(triggerInSteps(none.write, { ...ARGS, taskIds, repeat })).rejects.toBe(busy);
    const some = failingAfter(1);
    const failure = await triggerInSteps(some.write, { ...ARGS, taskIds, repeat }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'conflict',
      message: `Only ${STEP_TESTS} tests were started, in the runs ${some.runs.join(', ')}: ${busy.message}`,
    });
  },
);
