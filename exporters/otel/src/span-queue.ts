import type { QueueSettings } from './settings.ts';
import type { ExportResult, ReadableSpan } from './span.ts';

/** Most batches in progress at once; the OTLP exporter itself rejects more than 30. */
const MAX_IN_FLIGHT = 8;

export interface SendSpans {
  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void;
}

/** Gathers spans into batches and sends them, a full one at the next turn of the event loop, others after a delay. */
export class SpanQueue {
  readonly #exporter: SendSpans;
  readonly #settings: QueueSettings;
  readonly #sending = new Set<Promise<void>>();
  #waiting: ReadableSpan[] = [];
  #accepted = 0;
  #taken = 0;
  #dropped = 0;
  #inFlight = 0;
  #delay: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;

  constructor(exporter: SendSpans, settings: QueueSettings) {
    this.#exporter = exporter;
    this.#settings = settings;
  }

  /** Adds a span without waiting or throwing; returns false when the queue is full: the span is dropped and counted. */
  add(span: ReadableSpan): boolean {
    if (this.#waiting.length >= this.#settings.maxQueueSize) {
      this.#dropped += 1;
      return false;
    }
    this.#waiting.push(span);
    this.#accepted += 1;
    this.#schedule();
    return true;
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

  #schedule(): void {
    const { maxBatchSize, delayMillis } = this.#settings;
    if (this.#waiting.length >= maxBatchSize) {
      if (this.#turn === undefined) this.#turn = setImmediate(this.#sendFull);
    } else if (this.#waiting.length > 0 && this.#delay === undefined) {
      this.#delay = setTimeout(this.#sendAll, delayMillis).unref();
    }
  }

  readonly #sendFull = (): void => {
    this.#turn = undefined;
    while (this.#waiting.length >= this.#settings.maxBatchSize && this.#sending.size < MAX_IN_FLIGHT) {
      this.#sendBatch();
    }
  };

  readonly #sendAll = (): void => {
    this.#delay = undefined;
    void this.flush();
  };

  #sendBatch(): void {
    const spans = this.#waiting.splice(0, this.#settings.maxBatchSize);
    this.#taken += spans.length;
    this.#inFlight += spans.length;
    const sent = new Promise<void>((settle) => {
      this.#exporter.export(spans, () => {
        this.#inFlight -= spans.length;
        settle();
      });
    }).finally(() => {
      this.#sending.delete(sent);
      this.#schedule();
    });
    this.#sending.add(sent);
  }
}
