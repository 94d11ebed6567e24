import fc from 'fast-check';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ReadableSpan } from '../../../exporters/otel/src/span.ts';
import { SpanQueue } from '../../../exporters/otel/src/span-queue.ts';
import { effort } from '../../support/effort.ts';

const span = (n: number): ReadableSpan => ({ name: String(n) }) as ReadableSpan;
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
    export: (spans: ReadableSpan[], done: (result: { code: number }) => void) => {
      batches.push(spans);
      pending.push(() => done({ code: 0 }));
    },
  };
}

const settings = { maxQueueSize: 8_192, maxBatchSize: 512, delayMillis: 600_000 };

describe('the queue of spans', () => {
  it('loses none of 5000 spans that end in one tick', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, settings);
    for (let n = 0; n < 5_000; n += 1) queue.add(span(n));
    expect(exporter.batches).toEqual([]);
    await exporter.finishUntil(queue.flush());
    expect(namesOf(exporter.batches)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect(exporter.batches.map(({ length }) => length)).toEqual([...Array<number>(9).fill(512), 392]);
  });

  it('sends a full batch at the next turn and keeps the rest', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 3 });
    for (let n = 0; n < 7; n += 1) queue.add(span(n));
    await nextTurn();
    expect(exporter.batches.map(({ length }) => length)).toEqual([3, 3]);
    expect(queue.stats()).toEqual({ dropped: 0, waiting: 1, inFlight: 6 });
  });

  it('sends a batch that does not fill after the delay', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, delayMillis: 1 });
    queue.add(span(0));
    while (exporter.batches.length === 0) await nextTurn();
    expect(namesOf(exporter.batches)).toEqual([0]);
  });

  it('continues with full batches when those in progress have ended', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 2 });
    for (let n = 0; n < 40; n += 1) queue.add(span(n));
    while (exporter.batches.length < 20) {
      exporter.finish();
      await nextTurn();
    }
    expect(namesOf(exporter.batches)).toHaveLength(40);
  });

  it('forgets no rest that came while the delayed batch waited for its turn', async () => {
    const exporter = heldBack();
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 2, delayMillis: 1 });
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
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 1 });
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
    const queue = new SpanQueue(exporter, { ...settings, maxBatchSize: 1 });
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
    const queue = new SpanQueue(exporter, { ...settings, maxQueueSize: 3, maxBatchSize: 3 });
    for (let n = 0; n < 5; n += 1) queue.add(span(n));
    expect(queue.stats()).toEqual({ dropped: 2, waiting: 3, inFlight: 0 });
    await nextTurn();
    queue.add(span(5));
    expect(queue.stats()).toEqual({ dropped: 2, waiting: 1, inFlight: 3 });
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
          maxBatchSize: Math.min(maxBatchSize, maxQueueSize),
          delayMillis: 600_000,
        };
        const queue = new SpanQueue(exporter, limits);
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
