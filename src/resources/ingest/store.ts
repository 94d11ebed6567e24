import type { Database, SqlValue } from '../../storage/database.ts';

export interface LedgerRow {
  hour: number;
  keyId: string;
  requests: number;
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
  reasons: string;
  notices: string;
}

export interface Page {
  skip: number;
  limit: number;
}

export interface LedgerFilter {
  keyId: string | null;
  /** Start of the range in Unix milliseconds, inclusive; compared with the hour of a row. */
  startDate: number | null;
  endDate: number | null;
}

const LEDGER_WHERE = `application = :application AND (:keyId IS NULL OR key_id = :keyId)
  AND (:startDate IS NULL OR hour >= :startDate) AND (:endDate IS NULL OR hour <= :endDate)`;

/** Returns the ledger, newest hour first. */
function listLedger(
  database: Database,
  { application, keyId, startDate, endDate, skip, limit }: { application: number } & LedgerFilter & Page,
): { rows: LedgerRow[]; total: number } {
  const filter = { application, keyId, startDate, endDate };
  const rows = database.all<LedgerRow>(
    `SELECT hour, key_id AS keyId, requests, received, stored, duplicate, replaced, rejected, reasons, notices
     FROM ledger WHERE ${LEDGER_WHERE} ORDER BY hour DESC, key_id LIMIT :limit OFFSET :skip`,
    { ...filter, limit, skip },
  );
  return { rows, total: count(database, `SELECT count(*) AS n FROM ledger WHERE ${LEDGER_WHERE}`, filter) };
}

export interface RejectionRow {
  id: number;
  at: number;
  keyId: string;
  source: string;
  reason: string;
  message: string;
  spans: number;
  traceId: string | null;
  spanId: string | null;
}

const REJECTION_COLUMNS =
  'id, at, key_id AS keyId, source, reason, message, spans, trace_id AS traceId, span_id AS spanId';

/** Returns the rejections, newest first. */
function listRejections(
  database: Database,
  { application, skip, limit }: { application: number } & Page,
): { rows: RejectionRow[]; total: number } {
  const rows = database.all<RejectionRow>(
    `SELECT ${REJECTION_COLUMNS} FROM rejection WHERE application = :application ORDER BY id DESC LIMIT :limit OFFSET :skip`,
    { application, limit, skip },
  );
  return {
    rows,
    total: count(database, 'SELECT count(*) AS n FROM rejection WHERE application = :application', {
      application,
    }),
  };
}

export interface SpanWhereabouts {
  stored: boolean;
  /** Number of stored spans of the trace. */
  traceSpanCount: number;
  /** Time of the newest spans of the trace in Unix milliseconds; null when the trace does not exist. */
  traceUpdatedAt: number | null;
  deletedAt: number | null;
  rejections: RejectionRow[];
}

/**
 * Looks up the outcome of one span (or, without `spanId`, of a trace); `traceIds` are the keys that a trace id may
 * stand for.
 */
function lookUpSpan(
  database: Database,
  {
    application,
    traceIds,
    spanId,
  }: { application: number; traceIds: Uint8Array[]; spanId: Uint8Array | null },
): SpanWhereabouts {
  const found: SpanWhereabouts = {
    stored: false,
    traceSpanCount: 0,
    traceUpdatedAt: null,
    deletedAt: null,
    rejections: [],
  };
  for (const traceId of traceIds) {
    const trace = database.get<{ tkey: number; spans: number; updatedAt: number }>(
      'SELECT tkey, span_count AS spans, updated_at AS updatedAt FROM trace WHERE application = ? AND trace_id = ?',
      application,
      traceId,
    );
    const tombstone = database.get<{ deletedAt: number }>(
      'SELECT deleted_at AS deletedAt FROM tombstone WHERE application = ? AND trace_id = ?',
      application,
      traceId,
    );
    found.deletedAt ??= tombstone?.deletedAt ?? null;
    if (!trace) continue;
    found.traceSpanCount = trace.spans;
    found.traceUpdatedAt = trace.updatedAt;
    found.stored =
      spanId === null ||
      database.get(
        'SELECT 1 FROM span WHERE application = :application AND tkey = :tkey AND span_id = :spanId',
        { application, tkey: trace.tkey, spanId },
      ) !== undefined;
    break;
  }
  // Ids are stored as sent, in hex. The table has at most a thousand rows of an application.
  const ids = new Set(traceIds.map((id) => Buffer.from(id).toString('hex')));
  found.rejections = database
    .all<RejectionRow>(
      `SELECT ${REJECTION_COLUMNS} FROM rejection WHERE application = ? ORDER BY id DESC`,
      application,
    )
    .filter((row) => row.traceId !== null && ids.has(row.traceId))
    .slice(0, 20);
  return found;
}

export const ingestQueries = { listLedger, listRejections, lookUpSpan };

function count(database: Database, sql: string, values: Record<string, SqlValue>): number {
  return database.get<{ n: number }>(sql, values)?.n ?? 0;
}
