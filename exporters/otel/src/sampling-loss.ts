import { type Context, type Span, trace, TraceFlags } from '@opentelemetry/api';
import { noticeOnce } from './once.ts';

let lostSpans = 0;

/** Test spans that the sampler kept from being recorded, in this process so far, as far as they were made active. */
export const spansLostToSampling = (): number => lostSpans;

/**
 * A context that counts the spans made active in it which do not record. Processors never hear of them, so this is
 * the one place where they can be seen without the sampler's help.
 */
export class CountingContext implements Context {
  readonly #inner: Context;

  constructor(inner: Context) {
    this.#inner = inner;
  }

  getValue(key: symbol): unknown {
    return this.#inner.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    const next = this.#inner.setValue(key, value);
    const span = trace.getSpan(next);
    if (span && span === value && isLost(span)) noteLost();
    return new CountingContext(next);
  }

  deleteValue(key: symbol): Context {
    return new CountingContext(this.#inner.deleteValue(key));
  }
}

function noteLost(): void {
  lostSpans += 1;
  noticeOnce('the sampler of the app left out spans of a test. Wrap it: recordTests(sampler).');
}

function isLost(span: Span): boolean {
  if (span.isRecording()) return false;
  const spanContext = span.spanContext();
  // A span that has ended records no more. A remote one is none of this process; an invalid one says "don't trace this".
  const isSampled = (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0;
  return !isSampled && !spanContext.isRemote && trace.isSpanContextValid(spanContext);
}
