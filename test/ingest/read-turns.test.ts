import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ReadTurns } from '../../src/ingest/read-turns.ts';

const KIB = 1024;

it('a turn of the event loop reads a bounded number of bytes', async () => {
  const turns = new ReadTurns();
  expect([turns.isOver(1000 * KIB), turns.isOver(24 * KIB)]).toEqual([false, true]);
  await setImmediate();
  expect(turns.isOver(64 * KIB)).toBe(false);
});

it('an organisation with many large bodies does not delay the body of another one', async () => {
  const turns = new ReadTurns();
  const read: string[] = [];
  const send = (group: string): void => turns.wait(group, () => read.push(group));
  for (let body = 0; body < 100; body++) send('many');
  await setImmediate();
  const first = read.length;
  expect(first).toBeLessThan(20);
  send('one');
  await setImmediate();
  expect(read.slice(first, first + 2)).toContain('one');
  while (read.length < 101) await setImmediate();
});
