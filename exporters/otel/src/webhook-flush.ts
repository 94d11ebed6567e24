import { diag, trace } from '@opentelemetry/api';
import { SpanLossError } from './loss.ts';
import type { Reporter } from './reporter.ts';
import { nextTurn, startTimer, stopTimer, type Timer } from './runtime.ts';

/** Anything that can be flushed: the result of `register()`, a `TouchstoneSpanProcessor`, or a tracer provider. */
export type Flushable = { flush: () => Promise<void> } | { forceFlush: () => Promise<void> };

/** Sends the spans of tests before they are answered. */
export class SpanFlush {
  readonly #flush: () => Promise<void>;
  readonly #timeoutMs: number;
  readonly #reporter: Reporter;
  #losses = 0;
  #latest: Error | undefined;

  constructor(handle: Flushable | undefined, timeoutMs: number, reporter: Reporter) {
    this.#flush = handle ? flushOf(handle) : () => flushGlobal(reporter);
    this.#timeoutMs = timeoutMs;
    this.#reporter = reporter;
  }

  /**
   * Gives back a function that sends what has ended. It rejects when spans were lost since the call of this one, in
   * strict mode only; a loss is reported to one flush, but may be of any test that runs at that time.
   */
  start(): () => Promise<void> {
    const before = this.#losses;
    return async () => {
      try {
        await this.#withinTime();
      } catch (error) {
        this.#losses += 1;
        this.#latest = error instanceof Error ? error : new Error(String(error));
      }
      // The SDK takes more steps to reject one flush than to resolve the others beside it.
      await nextTurn();
      if (this.#latest && this.#losses > before) throw this.#latest;
    };
  }

  async #withinTime(): Promise<void> {
    let timer: Timer | undefined;
    const timeUp = new Promise<void>((resolve) => {
      timer = startTimer(() => {
        const text = `spans were not sent within ${this.#timeoutMs} ms; the test is answered before`;
        diag.warn(`touchstone: ${text}`);
        this.#reporter.notice(`${text}. Check the server, or raise flushTimeoutMs.`);
        resolve();
      }, this.#timeoutMs);
    });
    try {
      await Promise.race([this.#flush(), timeUp]);
    } finally {
      stopTimer(timer);
    }
  }
}

const flushOf = (handle: Flushable): (() => Promise<void>) =>
  'flush' in handle ? () => handle.flush() : () => handle.forceFlush();

/**
 * Flushes the global tracer provider. It may contain processors of others too: only spans lost by this package count.
 */
async function flushGlobal(reporter: Reporter): Promise<void> {
  const proxy = trace.getTracerProvider() as { getDelegate?: () => unknown };
  const provider = (proxy.getDelegate?.() ?? proxy) as { forceFlush?: () => Promise<void> };
  if (!provider.forceFlush) {
    const text = 'no tracer provider is set, so there are no spans of the test; call register()';
    diag.warn(`touchstone: ${text}`);
    reporter.notice(`${text}.`);
    return;
  }
  try {
    await provider.forceFlush();
  } catch (error) {
    // Some versions of the SDK reject with the errors of all processors, in one way or another.
    const errors = [error, (error as AggregateError | undefined)?.errors].flat();
    const loss = errors.find((one) => one instanceof Error && one.name === SpanLossError.name);
    if (loss) throw loss as Error;
    diag.warn('touchstone: a span processor failed to flush');
  }
}
