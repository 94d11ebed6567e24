import { expect, it } from 'vitest';
import { effort } from '../support/effort.ts';
import { ACTIONS, INVARIANTS, runStorm, runTour } from './run.ts';

/** Actions that wait too long for a short run. */
const SLOW: ReadonlySet<string> = new Set(['delete by age']);

it('has 35 kinds of actions and 50 invariants', () => {
  expect(new Set(ACTIONS.map(({ name }) => name)).size).toBe(ACTIONS.length);
  expect(ACTIONS.length).toBeGreaterThanOrEqual(35);
  expect(INVARIANTS).toBeGreaterThanOrEqual(50);
});

it('random actions and kill -9 leave what is stored and shown in order', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const { broken } = await runStorm({
    seed,
    steps: effort(60),
    every: 30,
    kill: true,
    without: SLOW,
    print,
  });
  expect(broken, `npm run storm -- ${seed} 60 --kill --every 30\n${lines.join('\n')}`).toEqual([]);
}, 600_000);

it('every action succeeds at least once, so that none is rejected in every storm unnoticed', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  expect(await runTour(seed, SLOW), `npm run storm -- ${seed} --each`).toEqual({ never: [], broken: [] });
}, 600_000);
