import type { Database } from '../storage/database.ts';
import { totalOf } from '../storage/dialect.ts';
import { isDeleted } from './delete.ts';
import { EarlierDays, type DayHooks } from './earlier-days.ts';
import { NO_TRACE } from './awaiting-logs.ts';
import { scheduleRefresh } from './refresh.ts';
import { beginIndex, tracesOfResponse } from './response-index.ts';
import { MAX_TRACE_RECORDS } from './span-logs.ts';
import type { ByteRange } from './byte-buffer.ts';
import { NO_SPANS, recordLedger, recordRejections, type Rejection } from './ledger.ts';
import type { LogBatch, LogGroup } from './log-batch.ts';

/** Limit of the bytes of the log records of one trace. */
export const MAX_TRACE_BYTES = 64 * 1024 * 1024;
const MAX_SAMPLES = 5;

export const LOG_STORE_REJECTIONS = {
  deleted: 'the trace was deleted; its later log records are rejected',
  too_many_log_records: `a trace accepts at most ${MAX_TRACE_RECORDS} log records with ${MAX_TRACE_BYTES / 1024 / 1024} MiB in total`,
} as const;

export interface StoreLogs {
  application: number;
  keyId: string;
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  /** 1 for a request or its first slice, 0 for its other slices. */
  requests: number;
  batch: LogBatch;
  /** Number of records that were accepted but not stored. */
  dropped: number;
  /** Number of records rejected earlier, by reason. */
  rejected: Readonly<Record<string, number>>;
  rejections: readonly Rejection[];
}

/** Numbers of the records of a batch by outcome. */
export interface LogsOutcome {
  stored: number;
  duplicate: number;
  /** Number of rejected records, including those rejected earlier, by reason. */
  rejected: Record<string, number>;
}

interface GroupOutcome {
  stored: number;
  duplicate: number;
  rejected: { reason: keyof typeof LOG_STORE_REJECTIONS; records: number } | null;
}

/** Stores log records, with their notices in the ledger; the ledger counts only spans otherwise. */
export function storeLogs(
  database: Database,
  args: StoreLogs,
  hooks: DayHooks = { onDaysChanged: [] },
): LogsOutcome {
  const { application, keyId, at, batch, dropped } = args;
  const outcome: LogsOutcome = { stored: 0, duplicate: 0, rejected: { ...args.rejected } };
  const rejections: Rejection[] = [];
  const days = new EarlierDays();
  for (const group of batch.traces) {
    const { stored, duplicate, rejected } = storeGroup(database, args, group, days);
    outcome.stored += stored;
    outcome.duplicate += duplicate;
    if (rejected === null) continue;
    const { reason, records } = rejected;
    outcome.rejected[reason] = (outcome.rejected[reason] ?? 0) + records;
    const traceId = bytesOf(batch, group.traceId).toString('hex');
    const message = LOG_STORE_REJECTIONS[reason];
    rejections.push({ source: 'logs', reason, message, spans: records, traceId, spanId: null });
  }
  days.report(database, hooks);
  const entry = { application, keyId, at };
  recordLedger(database, {
    ...entry,
    requests: args.requests,
    ...NO_SPANS,
    notices: noticesOf(outcome, dropped),
  });
  recordRejections(database, entry, [...args.rejections, ...rejections.slice(0, MAX_SAMPLES)]);
  return outcome;
}

function noticesOf({ stored, duplicate, rejected }: LogsOutcome, dropped: number): Record<string, number> {
  const counts: [name: string, count: number][] = [
    ['log_records', stored],
    ['log_record_duplicates', duplicate],
    ['dropped_log_records', dropped],
    ...Object.entries(rejected).map(([reason, count]): [string, number] => [
      `rejected_log_records_${reason}`,
      count,
    ]),
  ];
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function storeGroup(
  database: Database,
  { application, at, batch }: StoreLogs,
  group: LogGroup,
  days: EarlierDays,
): GroupOutcome {
  const traceId = bytesOf(batch, group.traceId);
  const tkey = traceKey(database, application, traceId);
  if (tkey === null && isDeleted(database, application, traceId)) {
    return { stored: 0, duplicate: 0, rejected: { reason: 'deleted', records: group.records.length } };
  }
  const namesResponses = traceId.equals(NO_TRACE);
  if (namesResponses) beginIndex(database, application);
  const kept = keptOf(database, application, traceId);
  let stored = 0;
  let duplicate = 0;
  let rejected = 0;
  for (const { spanId, hash, record } of group.records) {
    const key = [application, traceId, bytesOf(batch, spanId), bytesOf(batch, hash)] as const;
    const bytes = bytesOf(batch, record);
    const traces = namesResponses ? tracesOfResponse(database, application, key[2]) : [];
    if (traces.some((one) => isKnown(database, [application, one.traceId, one.spanId, key[3]]))) {
      duplicate += 1;
      continue;
    }
    const isFull = kept.records + stored >= MAX_TRACE_RECORDS || kept.bytes + bytes.length > MAX_TRACE_BYTES;
    if (isFull && !isKnown(database, key)) {
      rejected += 1;
      continue;
    }
    const added = database.run(
      `INSERT INTO span_log (application, trace_id, span_id, hash, tkey, received_at, record)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      ...key,
      tkey,
      at,
      bytes,
    );
    if (added > 0) for (const one of traces) scheduleRefresh(database, { application, tkey: one.tkey }, at);
    stored += added;
    duplicate += 1 - added;
    kept.bytes += added * bytes.length;
  }
  if (stored > 0 && tkey !== null) {
    scheduleRefresh(database, { application, tkey }, at);
    days.add({ application, tkey }, at);
  }
  return {
    stored,
    duplicate,
    rejected: rejected > 0 ? { reason: 'too_many_log_records', records: rejected } : null,
  };
}

function traceKey(database: Database, application: number, traceId: Uint8Array): number | null {
  const trace = database.get<{ tkey: number }>(
    'SELECT tkey FROM trace WHERE application = ? AND trace_id = ?',
    application,
    traceId,
  );
  return trace?.tkey ?? null;
}

function keptOf(
  database: Database,
  application: number,
  traceId: Uint8Array,
): { records: number; bytes: number } {
  return database.get<{ records: number; bytes: number }>(
    `SELECT count(*) AS records, ${totalOf('length(record)')} AS bytes FROM span_log
     WHERE application = ? AND trace_id = ?`,
    application,
    traceId,
  ) as { records: number; bytes: number };
}

function isKnown(
  database: Database,
  key: readonly [application: number, traceId: Uint8Array, spanId: Uint8Array, hash: Uint8Array],
): boolean {
  return (
    database.get(
      'SELECT 1 FROM span_log WHERE application = ? AND trace_id = ? AND span_id = ? AND hash = ?',
      ...key,
    ) !== undefined
  );
}

function bytesOf({ byteBuffer }: LogBatch, [start, end]: ByteRange): Buffer {
  return Buffer.from(byteBuffer.buffer, byteBuffer.byteOffset + start, end - start);
}
