/** Log records of spans. They are stored separately, because either may arrive first. */
import type { Database } from '../storage/database.ts';
import { unindexed } from '../storage/dialect.ts';
import { decodeLogRecord, type LogRecordMessage } from './log-record.ts';
import { unpack } from './pack.ts';

/** Most log records of one trace. */
export const MAX_TRACE_RECORDS = 10_000;

/** Most uncompressed bytes of log records that one trace shows. */
const MAX_SHOWN_BYTES = 32 * 1024 * 1024;

/**
 * Stores in which records may wait for their trace. Most senders have none, so the lookup for each trace is skipped.
 */
const waiting = new WeakMap<Database, boolean>();

/** Records that a log record without an existing trace was stored. */
export function noteWaiting(database: Database): void {
  waiting.set(database, true);
}

function mayWait(database: Database): boolean {
  let known = waiting.get(database);
  if (known === undefined) {
    known = database.get('SELECT 1 FROM span_log WHERE tkey IS NULL LIMIT 1') !== undefined;
    waiting.set(database, known);
  }
  return known;
}

/** Assigns the records that waited for a new trace to its row; returns their number. */
export function adoptLogs(
  database: Database,
  application: number,
  traceId: Uint8Array,
  tkey: number,
): number {
  if (!mayWait(database)) return 0;
  // The index over `tkey` has the waiting records of all traces of the application.
  return database.run(
    `UPDATE span_log SET tkey = :tkey
     WHERE application = :application AND trace_id = :traceId AND ${unindexed('tkey')} IS NULL`,
    { tkey, application, traceId },
  );
}

/**
 * Returns the log records of a trace by span (16 hex digits), each list in order of time, then of arrival. Above 32
 * MiB, only those that arrived first.
 */
export function logsOfTrace(
  database: Database,
  application: number,
  traceId: Uint8Array,
): Map<string, LogRecordMessage[]> {
  const ids = database.all<{ id: number }>(
    'SELECT id FROM span_log WHERE application = ? AND trace_id = ? ORDER BY id',
    application,
    traceId,
  );
  return readLogs(database, ids);
}

/** Returns the log records of one span in the form of `logsOfTrace`. */
export function logsOfSpan(
  database: Database,
  application: number,
  traceId: Uint8Array,
  spanId: Uint8Array,
): Map<string, LogRecordMessage[]> {
  const ids = database.all<{ id: number }>(
    'SELECT id FROM span_log WHERE application = ? AND trace_id = ? AND span_id = ? ORDER BY id',
    application,
    traceId,
    spanId,
  );
  return readLogs(database, ids);
}

interface StoredLog {
  record: Buffer;
  spanId: Buffer;
}

function readLogs(database: Database, ids: readonly { id: number }[]): Map<string, LogRecordMessage[]> {
  const bySpan = new Map<string, LogRecordMessage[]>();
  let size = 0;
  // One at a time, so that records beyond the limit are never read.
  for (const { id } of ids) {
    const row = database.get<StoredLog>(
      'SELECT record, span_id AS "spanId" FROM span_log WHERE id = ?',
      id,
    ) as StoredLog;
    const bytes = unpack(row.record);
    size += bytes.length;
    if (size > MAX_SHOWN_BYTES) break;
    const record = decodeLogRecord(bytes);
    // A record that names a response has no id of a span.
    const span = row.spanId.toString('hex');
    const records = bySpan.get(span);
    if (records) records.push(record);
    else bySpan.set(span, [record]);
  }
  for (const records of bySpan.values()) records.sort(byTime);
  return bySpan;
}

export function countLogs(database: Database, application: number, traceId: Uint8Array): number {
  const row = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM span_log WHERE application = ? AND trace_id = ?',
    application,
    traceId,
  );
  return row?.n ?? 0;
}

function byTime(a: LogRecordMessage, b: LogRecordMessage): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

/** Removes some of the records that arrived before `before` (Unix milliseconds) without their trace; returns their number. */
export function dropWaitingLogs(
  database: Database,
  { before, limit }: { before: number; limit: number },
): number {
  return database.run(
    `DELETE FROM span_log WHERE id IN
       (SELECT id FROM span_log WHERE tkey IS NULL AND received_at < ? ORDER BY received_at LIMIT ?)`,
    before,
    limit,
  );
}
