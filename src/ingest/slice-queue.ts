import { AppError } from '../errors.ts';
import { FairQueue } from '../runtime/fair-queue.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';
import { Organisations } from '../runtime/organisations.ts';
import type { ThreadCaller } from '../runtime/thread-calls.ts';
import { packSlices } from '../traces/packed-slices.ts';
import { withIndexes } from '../traces/stored-amount.ts';
import type { KeyTaken, StoreOutcome, StoreSpans } from '../traces/store.ts';
import { chargeSlice, type SliceShare } from './charge-slice.ts';
import { Pace } from './pace.ts';

/**
 * Most commands at once: one is stored while the next one waits. More would only delay slices of other applications.
 */
const MAX_COMMANDS = 2;

interface Waiting {
  slice: StoreSpans;
  weight: number;
  /** Releases the memory of the slice. */
  release: () => void;
  resolve: (outcome: StoreOutcome) => void;
  reject: (error: Error) => void;
}

/**
 * Sends slices to the writer. Slices that become ready while it is busy share one command, regardless of their
 * requests, and organisations take turns, as do the applications of each. So many small requests share the cost of a command.
 */
export class SliceQueue {
  private readonly writer: ThreadCaller;
  private readonly budget: MemoryBudget;
  private readonly organisations: Organisations;
  private readonly queue: FairQueue<Waiting>;
  private readonly pace = new Pace();
  private commands = 0;

  constructor(writer: ThreadCaller, budget: MemoryBudget, organisations = new Organisations()) {
    this.organisations = organisations;
    this.queue = new FairQueue(organisations.groupOf);
    this.writer = writer;
    this.budget = budget;
  }

  /** Weight that a slice should not exceed at the moment. */
  get maxWeight(): number {
    return this.pace.maxWeight;
  }

  /** Stores a slice; resolves when it is durable. Throws `conflict` when its `Idempotency-Key` is in use. */
  store(slice: StoreSpans, weight: number, share: SliceShare): Promise<StoreOutcome> {
    const { budget } = this;
    const release = chargeSlice({ share, budget }, slice.batch.byteBuffer.byteLength);
    const { promise, resolve, reject } = Promise.withResolvers<StoreOutcome>();
    this.queue.push(slice.application, { slice, weight, release, resolve, reject });
    // Slices that become ready in the same turn of the event loop share a command.
    if (this.queue.size === 1) queueMicrotask(() => this.send());
    return promise;
  }

  private send(): void {
    while (this.commands < MAX_COMMANDS && this.queue.size > 0) void this.sendCommand(this.take());
  }

  private take(): Waiting[] {
    const taken: Waiting[] = [];
    const { maxWeight } = this;
    let weight = 0;
    while (this.queue.size > 0 && (taken.length === 0 || weight < maxWeight)) {
      const waiting = this.queue.take((_, next) => taken.length === 0 || weight + next.weight <= maxWeight);
      if (!waiting) break;
      taken.push(waiting);
      weight += waiting.weight;
      this.queue.charge(waiting.slice.application, waiting.weight);
    }
    return taken;
  }

  private async sendCommand(taken: readonly Waiting[]): Promise<void> {
    this.commands += 1;
    await this.storeTogether(taken);
    this.commands -= 1;
    this.send();
  }

  private async storeTogether(taken: readonly Waiting[]): Promise<void> {
    try {
      const { packed, bytes } = packSlices(taken.map(({ slice }) => slice));
      const { value, tookMs } = await this.writer.timedCall('storeSlices', packed, bytes);
      this.pace.record(
        taken.reduce((sum, { weight }) => sum + weight, 0),
        tookMs,
      );
      for (const [index, outcome] of (value as (StoreOutcome | KeyTaken)[]).entries()) {
        const waiting = taken[index] as Waiting;
        this.countBytes(waiting.slice, outcome);
        settle(waiting, outcome);
      }
    } catch (error) {
      // A fault of one slice must not fail the others, unless the store itself failed.
      if (taken.length > 1 && !(error instanceof AppError)) {
        for (const one of taken) await this.storeTogether([one]);
        return;
      }
      for (const { reject } of taken) reject(error as Error);
    }
    for (const { release } of taken) release();
  }

  /** Counts the bytes of a slice for its organisation, all of them if at least one of its spans was stored. */
  private countBytes({ application, batch }: StoreSpans, outcome: StoreOutcome | KeyTaken): void {
    if ('isKeyTaken' in outcome || outcome.stored + outcome.replaced === 0) return;
    const bytes = batch.byteBuffer.byteLength;
    this.organisations.addStored(application, withIndexes({ traces: batch.traces.length, spans: 0, bytes }));
  }
}

function settle({ resolve, reject }: Waiting, outcome: StoreOutcome | KeyTaken): void {
  if ('isKeyTaken' in outcome) {
    reject(new AppError('conflict', 'a request with this Idempotency-Key is in progress; retry later'));
  } else resolve(outcome);
}
