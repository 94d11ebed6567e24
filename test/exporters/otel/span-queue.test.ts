import fc from 'fast-check';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SizedSpan } from '../../../exporters/otel/src/size.ts';
import type { ReadableSpan } from '../../../exporters/otel/src/span.ts';
import { SpanQueue } from '../../../exporters/otel/src/span-queue.ts';
import { effort } from '../../support/effort.ts';

const UNLIMITED = 1e9;
const span = (n: number, fields: Partial<ReadableSpan> = {}): ReadableSpan =>
  ({
    name: String(n),
    attributes: {},
    events: [],
    links: [],
    status: { code: 0 },
    ...fields,
  }) as unknown as ReadableSpan;
const namesOf = (batches: readonly ReadableSpan[][]): number[] =>
  batches.flat().map(({ name }) => Number(name));

/** An exporter whose batches end on request. */
function heldBack() {
  const batches: ReadableSpan[][] = [];
  const pending: (() => void)[] = [];
  const finish = (): void => {
    for (const end of pending.splice(0)) end();
  };
  return {
    batches,
    pending,
    finish,
    /** Ends every batch until what is waited for is over. */
    finishUntil: async (waitedFor: Promise<unknown>) => {
      const state = { isOver: false };
      const over = waitedFor.finally(() => (state.isOver = true));
      while (!state.isOver) {
        finish();
        await nextTurn();
      }
      await over;
    },
    export: (spans: readonly SizedSpan[], done: (result: { code: number }) => void) => {
      batches.push(spans.map((sized) => sized.span));
      pending.push(() => done({ code: 0 }));
    },
  };
}

const settings = { maxQueueSize: 8_192, maxQueueBytes: UNLIMITED, maxBatchSize: 512, delayMillis: 600_000 };

describe('the queue of spans', () => {
  it('loses none of 5000 spans that end in one tick', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, settings, UNLIMITED);
    for (let n = 0; n < 5_000; n += 1) queue.add(span(n));
    expect(exporter.batches).toEqual([]);
    await exporter.finishUntil(queue.flush());
    expect(namesOf(exporter.batches)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect(exporter.batches.map(({ length }) => length)).toEqual([...Array<number>(9).fill(512), 392]);
  });

  it('sends a full batch at the next turn and keeps the rest', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 3 }, UNLIMITED);
    for (let n = 0; n < 7; n += 1) queue.add(span(n));
    await nextTurn();
    expect(exporter.batches.map(({ length }) => length)).toEqual([3, 3]);
    expect(queue.stats()).toEqual({ dropped: 0, waiting: 1, inFlight: 6 });
  });

  it('sends a batch that does not fill after the delay', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, delayMillis: 1 }, UNLIMITED);
    queue.add(span(0));
    while (exporter.batches.length === 0) await nextTurn();
    expect(namesOf(exporter.batches)).toEqual([0]);
  });

  it('continues with full batches when those in progress have ended', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 2 }, UNLIMITED);
    for (let n = 0; n < 40; n += 1) queue.add(span(n));
    while (exporter.batches.length < 20) {
      exporter.finish();
      await nextTurn();
    }
    expect(namesOf(exporter.batches)).toHaveLength(40);
  });

  it('forgets no rest that came while the delayed batch waited for its turn', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 2, delayMillis: 1 }, UNLIMITED);
    for (let n = 0; n < 17; n += 1) queue.add(span(n));
    while (exporter.batches.length < 8) await nextTurn();
    await sleep(20);
    expect(exporter.batches).toHaveLength(8);
    queue.add(span(17));
    queue.add(span(18));
    while (namesOf(exporter.batches).length < 19) {
      exporter.finish();
      await nextTurn();
    }
    expect(namesOf(exporter.batches).at(-1)).toBe(18);
  });

  it('has at most eight batches in progress', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 1 }, UNLIMITED);
    for (let n = 0; n < 20; n += 1) queue.add(span(n));
    const flushed = queue.flush();
    await nextTurn();
    expect(exporter.pending).toHaveLength(8);
    for (let left = 20; left > 0; left -= 8) {
      exporter.finish();
      await nextTurn();
    }
    await flushed;
    expect(exporter.batches).toHaveLength(20);
  });

  it('waits in a flush for what a timer sent before', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 1 }, UNLIMITED);
    queue.add(span(0));
    await nextTurn();
    expect(exporter.pending).toHaveLength(1);
    let isFlushed = false;
    const flushed = queue.flush().then(() => (isFlushed = true));
    await nextTurn();
    expect(isFlushed).toBe(false);
    exporter.finish();
    await flushed;
  });

  it('drops what finds it full, counts it, and takes spans again afterwards', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxQueueSize: 3, maxBatchSize: 3 }, UNLIMITED);
    for (let n = 0; n < 5; n += 1) queue.add(span(n));
    expect(queue.stats()).toEqual({ dropped: 2, waiting: 3, inFlight: 0 });
    await nextTurn();
    queue.add(span(5));
    expect(queue.stats()).toEqual({ dropped: 2, waiting: 1, inFlight: 3 });
  });

  it('holds no more bytes than allowed, those of batches being sent included', async () => {
    const exporter = heldBack();
    const large = (n: number): ReadableSpan => span(n, { attributes: { text: 'x'.repeat(10_000) } });
    const queue = new SpanQueue(exporter, { ...settings, maxQueueBytes: 35_000, maxBatchSize: 2 }, UNLIMITED);
    expect([0, 1].map((n) => queue.add(large(n)))).toEqual([0, 0]);
    await nextTurn();
    expect(queue.stats()).toEqual({ dropped: 0, waiting: 0, inFlight: 2 });
    expect([2, 3].map((n) => queue.add(large(n)))).toEqual([0, 1]);
    await exporter.finishUntil(queue.flush());
    expect([4, 5, 6, 7].map((n) => queue.add(large(n)))).toEqual([0, 0, 0, 1]);
  });

  it('sends a batch at the next turn once it has the bytes of a request', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, settings, 25_000);
    for (let n = 0; n < 5; n += 1) queue.add(span(n, { attributes: { text: 'x'.repeat(10_000) } }));
    await nextTurn();
    expect(exporter.batches.map((batch) => batch.length)).toEqual([2, 2]);
    expect(queue.stats()).toMatchObject({ waiting: 1 });
  });

  it('gives the place of other spans to the root of a test, the latest first', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxQueueSize: 4 }, UNLIMITED);
    const ofTest = { attributes: { 'service.test.id': '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10' } };
    const parent = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
    queue.add(span(0));
    queue.add(span(1, ofTest));
    queue.add(span(2));
    queue.add(span(3, { ...ofTest, parentSpanContext: parent }));
    expect(queue.add(span(4, ofTest))).toBe(1);
    expect(queue.add(span(5, { ...ofTest, parentSpanContext: { ...parent, isRemote: true } }))).toBe(1);
    expect(queue.add(span(6, { ...ofTest, parentSpanContext: parent }))).toBe(1);
    expect(queue.stats()).toEqual({ dropped: 3, waiting: 4, inFlight: 0 });
    await exporter.finishUntil(queue.flush());
    expect(namesOf(exporter.batches)).toEqual([0, 1, 4, 5]);
  });

  it('looks for no place where all that waits are roots of tests', async () => {
    let reads = 0;
    const root = (n: number): ReadableSpan =>
      Object.defineProperty(span(n), 'attributes', {
        get: () => {
          reads += 1;
          return { 'service.test.id': 'a' };
        },
      });
    const exporter = heldBack();
    const queue = new SpanQueue(
      exporter,
      { ...settings, maxQueueSize: 1_000, maxBatchSize: 2_000 },
      UNLIMITED,
    );
    for (let n = 0; n < 2_000; n += 1) queue.add(root(n));
    expect(queue.stats()).toMatchObject({ waiting: 1_000, dropped: 1_000 });
    expect(reads).toBeLessThan(10_000);
    await exporter.finishUntil(queue.flush());
  });

  it('sends every accepted span exactly once and in order, whatever the sizes and whenever batches end', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ add: fc.integer({ min: 1, max: 60 }) }),
        fc.constant('turn' as const),
        fc.constant('finish' as const),
        fc.constant('flush' as const),
      ),
      { maxLength: 30 },
    );
    const sizes = fc.record({
      maxQueueSize: fc.integer({ min: 1, max: 100 }),
      maxBatchSize: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(steps, sizes, async (script, { maxQueueSize, maxBatchSize }) => {
        const exporter = heldBack();
        const limits = {
          maxQueueSize,
          maxQueueBytes: UNLIMITED,
          maxBatchSize: Math.min(maxBatchSize, maxQueueSize),
          delayMillis: 600_000,
        };
        const queue = new SpanQueue(exporter, limits, UNLIMITED);
        const accepted: number[] = [];
        const flushes: Promise<void>[] = [];
        let added = 0;
        for (const step of script) {
          if (step === 'turn') await nextTurn();
          else if (step === 'finish') exporter.finish();
          else if (step === 'flush') flushes.push(queue.flush());
          else {
            for (let n = 0; n < step.add; n += 1) {
              const { dropped } = queue.stats();
              queue.add(span(added));
              if (queue.stats().dropped === dropped) accepted.push(added);
              added += 1;
            }
          }
        }
        await exporter.finishUntil(Promise.all([...flushes, queue.flush()]));
        expect(namesOf(exporter.batches)).toEqual(accepted);
        expect(Math.max(0, ...exporter.batches.map(({ length }) => length))).toBeLessThanOrEqual(
          limits.maxBatchSize,
        );
        expect(queue.stats()).toEqual({ dropped: added - accepted.length, waiting: 0, inFlight: 0 });
      }),
      { numRuns: effort(67) },
    );
  });
});
