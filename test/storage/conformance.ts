import { randomBytes } from 'node:crypto';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import type { Storage } from '../../src/storage/storage.ts';
import {
  deleteTrace,
  dropWaitingLogs,
  findNativeSteps,
  listTraces,
  purgeTrace,
  readTrace,
  storeSlices,
} from '../../src/traces/calls.ts';
import { packSlices } from '../../src/traces/packed-slices.ts';
import type { StoreSpans } from '../../src/traces/store.ts';
import { BASE_MS, type SpanSpec, spanHex, traceBytes } from '../support/spans.ts';
import { storeArgs, type TraceJson, type TracePage, writeSlice } from '../support/storage.ts';

export interface OpenStorage {
  readonly storage: Storage;
  /** Closes, and opens the same data again. */
  reopen(): Promise<Storage>;
  close(): Promise<void>;
}

/** Application of a test, which has the traces of the test alone. */
let application = 0;

export interface EngineWays {
  /** Part of the message of the engine for a value of a wrong type. */
  wrongType: string;
  /** True if commands that arrive together share a commit. */
  sharesCommits: boolean;
}

/** Holds an engine to what src/storage/storage.ts promises. `open` opens it over data of its own, which the tests share. */
export function describeStorage(
  name: string,
  open: () => Promise<OpenStorage>,
  { wrongType, sharesCommits }: EngineWays,
): void {
  describe(`${name} as a storage engine`, () => {
    let opened: OpenStorage;
    let storage: Storage;

    beforeAll(async () => {
      opened = await open();
      storage = opened.storage;
    });
    beforeEach(() => {
      application += 1;
    });
    afterAll(() => opened.close());

    const owner = () => ({ application, applicationId: 'a', orgId: 'o' });
    const store = (specs: readonly SpanSpec[], more: Partial<StoreSpans> = {}) =>
      writeSlice(storage.write, storeArgs(application, specs, more));
    const storeThrough = (caller: ThreadCaller, specs: readonly SpanSpec[]) =>
      writeSlice((...call) => caller.call(...call), storeArgs(application, specs));
    const read = async (trace: number): Promise<TraceJson | null> => {
      const bytes = await storage.read(readTrace, { ...owner(), traceIds: [traceBytes(trace)] });
      return bytes && (JSON.parse(Buffer.from(bytes).toString()) as { data: TraceJson }).data;
    };
    const list = async (): Promise<TracePage> => {
      const page = { filter: {}, skip: 0, limit: 1_000, orderDir: 'asc' } as const;
      const bytes = await storage.read(listTraces, { ...owner(), ...page });
      return JSON.parse(Buffer.from(bytes).toString()) as TracePage;
    };
    const conflicting = (id: number): Partial<StoreSpans> => ({
      idempotency: { key: 'taken', requestHash: Buffer.alloc(32, id), response: '{}' },
    });
    /** Fails for a reason of its own: its key is no value of SQL. */
    const brokenPurge = { tkey: {} as never };
    const callByName = (kind: 'read' | 'write', operation: string): Promise<unknown> =>
      (storage[kind] as (operation: string, args: object) => Promise<unknown>)(operation, {});
    const unknown = (kind: 'read' | 'write'): Promise<unknown> => callByName(kind, 'noSuchOperation');
    const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

    describe('a write', () => {
      it('is seen by every read that is called after it resolved', async () => {
        for (let id = 1; id <= 20; id++) {
          await store([{ id }]);
          expect(await Promise.all([read(1), read(1), read(1)])).toMatchObject(times(3, { spanCount: id }));
        }
      });

      it('is there after the data is opened again, be it one of five hundred at once', async () => {
        const outcomes = await Promise.all(
          Array.from({ length: 500 }, (_, i) => store([{ trace: i + 1, id: 1, start: i }])),
        );
        expect(outcomes.every(({ stored }) => stored === 1)).toBe(true);
        storage = await opened.reopen();
        const { data } = await list();
        expect(data.map(({ otelTraceId }) => otelTraceId)).toEqual(
          Array.from({ length: 500 }, (_, i) => traceBytes(i + 1).toString('hex')),
        );
      });

      it('goes together with others into fewer commits, if the engine does that', async () => {
        const before = await storage.stats();
        await Promise.all(Array.from({ length: 500 }, (_, i) => store([{ trace: i + 1, id: 1 }])));
        const after = await storage.stats();
        expect(after.commands - before.commands).toBe(500);
        const commits = after.commits - before.commits;
        expect(commits < 500).toBe(sharesCommits);
        expect(after.failedCommits).toBe(0);
      });

      it('changes the version of the store if it changed something', async () => {
        const versions = [storage.version()];
        await store([{ id: 1 }]);
        versions.push(storage.version());
        expect(await storage.write(dropWaitingLogs, { before: 0, limit: 1 })).toBe(0);
        versions.push(storage.version());
        await store([{ id: 2 }]);
        versions.push(storage.version());
        expect(versions[1]).not.toBe(versions[0]);
        expect(versions[2]).toBe(versions[1]);
        expect(versions[3]).not.toBe(versions[2]);
      });

      it('returns what its command returned', async () => {
        await store([{ id: 1 }]);
        expect(await store([{ id: 1 }, { id: 2 }])).toEqual({
          stored: 1,
          duplicate: 1,
          replaced: 0,
          rejected: [],
        });
        const deleted = { application, traceIds: [traceBytes(9)], at: BASE_MS };
        expect(await storage.write(deleteTrace, deleted)).toBeNull();
        expect(await storage.write(dropWaitingLogs, { before: 0, limit: 1 })).toBe(0);
      });

      it('sees what the commands before it did, in the order they were called', async () => {
        const outcomes: unknown[] = await Promise.all([
          store([{ id: 1 }]),
          store([{ id: 1 }]),
          store([{ id: 1, name: 'other' }]),
        ]);
        const trace = { application, traceIds: [traceBytes(1)], at: BASE_MS };
        outcomes.push(await storage.write(deleteTrace, trace), await store([{ id: 1 }]));
        expect(outcomes).toMatchObject([
          { stored: 1, duplicate: 0, replaced: 0 },
          { stored: 0, duplicate: 1, replaced: 0 },
          { stored: 0, duplicate: 0, replaced: 1 },
          { tkey: expect.any(Number) as number },
          { stored: 0, rejected: [{ reason: 'deleted' }] },
        ]);
      });

      it('finds in the writer what was written before it', async () => {
        await store([{ id: 5 }]);
        const answer = await storage.write(findNativeSteps, {
          application,
          queries: [
            { traceId: traceBytes(1), spanIds: [Buffer.from(spanHex(5), 'hex')], matches: [], touched: [] },
          ],
        });
        expect(answer).toMatchObject({
          blocks: [{ query: 0, spanIds: [new Uint8Array(Buffer.from(spanHex(5), 'hex'))] }],
          left: [],
        });
      });

      it('takes bytes that are moved to it instead of copied', async () => {
        const { packed, bytes } = packSlices([
          storeArgs(application, [{ id: 1, attributes: { blob: new Uint8Array(randomBytes(100_000)) } }]),
        ]);
        await storage.write(storeSlices, packed, bytes);
        expect(bytes.byteLength).toBe(0);
        expect(await read(1)).toMatchObject({ spanCount: 1 });
      });
    });

    describe('a command that fails', () => {
      it('stores nothing, and leaves alone what is committed with it', async () => {
        await store([{ trace: 100, id: 1 }], conflicting(0));
        const settled = await Promise.allSettled([
          store([{ trace: 1, id: 1 }]),
          store([{ trace: 2, id: 1 }], conflicting(2)),
          storage.write(purgeTrace, brokenPurge),
          unknown('write'),
          store([{ trace: 3, id: 1 }]),
        ]);
        expect(settled.map(({ status }) => status)).toEqual([
          'fulfilled',
          'rejected',
          'rejected',
          'rejected',
          'fulfilled',
        ]);
        storage = await opened.reopen();
        expect(await Promise.all([1, 2, 3].map(read))).toMatchObject([
          { spanCount: 1 },
          null,
          { spanCount: 1 },
        ]);
      });

      it('leaves alone its neighbours wherever it stands among them', async () => {
        await store([{ trace: 100, id: 1 }], conflicting(0));
        const settled = await Promise.allSettled(
          Array.from({ length: 60 }, (_, i) =>
            store([{ trace: i + 1, id: 1 }], i % 3 === 0 ? conflicting(i) : {}),
          ),
        );
        const stored = settled.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
        expect(stored).toEqual(Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 3 !== 0));
        expect((await list()).pagination.total).toBe(1 + stored.length);
      });

      it('rejects with its AppError as it was', async () => {
        await store([{ id: 1 }], conflicting(0));
        const error: unknown = await store([{ id: 2 }], conflicting(1)).catch((reason: unknown) => reason);
        expect(error).toMatchObject({
          name: 'AppError',
          code: 'conflict',
          status: 409,
          issues: [],
          retryAfter: null,
        });
      });

      it('rejects with any other error as a failure that is no AppError', async () => {
        await store([{ id: 1 }]);
        const error: unknown = await storage
          .write(purgeTrace, brokenPurge)
          .catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(Error);
        expect(error).not.toMatchObject({ name: 'AppError' });
        expect(await store([{ id: 2 }])).toMatchObject({ stored: 1 });
      });

      it('rejects an unknown name, be it one that every object has', async () => {
        await expect(unknown('write')).rejects.toThrow('noSuchOperation');
        await expect(unknown('read')).rejects.toThrow('noSuchOperation');
        for (const kind of ['read', 'write'] as const) {
          await expect(callByName(kind, 'constructor')).rejects.toThrow('constructor');
        }
      });
    });

    describe('a read', () => {
      it('that fails leaves the next one alone', async () => {
        await store([{ id: 1 }]);
        const broken = storage.read(listTraces, {
          ...owner(),
          filter: {},
          skip: 0,
          limit: 'x' as never,
          orderDir: 'asc',
        });
        await expect(broken).rejects.toThrow(wrongType);
        expect(await Promise.all([read(1), read(1), read(1)])).toMatchObject(times(3, { spanCount: 1 }));
      });

      it('sees one state of the data, however much is written meanwhile', async () => {
        const ids = Array.from({ length: 30 }, (_, i) => i + 1);
        const writes = ids.map((id) => store([{ id, attributes: { 'gen_ai.usage.input_tokens': 1 } }]));
        const reads = ids.map(() => read(1));
        for (const trace of await Promise.all(reads)) {
          if (trace === null) continue;
          expect(trace.usage.promptTokens).toBe(trace.spanCount);
          expect((trace['steps'] as unknown[]).length).toBe(trace.spanCount);
        }
        await Promise.all(writes);
        expect(await read(1)).toMatchObject({ spanCount: 30 });
      });
    });

    describe('a line to the writer for another thread', () => {
      it('keeps the promises of write', async () => {
        const caller = new ThreadCaller(storage.connectWriter(), 100);
        const settled = await Promise.allSettled([
          storeThrough(caller, [{ id: 1 }]),
          caller.call('noSuchOperation', null),
          storeThrough(caller, [{ id: 1 }]),
        ]);
        expect(settled).toMatchObject([
          { status: 'fulfilled', value: { stored: 1 } },
          { status: 'rejected' },
          { status: 'fulfilled', value: { duplicate: 1 } },
        ]);
        expect(await read(1)).toMatchObject({ spanCount: 1 });
      });

      it('can be passed on', async () => {
        const { port1, port2 } = new MessageChannel();
        const line = storage.connectWriter();
        port1.postMessage(line, [line]);
        const received = await new Promise<ReturnType<Storage['connectWriter']>>((resolve) => {
          port2.once('message', resolve);
        });
        await storeThrough(new ThreadCaller(received, 1), [{ id: 1 }]);
        expect(await read(1)).toMatchObject({ spanCount: 1 });
        received.close();
        port1.close();
      });
    });

    describe('closing', () => {
      afterEach(async () => {
        storage = await opened.reopen();
      });

      it('finishes what was accepted: writes, those of other lines, and reads', async () => {
        await store([{ trace: 900, id: 1 }]);
        const caller = new ThreadCaller(storage.connectWriter(), 1_000);
        const writes = Array.from({ length: 200 }, (_, i) => [
          store([{ trace: i + 1, id: 1 }]),
          storeThrough(caller, [{ trace: 1_000 + i, id: 1 }]),
        ]).flat();
        const reads = Array.from({ length: 20 }, () => read(900));
        const closed = storage.close();
        expect(await Promise.all(writes)).toMatchObject(times(400, { stored: 1 }));
        expect(await Promise.all(reads)).toMatchObject(times(20, { spanCount: 1 }));
        await closed;
        storage = await opened.reopen();
        expect((await list()).pagination.total).toBe(401);
      });

      it('rejects what is called afterwards', async () => {
        await storage.close();
        await expect(store([{ id: 1 }])).rejects.toMatchObject({ code: 'unavailable' });
        await expect(read(1)).rejects.toMatchObject({ code: 'unavailable' });
      });

      it('is done at once with a store that has only just been opened', async () => {
        for (let round = 0; round < 5; round++) storage = await opened.reopen();
        await expect(storage.close()).resolves.toBeUndefined();
      });

      it('may be requested twice', async () => {
        await Promise.all([storage.close(), storage.close()]);
        await expect(storage.close()).resolves.toBeUndefined();
      });
    });

    it('reports how large its files and queues are', async () => {
      await store([{ id: 1 }]);
      expect(await storage.stats()).toMatchObject({ failedCommits: 0, queuedWrites: 0, queuedReads: 0 });
      expect((await storage.stats()).fileBytes).toBeGreaterThan(0);
    });
  });
}
