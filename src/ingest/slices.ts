import type { IncomingSpan } from '../traces/span.ts';

/** A trace costs the writer as much as ten spans. */
const TRACE_WEIGHT = 10;
const BYTES_PER_WEIGHT = 1_024;
/** Weight of a test that a span belongs to: linking it to the trace and recording the arrival of its spans. */
const TEST_WEIGHT = 5;

/** Spans that are stored in one command. */
export interface Slice {
  spans: IncomingSpan[];
  /** Ids of the traces of the spans. */
  traceIds: string[];
  weight: number;
}

/**
 * Splits the spans of a request into slices of at most `maxWeight`, in units of about ten microseconds: a slice is stored in
 * one command, so its weight bounds the time for which it occupies the writer. Returns at least one, which may be empty. The spans of a trace stay
 * together unless they exceed a slice; a span heavier than a slice gets one of its own.
 */
export function sliceSpans(spans: readonly IncomingSpan[], maxWeight: number): Slice[] {
  let last: Slice = { spans: [], traceIds: [], weight: 0 };
  const slices = [last];
  const begin = (): void => {
    if (last.spans.length > 0) slices.push((last = { spans: [], traceIds: [], weight: 0 }));
  };
  for (const [traceId, members] of Map.groupBy(spans, (span) => span.traceId)) {
    const weights = members.map((span, index) => weightOf(span, members[index - 1]));
    const weight = weights.reduce((sum, one) => sum + one, TRACE_WEIGHT);
    if (last.weight + weight > maxWeight) begin();
    last.traceIds.push(traceId);
    last.weight += TRACE_WEIGHT;
    for (const [index, span] of members.entries()) {
      const own = weights[index] as number;
      if (last.weight + own > maxWeight && last.spans.length > 0) {
        begin();
        last.traceIds.push(traceId);
        last.weight = TRACE_WEIGHT;
      }
      last.spans.push(span);
      last.weight += own;
    }
  }
  return slices;
}

const weightOf = ({ bytes, testId }: IncomingSpan, before: IncomingSpan | undefined): number =>
  1 + bytes.length / BYTES_PER_WEIGHT + (testId && testId !== before?.testId ? TEST_WEIGHT : 0);
