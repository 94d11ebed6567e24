import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PreparePool } from '../../src/ingest/prepare-pool.ts';
import type { PrepareThread } from '../../src/ingest/prepare-thread.ts';
import type { PrepareRequest } from '../../src/ingest/requests.ts';
import { alone } from '../../src/runtime/party.ts';

/** A pool of threads that record their requests and end them on demand. */
function poolOf(maxThreads: number, groupOf = alone) {
  const ready: (() => void)[] = [];
  const started: number[][] = [];
  const ends: (() => void)[] = [];
  const start = (): PrepareThread => {
    const applications: number[] = [];
    started.push(applications);
    const metrics = ({ application }: PrepareRequest): Promise<number> => {
      applications.push(application);
      return new Promise((resolve) => ends.push(() => resolve(0)));
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    ready.push(resolve);
    return { metrics, ready: promise, close: async () => undefined } as unknown as PrepareThread;
  };
  const pool = new PreparePool(start, maxThreads, groupOf);
  const send = (application: number, bytes = 0): Promise<number> =>
    pool.metrics({ application, body: new Uint8Array(bytes) } as PrepareRequest);
  const endAll = (): void => ends.splice(0).forEach((end) => end());
  /** Has the threads that have started loaded. */
  const load = async (): Promise<void> => {
    ready.splice(0).forEach((resolve) => resolve());
    await setImmediate();
  };
  /** Starts and loads `count` threads. */
  const loadAll = async (count: number): Promise<void> => {
    const sent: Promise<number>[] = [];
    for (let party = 101; started.length < count; party++) {
      sent.push(send(party));
      await load();
    }
    endAll();
    await Promise.all(sent);
    for (const applications of started) applications.length = 0;
  };
  return { started, send, endAll, load, loadAll };
}

it('an organisation with many applications occupies one thread', async () => {
  const { started, send, endAll, loadAll } = poolOf(2, (application) =>
    Number(application) < 9 ? 'many' : application,
  );
  await loadAll(2);
  const sent = [1, 2, 3, 9, 4].map((application) => send(application));
  expect(started).toEqual([[1, 2, 3, 4], [9]]);
  endAll();
  await Promise.all(sent);
});

it('requests of an application that are in progress at one time are in one thread', async () => {
  const { started, send, endAll, loadAll } = poolOf(2);
  await loadAll(2);
  const sent = [send(1), send(1), send(2), send(1), send(2), send(3)];
  expect(started).toEqual([
    [1, 1, 1, 3],
    [2, 2],
  ]);
  endAll();
  await Promise.all(sent);
});

it('a further thread starts only when another organisation has requests in progress', async () => {
  const { started, send, endAll } = poolOf(4);
  const first = send(1);
  endAll();
  await first;
  const second = send(2);
  expect(started).toEqual([[1, 2]]);
  const third = send(1);
  expect(started).toHaveLength(2);
  endAll();
  await Promise.all([second, third]);
});

it('a thread has requests only once it is ready, and no other one starts until then', async () => {
  const { started, send, endAll, load } = poolOf(4);
  const sent = [send(1), send(2), send(3)];
  expect(started).toEqual([[1, 2, 3], []]);
  await load();
  sent.push(send(4), send(1));
  expect(started).toEqual([[1, 2, 3, 1], [4]]);
  endAll();
  await Promise.all(sent);
});

it('there are no more threads than the setting says', async () => {
  const { started, send, endAll } = poolOf(1);
  const sent = [send(1), send(2)];
  expect(started).toEqual([[1, 2]]);
  endAll();
  await Promise.all(sent);
});

it('others are in the thread with the fewest bytes in progress', async () => {
  const { started, send, endAll, loadAll } = poolOf(2);
  await loadAll(2);
  const sent = [send(1, 1_000_000), send(2, 10), send(3, 10), send(4, 10), send(2, 10)];
  expect(started).toEqual([[1], [2, 3, 4, 2]]);
  endAll();
  await Promise.all(sent);
  const later = [send(5), send(6)];
  expect(started.map((applications) => applications.slice(-1))).toEqual([[5], [6]]);
  endAll();
  await Promise.all(later);
});
