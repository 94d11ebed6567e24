import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { GroupOf } from '../../src/runtime/party.ts';
import { type Reader, ReadQueue } from '../../src/storage/sqlite/read-queue.ts';
import { until } from '../support/until.ts';

/** Readers whose reads end on request, on a clock that only the test moves. */
function setUp(readers = 2, groupOf?: GroupOf) {
  const underWay = new Map<string, () => void>();
  const begun: string[] = [];
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const reader = {
    read: (name: string, args: unknown): Promise<unknown> => {
      const key = `${name} ${(args as { of: string }).of}`;
      begun.push(key);
      return new Promise((resolve) => underWay.set(key, () => resolve(key)));
    },
  };
  const queue = new ReadQueue(
    Array.from({ length: readers }, () => ({ ...reader })),
    null,
    groupOf,
  );
  const read = (name: string, of: string, application?: number): void =>
    void queue.read(name, { of, ...(application === undefined ? {} : { application }) });
  const end = async (key: string, tookMs = 1): Promise<void> => {
    now += tookMs;
    underWay.get(key)?.();
    underWay.delete(key);
    await new Promise(setImmediate);
  };
  /** Has the queue learn what a kind of read takes. */
  const teach = async (name: string, application: number, tookMs: number): Promise<void> => {
    read(name, 'taught', application);
    await end(`${name} taught`, tookMs);
    begun.length = 0;
  };
  return { queue, read, end, teach, begun };
}

describe('reads of an organisation with many applications', () => {
  /** Applications below 100 are of one organisation. */
  const groupOf: GroupOf = (party) => (Number(party) < 100 ? 'organisation' : party);

  it('have the turns of one application', async () => {
    const { read, end, begun } = setUp(1, groupOf);
    read('list', 'first', 100);
    for (const application of [1, 2, 3]) read('list', `of ${application}`, application);
    for (const neighbour of ['x', 'y', 'z']) read('list', neighbour, 100);
    while (begun.length < 7) await end(begun.at(-1) as string);
    expect(begun.slice(1)).toEqual(['list of 1', 'list x', 'list of 2', 'list y', 'list of 3', 'list z']);
  });

  it('leave a neighbour that reads one of two readers', async () => {
    const { read, teach, begun } = setUp(2, groupOf);
    for (const application of [1, 2, 100]) await teach('list', application, 50);
    read('list', 'of 1', 1);
    read('list', 'of 2', 2);
    read('list', 'neighbour', 100);
    expect(begun).toEqual(['list of 1', 'list neighbour']);
  });

  it('are rejected when too many of it wait, and others are not', async () => {
    const { queue, read } = setUp(1, groupOf);
    read('list', 'in progress', 1);
    for (let count = 0; count < 1_024; count++) read('list', `${count}`, 1 + (count % 30));
    await expect(queue.read('list', { application: 31 })).rejects.toThrow('the server is busy');
    const waiting = queue.numbers.queuedReads;
    read('list', 'neighbour', 100);
    expect(queue.numbers.queuedReads).toBe(waiting + 1);
  });
});

describe('the spare reader', () => {
  it('is started when a read has waited for a while, once another has ended', async () => {
    // No read takes long by this clock, so that none counts as heavy; the spare reader waits for a real timer.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const ends: (() => void)[] = [];
    const reader = { read: (): Promise<unknown> => new Promise((resolve) => ends.push(() => resolve(null))) };
    const start = vi.fn<() => Promise<Reader>>(() => Promise.resolve(reader));
    const queue = new ReadQueue([reader], start);
    const end = async (): Promise<void> => {
      ends.shift()?.();
      await new Promise(setImmediate);
    };
    void queue.read('a', {});
    void queue.read('b', {});
    await sleep(80);
    expect(start).not.toHaveBeenCalled();
    await end();
    await end();
    void queue.read('a', {});
    await sleep(80);
    expect(start).not.toHaveBeenCalled();
    void queue.read('b', {});
    await until(() => ends.length === 2);
    expect(start).toHaveBeenCalledOnce();
    await end();
    await end();
  });
});

describe('reads', () => {
  it('go to readers one at a time each', async () => {
    const { read, end, begun, queue } = setUp();
    for (const [application, of] of ['a', 'b', 'c'].entries()) read('list', of, application);
    expect(begun).toEqual(['list a', 'list b']);
    expect(queue.numbers).toMatchObject({ queuedReads: 3, reads: 2 });
    await end('list a', 500);
    expect(begun).toEqual(['list a', 'list b', 'list c']);
    expect(queue.numbers).toEqual({ queuedReads: 2, reads: 3, readWaitSeconds: 0.5, rejectedReads: 0 });
  });

  it('of applications that wait take turns by time', async () => {
    const { read, end, begun, teach } = setUp(1);
    await teach('list', 1, 10);
    await teach('list', 2, 10);
    for (const name of ['a1', 'a2', 'a3']) read('list', name, 1);
    for (const name of ['b1', 'b2']) read('list', name, 2);
    await end('list a1', 100);
    await end('list b1', 40);
    await end('list b2', 40);
    await end('list a2', 1);
    expect(begun).toEqual(['list a1', 'list b1', 'list b2', 'list a2', 'list a3']);
  });

  it('that are known to be heavy never take the last free reader', async () => {
    const { read, end, begun, teach } = setUp();
    await teach('report', 1, 5_000);
    await teach('report', 2, 5_000);
    read('report', 'a', 1);
    read('report', 'b', 2);
    expect(begun).toEqual(['report a']);
    read('list', 'c', 3);
    read('findKey', 'key');
    expect(begun).toEqual(['report a', 'list c']);
    await end('list c');
    expect(begun).toEqual(['report a', 'list c', 'findKey key']);
    await end('findKey key');
    await end('report a', 5_000);
    expect(begun.at(-1)).toBe('report b');
  });

  it('that are heavy and have waited for a second begin beside light ones, one at a time', async () => {
    const { read, end, begun, teach } = setUp();
    for (const application of [1, 2]) await teach('report', application, 500);
    for (const application of [3, 4]) await teach('list', application, 1);
    let [started, ended] = [0, 0];
    const start = (): void => read('list', String(started), 3 + (started++ % 2));
    /** Lists of two applications, one of which is always in progress, for so many times 50 ms. */
    const keepBusy = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        start();
        await end(`list ${ended++}`, 50);
      }
    };
    const reports = (): string[] => begun.filter((key) => key.startsWith('report'));
    start();
    start();
    read('report', 'a', 1);
    read('report', 'b', 2);
    await keepBusy(19);
    expect(reports()).toEqual([]);
    await keepBusy(3);
    expect(reports()).toEqual(['report a']);
    await keepBusy(9);
    expect(reports()).toEqual(['report a']);
    await end('report a', 100);
    expect(reports()).toEqual(['report a', 'report b']);
  });

  it('that return much never take the last free reader, however quick they are', async () => {
    const answers: ((value: unknown) => void)[] = [];
    const reader = { read: () => new Promise((resolve) => answers.push(resolve)) };
    const queue = new ReadQueue([{ ...reader }, { ...reader }]);
    const trace = (application: number): Promise<unknown> => queue.read('readTrace', { application });
    for (const application of [1, 2]) {
      const read = trace(application);
      answers.shift()?.(new Uint8Array(2 * 1024 * 1024));
      await read;
    }
    void trace(1);
    void trace(2);
    expect(answers.length).toBe(1);
    void queue.read('findKey', { keyId: 'key' });
    expect(answers.length).toBe(2);
  });

  it('of one application leave a reader to others that read as well, unless they are short', async () => {
    const { read, end, begun, teach } = setUp();
    for (const application of [1, 2]) await teach('list', application, 30);
    await teach('tag', 1, 1);
    for (const name of ['a', 'b']) read('list', name, 1);
    expect(begun).toEqual(['list a']);
    read('tag', 'c', 1);
    expect(begun).toEqual(['list a']);
    await end('list a', 30);
    expect(begun).toEqual(['list a', 'list b', 'tag c']);
    await end('tag c');
    read('list', 'd', 2);
    expect(begun.at(-1)).toBe('list d');
  });

  it('of one application take every reader when no other has read for a while', async () => {
    const { read, end, begun, teach } = setUp();
    await teach('list', 2, 30);
    await teach('list', 1, 30);
    read('list', 'a', 1);
    await end('list a', 1_000);
    for (let round = 0; round < 8; round++) await teach('list', 1, 30);
    for (const name of ['b', 'c']) read('list', name, 1);
    expect(begun).toEqual(['list b', 'list c']);
  });

  it('of an application that has one in progress do not take the last reader before they are known to be light', async () => {
    const { read, end, begun, teach } = setUp();
    await teach('list', 1, 1);
    read('report', 'a', 1);
    read('compare', 'b', 1);
    expect(begun).toEqual(['report a']);
    read('findKey', 'key');
    await end('findKey key');
    expect(begun).toEqual(['report a', 'findKey key']);
    await end('report a');
    expect(begun).toEqual(['report a', 'findKey key', 'compare b']);
    read('list', 'c', 1);
    expect(begun.at(-1)).toBe('list c');
  });

  it('do not wait behind the heavy ones of their own application', async () => {
    const { read, begun, teach } = setUp();
    await teach('report', 1, 5_000);
    await teach('list', 1, 1);
    for (const name of ['a', 'b', 'c']) read('report', name, 1);
    read('list', 'd', 1);
    expect(begun).toEqual(['report a', 'list d']);
  });

  it('that were heavy once count as light again after some quick ones', async () => {
    const { read, end, begun, teach } = setUp();
    await teach('report', 1, 300);
    await teach('report', 1, 1);
    await teach('list', 2, 1);
    read('list', 'a', 2);
    read('report', 'b', 1);
    expect(begun).toEqual(['list a', 'report b']);
    await end('report b');
  });

  it('know the application by the arguments or their owner', async () => {
    const { queue, begun } = setUp(1);
    for (const name of ['a1', 'a2']) void queue.read('list', { of: name, application: 1 });
    void queue.read('list', { of: 'a3', owner: { application: 1 } });
    void queue.read('list', { of: 'b1', owner: { application: 2 } });
    expect(begun).toEqual(['list a1']);
    expect(queue.numbers.queuedReads).toBe(4);
  });

  it('that are too many of one application are rejected, and those of another are not', async () => {
    const { queue } = setUp();
    const never = (application: number): Promise<unknown> => queue.read('list', { of: 'x', application });
    for (let n = 0; n < 512 + 1; n++) void never(1);
    await expect(never(1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(queue.numbers.rejectedReads).toBe(1);
    void never(2);
    expect(queue.numbers.queuedReads).toBe(514);
  });

  it('that fail give their reader back', async () => {
    const queue = new ReadQueue([{ read: () => Promise.reject(new Error('broken')) }]);
    await expect(queue.read('list', null)).rejects.toThrow('broken');
    await expect(queue.read('list', null)).rejects.toThrow('broken');
  });
});
