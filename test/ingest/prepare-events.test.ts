import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../src/ingest/events/read-events.ts';
import { convertEvents } from '../../src/ingest/events/convert.ts';
import { Maskers } from '../../src/ingest/maskers.ts';
import { EventPreparer } from '../../src/ingest/prepare-events.ts';
import type { EventsReply } from '../../src/ingest/requests.ts';
import { SliceQueue } from '../../src/ingest/slice-queue.ts';
import { Turns } from '../../src/ingest/turns.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { inOneTurn, type Steps } from '../../src/runtime/steps.ts';
import type { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import { traceCommands } from '../../src/traces/operations.ts';
import { SharedCount } from '../../src/runtime/shared-count.ts';
import { BASE_MS, PRICES } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const { newTenant } = useStore();

const MIB = 1024 * 1024;
const TRACE = 'b3c1a0de-2a44-4f0e-9d5c-0123456789ab';

/** Prepares calls over a writer in this thread, which answers on request. */
function open({ database }: Tenant, limit: number) {
  const budget = new MemoryBudget(limit);
  const commands = traceCommands({
    beforeTraceDeleted: [],
    purgeRows: [],
    purgeOfTrace: [],
    purgeOfSession: [],
    purgeOfTest: [],
    onDaysChanged: [],
  }) as Record<string, (...args: unknown[]) => unknown>;
  const waiting: { application: number; go: () => void }[] = [];
  let isHeld = false;
  const call = async (name: string, args: unknown, bytes: Uint8Array | null): Promise<unknown> => {
    const { application } = [args].flat()[0] as { application: number };
    if (isHeld) await new Promise<void>((go) => waiting.push({ application, go }));
    return database.connection.transaction(() => commands[name]?.(database, args, bytes ?? undefined))();
  };
  const timedCall = async (...args: Parameters<typeof call>) => ({ value: await call(...args), tookMs: 0 });
  const writer = { call, timedCall } as unknown as ThreadCaller;
  const readers = new SharedCount();
  const store = { turns: new Turns(), queue: new SliceQueue(writer, budget), readers };
  const shares = new FairShare(budget, 3);
  const preparer = new EventPreparer(
    { writer, maxBodyBytes: 8 * MIB, prices: PRICES, maskers: new Maskers() },
    store,
  );
  const send = (
    application: number,
    events: readonly object[],
    encoding: 'gzip' | 'identity' = 'identity',
  ) => {
    const json = Buffer.from(JSON.stringify({ events }));
    const body = encoding === 'gzip' ? gzipSync(json) : json;
    const share = shares.open(application);
    const request = {
      application,
      keyId: 'key',
      at: BASE_MS,
      body,
      encoding,
      format: 'json' as const,
      masking: null,
      idempotencyKey: null,
    };
    return preparer.events(request, share).finally(() => share.close());
  };
  return {
    budget,
    send,
    hold: () => void (isHeld = true),
    /** Lets the writer continue, for all or for one application; commands called afterwards wait again. */
    letGo: (application?: number) => {
      isHeld = application !== undefined;
      const chosen = waiting.filter((one) => application === undefined || one.application === application);
      for (const one of chosen) waiting.splice(waiting.indexOf(one), 1);
      for (const { go } of chosen) go();
    },
    waits: (application: number) => expect.poll(() => waiting.some((one) => one.application === application)),
  };
}

const resultsOf = ({ response }: EventsReply): unknown => (JSON.parse(response) as { data: unknown }).data;
const step = (id: string, input = 'x'): object => ({
  type: 'llm',
  event: 'start',
  id,
  traceId: TRACE,
  timestamp: BASE_MS,
  modelId: 'm',
  input,
});
const trace = (traceId: string, input: unknown = 'x'): object => ({
  type: 'trace',
  traceId,
  timestamp: BASE_MS,
  input,
});

describe('the memory of a native call', () => {
  it('stays charged until all of it is stored', async () => {
    const tenant = newTenant();
    const { send, hold, letGo, waits, budget } = open(tenant, 32 * MIB);
    hold();
    const many = Array.from({ length: 5_000 }, () => ({}));
    const sending = send(tenant.application, [trace(TRACE, { many, text: 'x'.repeat(2 * MIB) })], 'gzip');
    await waits(tenant.application).toBe(true);
    expect(budget.used).toBeGreaterThan(2 * MIB + 5_000 * 64);
    letGo();
    expect(resultsOf(await sending)).toEqual([{ success: true, id: TRACE }]);
    await expect.poll(() => budget.used).toBe(0);
  });

  it('is given back when the call is rejected, and rejects it as unavailable or as too large', async () => {
    const tenant = newTenant();
    const { send, budget } = open(tenant, 4 * MIB);
    budget.force(3 * MIB);
    const call = () => send(tenant.application, [trace(TRACE, 'x'.repeat(2 * MIB))]);
    await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
    expect(budget.used).toBe(3 * MIB);
    budget.release(3 * MIB);
    const objects = Array.from({ length: 100_000 }, () => ({}));
    await expect(send(tenant.application, [trace(TRACE, objects)])).rejects.toMatchObject({
      code: 'too_large',
    });
    expect(budget.used).toBe(0);
  });

  it('includes the stored spans that it continues', async () => {
    const tenant = newTenant();
    const ids = Array.from({ length: 8 }, (_, n) => `step-${n}`);
    const large = open(tenant, 256 * MIB);
    for (const id of ids) await large.send(tenant.application, [step(id, 'x'.repeat(MIB))]);
    const ends = ids.map((id) => ({ ...step(id), event: 'end', input: undefined, output: 'y' }));
    const small = open(tenant, 4 * MIB);
    await expect(small.send(tenant.application, ends)).rejects.toMatchObject({ code: 'too_large' });
    expect(small.budget.used).toBe(0);
    expect(resultsOf(await large.send(tenant.application, ends))).toEqual(ids.map(() => ({ success: true })));
  });
});

describe('native calls that name one trace', () => {
  it('run one after another, in the order of their arrival', async () => {
    const tenant = newTenant();
    const { send, hold, letGo, waits } = open(tenant, 32 * MIB);
    hold();
    const ended: number[] = [];
    const calls = [1, 2, 3].map(async (number) => {
      await send(tenant.application, [trace(TRACE, `input ${number}`)]);
      ended.push(number);
    });
    await waits(tenant.application).toBe(true);
    letGo();
    await Promise.all(calls);
    expect(ended).toEqual([1, 2, 3]);
    expect(tenant.list().data).toMatchObject([{ input: 'input 3' }]);
  });

  it('do not wait for those of another application', async () => {
    const [ours, theirs] = [newTenant(), newTenant()];
    const { send, hold, letGo, waits } = open(ours, 32 * MIB);
    hold();
    const slow = send(theirs.application, [trace(TRACE)]);
    await waits(theirs.application).toBe(true);
    const quick = send(ours.application, [trace(TRACE)]);
    await waits(ours.application).toBe(true);
    letGo();
    for (const call of [slow, quick]) expect(resultsOf(await call)).toEqual([{ success: true, id: TRACE }]);
  });
});

it('events are read and joined in turns alone', async () => {
  const log: string[] = [];
  const turns = async <T>(work: Steps<T>): Promise<T> => {
    log.push('turn begins');
    const result = inOneTurn(work);
    log.push('turn ends');
    return result;
  };
  const newTraceId = (): Buffer => {
    log.push('read');
    return Buffer.alloc(16, 7);
  };
  const find = async (): Promise<[]> => {
    log.push('find');
    return [];
  };
  const { spans } = await convertEvents(
    [{ type: 'trace', timestamp: BASE_MS, input: 'x' }, step('a')],
    newTraceId,
    find,
    turns,
  );
  expect(spans.length).toBe(2);
  expect(log).toEqual(['turn begins', 'read', 'turn ends', 'find', 'turn begins', 'turn ends']);
});

it('many events are read in several turns', () => {
  const content = 'x'.repeat(10_000);
  const events = Array.from({ length: 10_000 }, (_, index) => ({ ...step(`s${index}`), content }));
  const read = readEvents(events, () => Buffer.alloc(16, 7));
  let turns = 1;
  while (!read.next().done) turns += 1;
  expect(turns).toBeGreaterThan(1);
});
