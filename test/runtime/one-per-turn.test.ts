import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OnePerTurn } from '../../src/runtime/one-per-turn.ts';

it('actions run in order, one in each turn', async () => {
  const turns = new OnePerTurn();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) turns.add(() => done.push(name));
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(['a']);
  turns.add(() => done.push('d'));
  await nextTurn();
  expect(done).toEqual(['a', 'b']);
  await nextTurn();
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd']);
});

it('what an action adds waits for a later turn', async () => {
  const turns = new OnePerTurn();
  let runs = 0;
  const again = (): void => {
    runs += 1;
    turns.add(again);
  };
  turns.add(again);
  await nextTurn();
  await nextTurn();
  expect(runs).toBe(2);
});
