/** Log records of spans. They are stored separately, because either may arrive first. */
import type { Database, RowStatement } from '../storage/database.ts';
import { unindexed } from '../storage/dialect.ts';
import { decodeLogRecord, type LogRecordMessage } from './log-record.ts';
import { unpack } from './pack.ts';
import type { TraceKey } from './trace-keys.ts';

/** Most log records of one trace. */
export const MAX_TRACE_RECORDS = 10_000;

/** Most uncompressed bytes of log records that one trace shows. */
const MAX_SHOWN_BYTES = 32 * 1024 * 1024;

const FIND_WAITING: RowStatement = {
  // The index over `tkey` has the waiting records of all traces of the application.
  sql: `SELECT 1 AS found FROM span_log WHERE application = ? AND trace_id = ? AND ${unindexed('tkey')} IS NULL LIMIT 1`,
  columns: ['integer', 'blob'],
};
const ADOPT: RowStatement = {
  sql: `UPDATE span_log SET tkey = ? WHERE application = ? AND trace_id = ? AND ${unindexed('tkey')} IS NULL`,
  columns: ['integer', 'integer', 'blob'],
};

/**
 * Assigns the records that waited for new traces to their rows; returns the keys of those with such records. Most
 * stores have none, so they are looked up only where some records wait.
 */
export function adoptLogs(
  database: Database,
  traces: readonly (TraceKey & { traceId: Uint8Array })[],
): Set<number> {
  if (traces.length === 0) return new Set();
  const waits = database.get('SELECT 1 AS found FROM span_log WHERE tkey IS NULL LIMIT 1') !== undefined;
  if (!waits) return new Set();
  const found = database.allMany(
    FIND_WAITING,
    traces.map(({ application, traceId }) => [application, traceId]),
  );
  const adopting = traces.filter((_, index) => found[index]?.length);
  database.runMany(
    ADOPT,
    adopting.map(({ application, traceId, tkey }) => [tkey, application, traceId]),
  );
  return new Set(adopting.map(({ tkey }) => tkey));
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
