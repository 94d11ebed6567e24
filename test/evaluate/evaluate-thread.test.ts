import { expect, it } from 'vitest';
import { EvaluateThread, type TurnEnd } from '../../src/evaluate/evaluate-thread.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

const LIMIT_MS = 50;
const subject = subjectOf({ output: `${'a'.repeat(40)}!` });
/** Takes 2 to the power of 40 steps. */
const endless = appliedDefinition('ASSERT', { assertions: [{ type: 'regex', value: '(?=a)^(a+)+$' }] });

/** Runs a definition without end while the process computes for `stepMs` between two looks, and counts the looks. */
async function endlessTurn(stepMs: number): Promise<TurnEnd & { looks: number }> {
  let looks = -1;
  const thread = new EvaluateThread(LIMIT_MS, () => {
    looks += 1;
    return looks * stepMs;
  });
  const turn = { subject, definitions: [endless], sliceMs: 20 };
  const end = await thread.judge(turn, () => expect.unreachable('it has no end'));
  await thread.close();
  return { ...end, looks };
}

it.each<[what: string, stepMs: number, looks: number]>([
  ['at its time limit when the process computed', LIMIT_MS, 1],
  ['once the process has computed for half of its time limit', LIMIT_MS / 8, 4],
  ['after ten periods of its time limit when the process hardly computes', 0, 10],
])('a definition is ended %s', async (_what, stepMs, looks) => {
  const end = await endlessTurn(stepMs);
  expect(end).toMatchObject({ outcome: 'timeout', reason: 'it took longer than 0.05 seconds', looks });
  expect(end.tookMs).toBeGreaterThan(looks * LIMIT_MS);
});
