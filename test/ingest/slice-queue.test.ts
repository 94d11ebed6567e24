import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_COMMAND_WEIGHT as MOST } from '../../src/ingest/pace.ts';
import { SliceQueue } from '../../src/ingest/slice-queue.ts';
import { AppError } from '../../src/errors.ts';
import { type Envelope, openEnvelope } from '../../src/runtime/outbox.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { type CallMessage, ThreadCaller, ThreadResponder } from '../../src/runtime/thread-calls.ts';
import type { PackedSlice } from '../../src/traces/packed-slices.ts';
import type { StoreSpans } from '../../src/traces/store.ts';
import { storeArgs } from '../support/storage.ts';

/** A writer at the other end of a real port, which answers when the test has it answer. */
function stagedWriter() {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const responder = new ThreadResponder(port2);
  const commands: { names: string[]; id: number }[] = [];
  port2.on('message', (calls: Envelope<CallMessage>) => {
    openEnvelope(calls, ({ id, args }) => {
      commands.push({ id, names: (args as PackedSlice[]).map(({ keyId }) => keyId) });
    });
  });
  const budget = new MemoryBudget(2 ** 30);
  const queue = new SliceQueue(new ThreadCaller(port1, 100), budget);
  const share = new FairShare(budget, 3).open(1);
  const outcomeOf = (name: string): unknown =>
    name.startsWith('taken')
      ? { isKeyTaken: true }
      : { stored: name.length, duplicate: 0, replaced: 0, rejected: [] };
  return {
    queue: {
      store: (slice: StoreSpans, weight: number) => queue.store(slice, weight, share),
      get maxWeight() {
        return queue.maxWeight;
      },
    },
    budget,
    /** The slices of the command at this place, by name, once it has arrived. */
    command: async (place: number): Promise<string[]> => {
      await expect.poll(() => commands.length, { interval: 1 }).toBeGreaterThan(place);
      return commands[place]?.names ?? [];
    },
    count: () => commands.length,
    answer: (place: number, tookMs = 10): void => {
      const { id, names } = commands[place] as (typeof commands)[number];
      responder.answer(id, names.map(outcomeOf), tookMs);
    },
    fail: (place: number, error: unknown): void => responder.fail(commands[place]?.id ?? -1, error),
  };
}

const slice = (name: string, application = 1): StoreSpans =>
  storeArgs(application, [{ id: 1, name }], { keyId: name });

describe('slices on their way to the writer', () => {
  it('share a command when they become ready together, and each gets its own outcome', async () => {
    const { queue, command, answer } = stagedWriter();
    const stored = ['a', 'bb', 'ccc'].map((name) => queue.store(slice(name), 10));
    expect(await command(0)).toEqual(['a', 'bb', 'ccc']);
    answer(0);
    expect((await Promise.all(stored)).map((outcome) => outcome.stored)).toEqual([1, 2, 3]);
  });

  it('are stored alone after a command that one of them broke, so that the others do not fail with it', async () => {
    const { queue, command, answer, fail, budget } = stagedWriter();
    const stored = ['a', 'broken', 'ccc'].map((name) =>
      queue.store(slice(name), 10).then(
        (outcome) => outcome.stored,
        (error: unknown) => error,
      ),
    );
    await command(0);
    fail(0, new Error('the directory names a block that is not stored'));
    expect(await command(1)).toEqual(['a']);
    answer(1);
    expect(await command(2)).toEqual(['broken']);
    fail(2, new Error('the directory names a block that is not stored'));
    expect(await command(3)).toEqual(['ccc']);
    answer(3);
    expect(await Promise.all(stored)).toEqual([1, expect.any(Error), 3]);
    await expect.poll(() => budget.used).toBe(0);
  });

  it('share a command when they become ready while two are in progress', async () => {
    const { queue, command, count, answer } = stagedWriter();
    const stored = [queue.store(slice('a'), 10)];
    await command(0);
    stored.push(queue.store(slice('b'), 10));
    await command(1);
    for (const name of ['c', 'd', 'e']) stored.push(queue.store(slice(name), 10));
    await new Promise((resolve) => void setTimeout(resolve, 20));
    expect(count()).toBe(2);
    answer(0);
    expect(await command(2)).toEqual(['c', 'd', 'e']);
    answer(1);
    answer(2);
    expect(await Promise.all(stored)).toHaveLength(5);
  });

  it('are no more in one command than it may weigh, unless one alone weighs more', async () => {
    const { queue, command, answer } = stagedWriter();
    const weights = { a: (MOST * 3) / 4, b: MOST / 4, c: 1, d: MOST * 2, e: MOST / 2, f: MOST / 2 + 1 };
    const stored = Object.entries(weights).map(([name, weight]) => queue.store(slice(name), weight));
    const expected = [['a', 'b'], ['c'], ['d'], ['e'], ['f']];
    for (const [place, names] of expected.entries()) {
      expect(await command(place)).toEqual(names);
      answer(place);
    }
    await Promise.all(stored);
  });

  it('are fewer in a command after slow ones, and again more after quick ones', async () => {
    const { queue, command, answer } = stagedWriter();
    const most = MOST;
    const storeOne = async (place: number, tookMs: number): Promise<number> => {
      const stored = queue.store(slice('a'), queue.maxWeight);
      await command(place);
      answer(place, tookMs);
      await stored;
      return queue.maxWeight;
    };
    expect(await storeOne(0, 60)).toBeCloseTo((most * 2) / 3);
    // A single stall halves the weight at most, and it never becomes so small that commits cost more than their content.
    expect(await storeOne(1, 5_000)).toBeCloseTo(most / 3);
    for (let place = 2; place < 12; place++) await storeOne(place, 500);
    expect(queue.maxWeight).toBe(400);
    for (let place = 12; place < 32; place++) await storeOne(place, 20);
    expect(queue.maxWeight).toBe(most);
  });

  it('of one application do not keep those of another waiting', async () => {
    const { queue, command, answer } = stagedWriter();
    const stored = Array.from({ length: 6 }, (_, i) => queue.store(slice(`flood ${i}`, 1), MOST));
    await command(1);
    stored.push(queue.store(slice('small', 2), 10));
    answer(0);
    expect(await command(2)).toEqual(['small']);
    for (let place = 1; place < 7; place++) {
      await command(place);
      answer(place);
    }
    await Promise.all(stored);
  });

  it('whose Idempotency-Key is taken fail as a conflict, and the others of the command do not', async () => {
    const { queue, command, answer } = stagedWriter();
    const stored = ['a', 'taken', 'b'].map((name) => queue.store(slice(name), 10));
    await command(0);
    answer(0);
    expect(await Promise.allSettled(stored)).toMatchObject([
      { value: { stored: 1 } },
      { status: 'rejected', reason: { code: 'conflict' } },
      { value: { stored: 1 } },
    ]);
  });

  it('fail with their command when the store fails, and those behind them are still sent', async () => {
    const { queue, command, fail, answer } = stagedWriter();
    const failing = ['a', 'b'].map((name) => queue.store(slice(name), MOST / 2));
    const behind = queue.store(slice('c'), MOST / 2);
    await command(1);
    fail(0, new AppError('unavailable', 'the disk is full'));
    answer(1);
    expect(await Promise.allSettled(failing)).toMatchObject([
      { reason: { code: 'unavailable' } },
      { reason: { code: 'unavailable' } },
    ]);
    expect((await behind).stored).toBe(1);
  });

  it('are charged to the memory budget until they are stored or have failed', async () => {
    const { queue, budget, command, answer, fail } = stagedWriter();
    const slices = ['a', 'b', 'taken'].map((name) => slice(name));
    const bytes = slices.map(({ batch }) => batch.byteBuffer.byteLength);
    const stored = slices.map((one) => queue.store(one, MOST / 2));
    expect(budget.used).toBe(bytes.reduce((sum, size) => sum + size, 0));
    await command(1);
    fail(0, new AppError('unavailable', 'the disk is full'));
    await Promise.allSettled(stored.slice(0, 2));
    await expect.poll(() => budget.used).toBe(bytes[2]);
    answer(1);
    await Promise.allSettled(stored);
    await expect.poll(() => budget.used).toBe(0);
  });
});
