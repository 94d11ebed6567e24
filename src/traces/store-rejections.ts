import type { Rejection } from './ledger.ts';
import { BLOCKS_PER_TRACE } from './trace-keys.ts';

/** Messages of the reasons for which the store rejects the spans of a trace. */
export const STORE_REJECTIONS = {
  deleted: 'the trace was deleted; its later spans are rejected',
  trace_full: `a trace accepts at most ${BLOCKS_PER_TRACE} separate deliveries of spans`,
} as const;

/** Spans of one trace that the store rejected. */
export interface RejectedSpans {
  reason: keyof typeof STORE_REJECTIONS;
  spans: number;
  traceId: string;
}

/** Returns the entries of the first few traces that were rejected. */
export function rejectionsOf(isNative: boolean, rejected: readonly RejectedSpans[]): Rejection[] {
  return rejected.slice(0, 5).map(({ reason, spans, traceId }) => ({
    source: isNative ? 'events' : 'otlp',
    reason,
    message: STORE_REJECTIONS[reason],
    spans,
    traceId,
    spanId: null,
  }));
}
