import { expect, it } from 'vitest';
import { PacedQueue } from '../../src/runtime/paced-queue.ts';

it('actions run in order, each after a pause that begins when the one before has run', async () => {
  const queue = new PacedQueue();
  const ran: { name: string; at: number }[] = [];
  const since = performance.now();
  const add = (name: string, pauseMs: number): void =>
    queue.add(pauseMs, () => ran.push({ name, at: performance.now() - since }));
  add('a', 20);
  add('b', 30);
  add('c', 0);
  expect(ran).toEqual([]);
  await expect.poll(() => ran.length).toBe(3);
  expect(ran.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  // Timers of Node may be a millisecond early.
  expect(ran[0]?.at).toBeGreaterThanOrEqual(19);
  expect(ran[1]?.at).toBeGreaterThanOrEqual(48);
});

it('an action may add the next one, and one that throws does not stop the queue', async () => {
  const queue = new PacedQueue();
  const ran: string[] = [];
  queue.add(0, () => {
    ran.push('first');
    queue.add(0, () => ran.push('second'));
  });
  await expect.poll(() => ran).toEqual(['first', 'second']);
  queue.add(0, () => ran.push('third'));
  await expect.poll(() => ran).toEqual(['first', 'second', 'third']);
});
