import { describe, expect, it } from 'vitest';
import { MAX_COMMAND_WEIGHT } from '../../src/ingest/pace.ts';
import { SliceQueue } from '../../src/ingest/slice-queue.ts';
import {
  requestCountsOf,
  prepareSpans,
  type RequestFacts,
  storeRequest,
} from '../../src/ingest/store-request.ts';
import { Turns } from '../../src/ingest/turns.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import type { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import { findAnswer } from '../../src/traces/idempotency.ts';
import { type PackedSlice, unpackSlices } from '../../src/traces/packed-slices.ts';
import { storeSlices, type StoreSpans } from '../../src/traces/store.ts';
import { SharedCount } from '../../src/runtime/shared-count.ts';
import { BASE_MS, incomingSpans, type SpanSpec, traceBytes } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const { newTenant } = useStore();

/** A writer in this thread over the store of a tenant; it fails from the command `failsAt` on. */
function openQueue({ database }: Tenant, failsAt = Infinity, tookMs = 1) {
  const slices: StoreSpans[] = [];
  const writer = {
    timedCall: async (_name: string, packed: PackedSlice[], bytes: Uint8Array) => {
      if (slices.length >= failsAt) throw new Error('the process is gone');
      const args = unpackSlices(packed, bytes);
      slices.push(...args);
      return { value: database.transaction(() => storeSlices(database, args)), tookMs };
    },
  } as unknown as ThreadCaller;
  const budget = new MemoryBudget(2 ** 30);
  const readers = new SharedCount();
  const share = new FairShare(budget, 3).open(1);
  const queue = new SliceQueue(writer, budget);
  return { slices, budget, deps: { turns: new Turns(), queue, readers, share } };
}

const factsOf = ({ application }: Tenant, more: Partial<RequestFacts> = {}): RequestFacts => ({
  application,
  keyId: 'key',
  at: BASE_MS,
  native: false,
  rejected: {},
  notices: {},
  rejections: [],
  steps: null,
  idempotency: null,
  ...more,
});

/** Traces of two spans each, far more than one slice takes. */
const MANY: SpanSpec[] = Array.from({ length: 2_400 }, (_, i) => ({ trace: 1 + (i >> 1), id: 1 + i }));
const steps = (traces: readonly number[]) => ({
  opened: traces.map((trace) => ({
    traceId: traceBytes(trace),
    match: Buffer.alloc(16, 1),
    start: 1n,
    spanId: Buffer.alloc(8, trace),
  })),
  closed: [],
  aliases: traces.map((trace) => ({
    traceId: traceBytes(trace),
    endId: Buffer.alloc(8, 9),
    spanId: Buffer.alloc(8, trace),
  })),
});
const idempotency = { key: 'k', requestHash: Buffer.alloc(32), response: '{}' };

describe('a request of many slices', () => {
  it('names its traces only while someone reads the feed', async () => {
    const tenant = newTenant();
    const { deps } = openQueue(tenant);
    const store = (trace: number) =>
      storeRequest(deps, factsOf(tenant), prepareSpans(incomingSpans([{ trace, id: trace }]), 1_000));
    expect((await store(1)).traces).toBeNull();
    deps.readers.add(1);
    expect((await store(2)).traces).toEqual({ traceIds: new Uint8Array(traceBytes(2)), isTruncated: false });
    deps.readers.add(-1);
    expect((await store(3)).traces).toBeNull();
  });

  it('is one request in the ledger, with what was rejected before counted once', async () => {
    const tenant = newTenant();
    const { deps, slices, budget } = openQueue(tenant);
    const rejected = { invalid: 3, too_old: 4 };
    const facts = factsOf(tenant, { rejected, notices: { invalid_test_id: 2 } });
    const outcome = await storeRequest(deps, facts, prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT));
    expect(slices.length).toBeGreaterThan(2);
    expect(slices.map(({ requests }) => requests)).toEqual([1, ...slices.slice(1).map(() => 0)]);
    expect(requestCountsOf(outcome, rejected)).toEqual({
      stored: MANY.length,
      duplicate: 0,
      replaced: 0,
      rejected: 7,
      reasons: rejected,
    });
    expect(tenant.ledger()).toEqual({
      requests: 1,
      received: MANY.length + 7,
      stored: MANY.length,
      duplicate: 0,
      replaced: 0,
      rejected: 7,
    });
    expect(
      tenant.database.get('SELECT reasons, notices FROM ledger WHERE application = ?', tenant.application),
    ).toEqual({ reasons: JSON.stringify(rejected), notices: '{"invalid_test_id":2}' });
    await expect.poll(() => budget.used).toBe(0);
  });

  it('is split into smaller slices while the writer is slow', async () => {
    const tenant = newTenant();
    const { deps, slices } = openQueue(tenant, Infinity, 500);
    const prepared = prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT);
    const outcome = await storeRequest(deps, factsOf(tenant), prepared);
    expect(slices.length).toBeGreaterThan(prepared.slices.length);
    expect(outcome.stored).toBe(MANY.length);
    expect(tenant.ledger()).toMatchObject({ requests: 1, received: MANY.length, stored: MANY.length });
  });

  it('leaves a ledger that balances wherever it is interrupted, and counts as duplicate what is sent again', async () => {
    const { slices } = prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT);
    for (let failsAt = 0; failsAt <= slices.length; failsAt++) {
      const tenant = newTenant();
      tenant.delete(1);
      // A trace that is deleted, one that changes, one that is there already.
      tenant.store([{ trace: 1, id: 1 }]);
      tenant.delete(1);
      tenant.store([
        { trace: 2, id: 3, name: 'before' },
        { trace: 1_000, id: 1_999 },
      ]);
      const cut = openQueue(tenant, failsAt);
      const storing = storeRequest(
        cut.deps,
        factsOf(tenant),
        prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT),
      );
      if (failsAt < slices.length) await expect(storing).rejects.toThrow('the process is gone');
      else await storing;
      const { received, stored, duplicate, replaced, rejected } = tenant.ledger();
      expect(received).toBe(stored + duplicate + replaced + rejected);
      await expect.poll(() => cut.budget.used).toBe(0);

      const again = openQueue(tenant);
      await storeRequest(again.deps, factsOf(tenant), prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT));
      const after = tenant.ledger();
      expect(after.received).toBe(after.stored + after.duplicate + after.replaced + after.rejected);
      expect(after.replaced).toBe(1);
      // One before the trace was deleted, two before the request, and what was neither rejected nor there.
      expect(after.stored).toBe(1 + 2 + MANY.length - 4);
    }
  });

  it('stores native steps with the first slice of their trace, and the response with the last slice', async () => {
    const tenant = newTenant();
    const { deps, slices } = openQueue(tenant);
    // Trace 5000 has no span in the request: its steps go with the last slice.
    const traces = [1, 2, 600, 1_200, 5_000];
    const facts = factsOf(tenant, { native: true, steps: steps(traces), idempotency });
    await storeRequest(deps, facts, prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT));
    const hex = (id: Uint8Array): string => Buffer.from(id).toString('hex');
    const placeOf = (trace: number): number => {
      const place = slices.findIndex(({ batch }) =>
        batch.traces.some(({ traceId: [start, end] }) =>
          traceBytes(trace).equals(batch.byteBuffer.subarray(start, end)),
        ),
      );
      return place < 0 ? slices.length - 1 : place;
    };
    for (const kind of ['opened', 'aliases'] as const) {
      const places = slices.flatMap((slice, place) =>
        (slice.steps?.[kind] ?? []).map(({ traceId }) => [hex(traceId), place]),
      );
      expect(places).toEqual(traces.map((trace) => [hex(traceBytes(trace)), placeOf(trace)]));
    }
    expect(slices.map((slice) => slice.idempotency !== null)).toEqual(
      slices.map((_, place) => place === slices.length - 1),
    );
  });

  it('that is interrupted before its last slice has no response to be repeated', async () => {
    const tenant = newTenant();
    const answer = (): unknown =>
      findAnswer(tenant.database, { application: tenant.application, key: 'k', since: 0 });
    const facts = factsOf(tenant, { native: true, idempotency });
    const cut = openQueue(tenant, 2);
    await expect(
      storeRequest(cut.deps, facts, prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT)),
    ).rejects.toThrow('the process is gone');
    expect(answer()).toBeNull();
    const whole = openQueue(tenant);
    await storeRequest(whole.deps, facts, prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT));
    expect(answer()).toMatchObject({ response: '{}' });
    const again = openQueue(tenant);
    await expect(
      storeRequest(again.deps, facts, prepareSpans(incomingSpans(MANY), MAX_COMMAND_WEIGHT)),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('a request without spans', () => {
  it('is one slice that is written to the ledger', async () => {
    const tenant = newTenant();
    const { deps, slices } = openQueue(tenant);
    await storeRequest(
      deps,
      factsOf(tenant, { rejected: { invalid: 2 } }),
      prepareSpans([], MAX_COMMAND_WEIGHT),
    );
    expect(slices).toHaveLength(1);
    expect(tenant.ledger()).toMatchObject({ requests: 1, received: 2, rejected: 2, stored: 0 });
  });
});
