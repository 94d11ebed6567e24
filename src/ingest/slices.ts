import type { IncomingSpan } from '../traces/span.ts';

/**
 * Units of what it costs to store something, of about ten microseconds. A slice is stored in one piece, so its weight
 * bounds how long the writer is busy with it.
 */
export const MAX_SLICE_WEIGHT = 4_000;
/** A trace costs the writer as much as ten spans. */
const TRACE_WEIGHT = 10;
const BYTES_PER_WEIGHT = 1_024;

/** Spans that are stored in one piece. */
export interface Slice {
  spans: IncomingSpan[];
  weight: number;
}

/**
 * Splits the spans of a request into slices: at least one, if an empty one. The spans of a trace stay together unless
 * they alone fill a slice; a span that weighs more than a slice may is one by itself.
 */
export function sliceSpans(spans: readonly IncomingSpan[]): Slice[] {
  let last: Slice = { spans: [], weight: 0 };
  const slices = [last];
  const begin = (): void => {
    if (last.spans.length > 0) slices.push((last = { spans: [], weight: 0 }));
  };
  for (const members of byTrace(spans).values()) {
    const weight = members.reduce((sum, span) => sum + weightOf(span), TRACE_WEIGHT);
    if (last.weight + weight > MAX_SLICE_WEIGHT) begin();
    last.weight += TRACE_WEIGHT;
    for (const span of members) {
      if (last.weight + weightOf(span) > MAX_SLICE_WEIGHT && last.spans.length > 0) {
        begin();
        last.weight = TRACE_WEIGHT;
      }
      last.spans.push(span);
      last.weight += weightOf(span);
    }
  }
  return slices;
}

const weightOf = ({ bytes }: IncomingSpan): number => 1 + bytes.length / BYTES_PER_WEIGHT;

function byTrace(spans: readonly IncomingSpan[]): Map<string, IncomingSpan[]> {
  const traces = new Map<string, IncomingSpan[]>();
  for (const span of spans) {
    const members = traces.get(span.traceId);
    if (members) members.push(span);
    else traces.set(span.traceId, [span]);
  }
  return traces;
}
