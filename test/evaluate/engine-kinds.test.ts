import { expect, it } from 'vitest';
import { evaluateKinds } from '../../src/evaluate/engine/engine.ts';
import { openJudges, judgeOf } from '../support/judges.ts';
import { useStore } from '../support/storage.ts';

const { database } = useStore();
const unused = (): Promise<never> => Promise.reject(new Error('it is not asked for'));

it('there is a lane for each judge, one for what none judges, and no application takes all of any', () => {
  const judges = openJudges(database(), [
    judgeOf('http://127.0.0.1:1', { concurrency: 1 }),
    judgeOf('http://127.0.0.1:1', { name: 'second', concurrency: 5 }),
  ]);
  const { metrics } = judges;
  const evaluation = { evaluateAll: unused };
  const kinds = evaluateKinds({ read: unused, write: unused, evaluation, judges, metrics, now: Date.now });
  expect(Object.keys(kinds)).toEqual(['evaluate', 'judge', 'judge:first', 'judge:second']);
  // Fewer would leave a judge idle when one application alone has evals.
  for (const [name, concurrency] of [
    ['judge:first', 1],
    ['judge:second', 5],
  ] as const)
    expect(kinds[name]?.perApplication).toBeGreaterThan(concurrency);
  for (const { total, perApplication } of Object.values(kinds)) expect(perApplication).toBeLessThan(total);
});
