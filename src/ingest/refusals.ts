/** What an OTLP request was refused in part for: as lines of the ledger, and in words for the sender. */
import type { Rejection } from '../traces/ledger.ts';
import { STORE_REFUSALS } from '../traces/store.ts';
import { LOG_STORE_REFUSALS } from '../traces/store-logs.ts';
import { REFUSALS, type ScannedRequest } from './otlp/scan.ts';
import { LOG_REFUSALS, type ScannedLogs } from './otlp/scan-logs.ts';

type Counts = Readonly<Record<string, number>>;
type Messages = Readonly<Record<string, string>>;

interface Refused<R extends string> {
  refused: ReadonlyMap<R, number>;
  refusedSamples: readonly { reason: R; traceId: string; spanId: string }[];
}

export function spanRejections(scanned: ScannedRequest): Rejection[] {
  return rejectionsOf(scanned, 'otlp', REFUSALS);
}

export function logRejections(scanned: ScannedLogs): Rejection[] {
  return rejectionsOf(scanned, 'logs', LOG_REFUSALS);
}

function rejectionsOf<R extends string>(
  { refused, refusedSamples }: Refused<R>,
  source: 'otlp' | 'logs',
  messages: Readonly<Record<R, string>>,
): Rejection[] {
  const left = new Map(refused);
  return refusedSamples.map(({ reason, traceId, spanId }): Rejection => {
    // The first of a reason stands for all that have no line of their own.
    const spans = left.get(reason) ?? 1;
    left.set(reason, 1);
    return { source, reason, message: messages[reason], spans, traceId, spanId };
  });
}

const SPAN_REASONS: Messages = { ...REFUSALS, ...STORE_REFUSALS };
const LOG_REASONS: Messages = { ...LOG_REFUSALS, ...LOG_STORE_REFUSALS };

export function describeRejectedSpans(rejected: Counts): string {
  return describe(rejected, 'span', SPAN_REASONS);
}

export function describeRejectedLogs(rejected: Counts): string {
  return describe(rejected, 'log record', LOG_REASONS);
}

function describe(rejected: Counts, item: string, reasons: Messages): string {
  return Object.entries(rejected)
    .map(([reason, count]) => `${count} ${item}${count === 1 ? '' : 's'}: ${reasons[reason]}`)
    .join('; ');
}

export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
