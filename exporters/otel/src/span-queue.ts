import type { QueueSettings } from './settings.ts';
import { type SizedSpan, sizedSpan } from './size.ts';
import { type ExportResult, isTestRoot, type ReadableSpan } from './span.ts';

/** Most batches that are sent at once. */
const MAX_IN_FLIGHT = 8;

export interface SendSpans {
  export(spans: readonly SizedSpan[], done: (result: ExportResult) => void): void;
}

/** Gathers spans into batches and sends them, a full one at the next turn of the event loop, others after a delay. */
export class SpanQueue {
  readonly #exporter: SendSpans;
  readonly #settings: QueueSettings;
  readonly #maxBatchBytes: number;
  readonly #sending = new Set<Promise<void>>();
  #waiting: SizedSpan[] = [];
  #waitingBytes = 0;
  #accepted = 0;
  #taken = 0;
  #dropped = 0;
  #inFlight = 0;
  #inFlightBytes = 0;
  #delay: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;

  constructor(exporter: SendSpans, settings: QueueSettings, maxBatchBytes: number) {
    this.#exporter = exporter;
    this.#settings = settings;
    this.#maxBatchBytes = maxBatchBytes;
  }

  /**
   * Adds a span without waiting or throwing. Returns the number of spans that were dropped for want of space, which are
   * counted: this one, or others where the root of a test needs their place.
   */
  add(span: ReadableSpan): number {
    const sized = sizedSpan(span);
    const { size } = sized;
    const isFull = !this.#fits(size);
    const removed = isFull && isTestRoot(span) ? this.#makeRoom(size) : 0;
    const dropped = removed + (this.#fits(size) ? 0 : 1);
    this.#dropped += dropped;
    if (dropped > removed) return dropped;
    this.#waiting.push(sized);
    this.#waitingBytes += size;
    this.#accepted += 1;
    this.#schedule();
    return dropped;
  }

  /** Sends what was added before the call; resolves when all of it, and all that was in progress, is stored or lost. */
  async flush(): Promise<void> {
    const upTo = this.#accepted;
    while (this.#taken < upTo) {
      if (this.#sending.size < MAX_IN_FLIGHT) this.#sendBatch();
      else await Promise.race(this.#sending);
    }
    await Promise.all(this.#sending);
  }

  stats(): { dropped: number; waiting: number; inFlight: number } {
    return { dropped: this.#dropped, waiting: this.#waiting.length, inFlight: this.#inFlight };
  }

  #fits(size: number): boolean {
    const { maxQueueSize, maxQueueBytes } = this.#settings;
    return (
      this.#waiting.length < maxQueueSize && this.#waitingBytes + this.#inFlightBytes + size <= maxQueueBytes
    );
  }

  /** Removes the latest spans that are no roots of tests until a span fits; returns their number. */
  #makeRoom(size: number): number {
    const { maxQueueSize, maxQueueBytes } = this.#settings;
    let excess = this.#waitingBytes + this.#inFlightBytes + size - maxQueueBytes;
    let needed = this.#waiting.length + 1 - maxQueueSize;
    const removed = new Set<SizedSpan>();
    for (let at = this.#waiting.length - 1; at >= 0 && (excess > 0 || needed > 0); at -= 1) {
      const waiting = this.#waiting[at] as SizedSpan;
      if (isTestRoot(waiting.span)) continue;
      removed.add(waiting);
      excess -= waiting.size;
      needed -= 1;
    }
    // Where all of them would not be enough, they stay.
    if (excess > 0 || needed > 0) return 0;
    this.#waiting = this.#waiting.filter((waiting) => !removed.has(waiting));
    for (const waiting of removed) this.#waitingBytes -= waiting.size;
    this.#taken += removed.size;
    return removed.size;
  }

  #schedule(): void {
    if (this.#isBatchFull()) {
      if (this.#turn === undefined) this.#turn = setImmediate(this.#sendFull);
    } else if (this.#waiting.length > 0 && this.#delay === undefined) {
      this.#delay = setTimeout(this.#sendAll, this.#settings.delayMillis).unref();
    }
  }

  #isBatchFull(): boolean {
    return this.#waiting.length >= this.#settings.maxBatchSize || this.#waitingBytes >= this.#maxBatchBytes;
  }

  readonly #sendFull = (): void => {
    this.#turn = undefined;
    while (this.#isBatchFull() && this.#sending.size < MAX_IN_FLIGHT) this.#sendBatch();
  };

  readonly #sendAll = (): void => {
    this.#delay = undefined;
    void this.flush();
  };

  #sendBatch(): void {
    const batch = this.#takeBatch();
    const bytes = batch.reduce((sum, { size }) => sum + size, 0);
    this.#taken += batch.length;
    this.#waitingBytes -= bytes;
    this.#inFlight += batch.length;
    this.#inFlightBytes += bytes;
    const sent = new Promise<void>((settle) => {
      this.#exporter.export(batch, () => {
        this.#inFlight -= batch.length;
        this.#inFlightBytes -= bytes;
        settle();
      });
    }).finally(() => {
      this.#sending.delete(sent);
      this.#schedule();
    });
    this.#sending.add(sent);
  }

  /** Takes spans up to the size of a batch, by number and by bytes, and at least one. */
  #takeBatch(): SizedSpan[] {
    let [count, bytes] = [0, 0];
    for (const { size } of this.#waiting) {
      if (count === this.#settings.maxBatchSize) break;
      if (count > 0 && bytes + size > this.#maxBatchBytes) break;
      count += 1;
      bytes += size;
    }
    return this.#waiting.splice(0, count);
  }
}
