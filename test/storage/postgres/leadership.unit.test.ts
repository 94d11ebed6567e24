import { expect, it } from 'vitest';
import { Leadership } from '../../../src/storage/postgres/leadership.ts';
import type { Stoppable } from '../../../src/storage/replicas.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Follows the terms 1, none and 2 with one work, and returns what was done and what was reported. */
async function followTerms(start: (said: string[]) => Stoppable): Promise<string[]> {
  const said: string[] = [];
  const leadership = new Leadership(
    () => () => Promise.reject(new Error('writes nothing')),
    ({ message }) => said.push(`failed: ${message}`),
  );
  const work = leadership.whileLeading(() => start(said));
  for (const term of [1, null, 2]) {
    leadership.set(term);
    await turn();
  }
  await work.stop();
  return said;
}

it('work of the leader starts and stops with each term', async () => {
  const said = await followTerms((list) => {
    list.push('started');
    return { stop: async () => void list.push('stopped') };
  });
  expect(said).toEqual(['started', 'stopped', 'started', 'stopped']);
});

it('work that does not start or stop is reported, so that another process can lead', async () => {
  const unstarted = await followTerms(() => {
    throw new Error('does not start');
  });
  const unstopped = await followTerms(() => ({ stop: () => Promise.reject(new Error('does not stop')) }));
  expect(unstarted).toContain('failed: does not start');
  expect(unstopped).toContain('failed: does not stop');
});
