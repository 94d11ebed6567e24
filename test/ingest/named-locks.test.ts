import { expect, it } from 'vitest';
import { NamedLocks } from '../../src/ingest/named-locks.ts';

/** Begins work that ends, or fails, on request. */
function setUp() {
  const locks = new NamedLocks();
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const run = (work: string, ...names: string[]): Promise<void> => {
    const end = Promise.withResolvers<void>();
    ends.set(work, end);
    return locks.run(names, () => {
      begun.push(work);
      return end.promise;
    });
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const end = async (work: string): Promise<void> => {
    ends.get(work)?.resolve();
    await settled();
  };
  const fail = async (work: string): Promise<void> => {
    ends.get(work)?.reject(new Error(work));
    await settled();
  };
  return { run, begun, end, fail, settled };
}

it('work that shares no name runs at once', async () => {
  const { run, begun, settled } = setUp();
  void run('first', 'a', 'b');
  void run('second', 'c');
  void run('third');
  await settled();
  expect(begun.toSorted()).toEqual(['first', 'second', 'third']);
});

it('work that shares a name waits for all earlier work of its names', async () => {
  const { run, begun, end } = setUp();
  void run('first', 'a', 'b');
  void run('second', 'c');
  void run('third', 'b', 'c', 'b');
  void run('fourth', 'a');
  await end('first');
  expect(begun).toEqual(['first', 'second', 'fourth']);
  await end('second');
  expect(begun).toEqual(['first', 'second', 'fourth', 'third']);
});

it('work continues after earlier work that failed', async () => {
  const { run, begun, fail, end } = setUp();
  const first = run('first', 'a');
  const second = run('second', 'a');
  const failure = first.catch((error: unknown) => error);
  await fail('first');
  expect(await failure).toEqual(new Error('first'));
  expect(begun).toEqual(['first', 'second']);
  await end('second');
  await second;
  void run('third', 'a');
  await end('third');
  expect(begun.at(-1)).toBe('third');
});
