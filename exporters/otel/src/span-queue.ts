import { monotonicMillis, nextTurn, sleep, startIdleTimer } from './runtime.ts';
import type { QueueSettings } from './settings.ts';
import { type SizedSpan, sizedSpan } from './size.ts';
import { type ExportResult, isTestRoot, type ReadableSpan } from './span.ts';

/** Most batches that are sent at once. */
const MAX_IN_FLIGHT = 8;

/** Time after which a timer that has not fired never does, in milliseconds. */
const OVERDUE_MILLIS = 10_000;

/** Interval in milliseconds at which a request checks whether the batches of others are stored. */
const POLL_MILLIS = 10;

/** A batch that is being sent. */
interface Sending {
  promise: Promise<void>;
  /** Monotonic milliseconds of its start. */
  since: number;
  spans: number;
  bytes: number;
  /** True if nothing waits for it any longer. */
  isAbandoned: boolean;
}

/** Work that begins by itself, at a time in monotonic milliseconds. */
interface Later {
  due: number;
}

export interface SendSpans {
  export(spans: readonly SizedSpan[], done: (result: ExportResult) => void): void;
}

/** Gathers spans into batches and sends them, a full one at the next turn of the event loop, others after a delay. */
export class SpanQueue {
  readonly #exporter: SendSpans;
  readonly #settings: QueueSettings;
  readonly #maxBatchBytes: number;
  readonly #changed: () => void;
  readonly #sending = new Set<Sending>();
  #waiting: SizedSpan[] = [];
  #waitingBytes = 0;
  /** Spans that wait and are no roots of tests, and their bytes. */
  #removable = { spans: 0, bytes: 0 };
  #accepted = 0;
  #taken = 0;
  #dropped = 0;
  #inFlight = 0;
  #inFlightBytes = 0;
  #abandoned = 0;
  #delay: Later | undefined;
  #turn: Later | undefined;

  /** Calls `changed` whenever the number of spans that wait or are being sent changes. */
  constructor(
    exporter: SendSpans,
    settings: QueueSettings,
    maxBatchBytes: number,
    changed: () => void = () => {},
  ) {
    this.#exporter = exporter;
    this.#settings = settings;
    this.#maxBatchBytes = maxBatchBytes;
    this.#changed = changed;
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
    if (!isTestRoot(span)) this.#countRemovable(1, size);
    this.#accepted += 1;
    this.#schedule();
    this.#changed();
    return dropped;
  }

  /** Sends what was added before the call; resolves when all of it, and all that was in progress, is stored or lost. */
  async flush(): Promise<void> {
    const upTo = this.#accepted;
    while (this.#taken < upTo) {
      if (this.#sending.size < MAX_IN_FLIGHT) this.#sendBatch();
      else await this.#wait((promises) => Promise.race(promises), 1);
    }
    await this.#wait((promises) => Promise.all(promises));
  }

  /** Spans whose request ended before their response, as far as it is known: what becomes of them cannot be seen. */
  get abandoned(): number {
    return this.#abandoned;
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
    // Where all of them would not be enough, they stay.
    if (excess > this.#removable.bytes || needed > this.#removable.spans) return 0;
    const removed = new Set<SizedSpan>();
    for (let at = this.#waiting.length - 1; at >= 0 && (excess > 0 || needed > 0); at -= 1) {
      const waiting = this.#waiting[at] as SizedSpan;
      if (isTestRoot(waiting.span)) continue;
      removed.add(waiting);
      excess -= waiting.size;
      needed -= 1;
    }
    this.#waiting = this.#waiting.filter((waiting) => !removed.has(waiting));
    for (const { size: bytes } of removed) {
      this.#waitingBytes -= bytes;
      this.#countRemovable(-1, bytes);
    }
    this.#taken += removed.size;
    return removed.size;
  }

  #countRemovable(spans: 1 | -1, bytes: number): void {
    this.#removable.spans += spans;
    this.#removable.bytes += spans * bytes;
  }

  #schedule(): void {
    if (this.#isBatchFull()) {
      if (!this.#isExpected(this.#turn)) this.#turn = this.#later(0, this.#sendFull);
    } else if (this.#waiting.length > 0 && !this.#isExpected(this.#delay)) {
      this.#delay = this.#later(this.#settings.delayMillis, this.#sendAll);
    }
  }

  /** Reports whether work still begins by itself. Where requests own their timers, one that is overdue never does. */
  #isExpected(later: Later | undefined): boolean {
    return (
      later !== undefined &&
      !(this.#settings.isRequestBound && monotonicMillis() > later.due + OVERDUE_MILLIS)
    );
  }

  /** Does work after a time; returns undefined where nothing would keep the runtime alive for it. */
  #later(millis: number, work: () => Promise<unknown>): Later | undefined {
    const later = { due: monotonicMillis() + millis };
    const waitUntil = this.#settings.waitUntil?.();
    if (waitUntil) {
      try {
        waitUntil(sleep(millis).then(work));
        return later;
      } catch {
        // It was called outside of a request.
      }
    }
    if (this.#settings.isRequestBound) return undefined;
    if (millis === 0) void nextTurn().then(work);
    else startIdleTimer(() => void work(), millis);
    return later;
  }

  #isBatchFull(): boolean {
    return this.#waiting.length >= this.#settings.maxBatchSize || this.#waitingBytes >= this.#maxBatchBytes;
  }

  readonly #sendFull = (): Promise<unknown> => {
    this.#turn = undefined;
    while (this.#isBatchFull() && this.#sending.size < MAX_IN_FLIGHT) this.#sendBatch();
    return this.#wait((promises) => Promise.all(promises));
  };

  readonly #sendAll = (): Promise<void> => {
    this.#delay = undefined;
    return this.flush();
  };

  /** Waits until all batches that are being sent, or `enough` of them, are stored or lost. */
  async #wait(settledOf: (promises: Promise<void>[]) => Promise<unknown>, enough = Infinity): Promise<void> {
    const sendings = [...this.#sending];
    if (!this.#settings.isRequestBound) {
      await settledOf(sendings.map(({ promise }) => promise));
      return;
    }
    // A request must not wait for the promise of another one: the runtime ends it. So it looks again and again by its own timer.
    const isWaiting = (): boolean =>
      sendings.filter((sending) => !this.#sending.has(sending)).length < Math.min(enough, sendings.length);
    while (isWaiting()) {
      await sleep(POLL_MILLIS);
      for (const sending of sendings) if (this.#isOverdue(sending)) this.#abandon(sending);
    }
  }

  /** Reports whether a batch can only be that of a request that ended before the response. */
  #isOverdue(sending: Sending): boolean {
    const { maxSendMillis = Infinity } = this.#settings;
    return this.#sending.has(sending) && monotonicMillis() - sending.since > maxSendMillis;
  }

  #abandon(sending: Sending): void {
    sending.isAbandoned = true;
    this.#abandoned += sending.spans;
    this.#remove(sending);
  }

  #remove(sending: Sending): void {
    if (!this.#sending.delete(sending)) return;
    this.#inFlight -= sending.spans;
    this.#inFlightBytes -= sending.bytes;
    this.#changed();
  }

  #sendBatch(): void {
    const batch = this.#takeBatch();
    const bytes = batch.reduce((sum, { size }) => sum + size, 0);
    this.#taken += batch.length;
    this.#waitingBytes -= bytes;
    this.#inFlight += batch.length;
    this.#inFlightBytes += bytes;
    const sending: Sending = {
      promise: Promise.resolve(),
      since: monotonicMillis(),
      spans: batch.length,
      bytes,
      isAbandoned: false,
    };
    this.#sending.add(sending);
    sending.promise = new Promise<void>((settle) => {
      this.#exporter.export(batch, () => {
        this.#remove(sending);
        // It was only slow, and its outcome is counted now.
        if (sending.isAbandoned) this.#abandoned -= sending.spans;
        settle();
      });
    }).finally(() => this.#schedule());
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
    const batch = this.#waiting.splice(0, count);
    for (const { span, size } of batch) if (!isTestRoot(span)) this.#countRemovable(-1, size);
    return batch;
  }
}
