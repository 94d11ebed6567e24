/** Describes the rejected parts of an OTLP request: as rows of the ledger, and as a message for the sender. */
import type { Masker } from '../masking/masker.ts';
import type { Rejection } from '../traces/ledger.ts';
import { STORE_REJECTIONS } from '../traces/store-rejections.ts';
import { LOG_STORE_REJECTIONS } from '../traces/store-logs.ts';
import { REJECTIONS, type ScannedRequest } from './otlp/scan.ts';
import { LOG_REJECTIONS, type ScannedLogs } from './otlp/scan-logs.ts';

/** Masks what rejections quote of a request. */
export const maskRejections = (rejections: Rejection[], masker: Masker | null): Rejection[] =>
  masker === null
    ? rejections
    : rejections.map((one) => ({
        ...one,
        message: masker.text(one.message, REJECTED),
        traceId: one.traceId && masker.text(one.traceId, REJECTED),
        spanId: one.spanId && masker.text(one.spanId, REJECTED),
      }));

/** Stands in the report for rejected parts of requests. */
const REJECTED = '(rejected)';

type Counts = Readonly<Record<string, number>>;
type Messages = Readonly<Record<string, string>>;

type WrongTimes = Pick<ScannedRequest, 'wrongTimes' | 'wrongUnit'>;

interface RejectedItems<R extends string> {
  rejected: ReadonlyMap<R, number>;
  rejectedSamples: readonly { reason: R; traceId: string; spanId: string }[];
}

export function spanRejections(scanned: ScannedRequest): Rejection[] {
  return rejectionsOf(scanned, 'otlp', REJECTIONS);
}

export function logRejections(scanned: ScannedLogs): Rejection[] {
  return rejectionsOf(scanned, 'logs', LOG_REJECTIONS);
}

function rejectionsOf<R extends string>(
  { rejected, rejectedSamples }: RejectedItems<R>,
  source: 'otlp' | 'logs',
  messages: Readonly<Record<R, string>>,
): Rejection[] {
  const left = new Map(rejected);
  return rejectedSamples.map(({ reason, traceId, spanId }): Rejection => {
    // The first example of a reason stands for all spans without an example of their own.
    const spans = left.get(reason) ?? 1;
    left.set(reason, 1);
    return { source, reason, message: messages[reason], spans, traceId, spanId };
  });
}

const SPAN_REASONS: Messages = { ...REJECTIONS, ...STORE_REJECTIONS };
const LOG_REASONS: Messages = { ...LOG_REJECTIONS, ...LOG_STORE_REJECTIONS };

export function describeRejectedSpans(rejected: Counts): string {
  return describe(rejected, 'span', SPAN_REASONS);
}

/** Returns a warning about spans whose times are probably not in nanoseconds; empty if there are none. */
export function describeWrongTimes({ wrongTimes: count, wrongUnit }: WrongTimes): string {
  if (count === 0) return '';
  const spans = count === 1 ? '1 span has' : `${count} spans have`;
  return `${spans} times that look like Unix ${wrongUnit}; OTLP times are in Unix nanoseconds`;
}

export function describeRejectedLogs(rejected: Counts): string {
  return describe(rejected, 'log record', LOG_REASONS);
}

function describe(rejected: Counts, item: string, reasons: Messages): string {
  return Object.entries(rejected)
    .map(([reason, count]) => `${count} ${item}${count === 1 ? '' : 's'}: ${reasons[reason]}`)
    .join('; ');
}

export function totalCount(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
