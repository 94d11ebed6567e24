import type { z } from 'zod';
import { type ListOf, paginate } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database, SqlValue } from '../../storage/database.ts';
import type { ledgerRow, rejection, whereabouts } from './contract.ts';
import { ledgerRows, rejections } from '../../traces/ledger-records.ts';

interface Page {
  skip: number;
  limit: number;
}

interface LedgerFilter {
  keyId: string | null;
  /** Start of the range in Unix milliseconds, inclusive; compared with the hour of a row. */
  startDate: number | null;
  endDate: number | null;
}

// PostgreSQL takes the type of a parameter from its first place.
const LEDGER_WHERE = `(key_id = :keyId OR :keyId IS NULL)
  AND (hour >= :startDate OR :startDate IS NULL) AND (hour <= :endDate OR :endDate IS NULL)`;

/** Returns the ledger, newest hour first. */
function listLedger(
  database: Database,
  { application, skip, limit, ...filter }: { application: number } & LedgerFilter & Page,
): ListOf<z.input<typeof ledgerRow>> {
  const condition = `${LEDGER_WHERE} ORDER BY hour DESC, key_id LIMIT :limit OFFSET :skip`;
  return {
    data: ledgerRows.all(database, application, condition, { ...filter, skip, limit }),
    pagination: paginate(
      { skip, limit },
      count(database, `ledger WHERE application = :application AND ${LEDGER_WHERE}`, {
        application,
        ...filter,
      }),
    ),
  };
}

/** Returns the rejections, newest first. */
function listRejections(
  database: Database,
  { application, skip, limit }: { application: number } & Page,
): ListOf<z.input<typeof rejection>> {
  const condition = 'true ORDER BY id DESC LIMIT :limit OFFSET :skip';
  return {
    data: rejections.all(database, application, condition, { skip, limit }),
    pagination: paginate(
      { skip, limit },
      count(database, 'rejection WHERE application = :application', { application }),
    ),
  };
}

/** Outcome of a span or a trace, without the ids that were looked up. */
type Whereabouts = Omit<z.input<typeof whereabouts>, 'traceId' | 'spanId'>;

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
): Whereabouts {
  const found: Whereabouts = {
    stored: false,
    traceSpanCount: 0,
    traceUpdatedAt: null,
    deletedAt: null,
    rejections: [],
  };
  for (const traceId of traceIds) {
    const trace = database.get<{ tkey: number; spans: number; updatedAt: number }>(
      'SELECT tkey, span_count AS spans, updated_at AS updatedAt FROM trace WHERE application = :application AND trace_id = :traceId',
      { application, traceId },
    );
    const tombstone = database.get<{ deletedAt: number }>(
      'SELECT deleted_at AS deletedAt FROM tombstone WHERE application = :application AND trace_id = :traceId',
      { application, traceId },
    );
    if (tombstone) found.deletedAt ??= isoTime(tombstone.deletedAt);
    if (!trace) continue;
    found.traceSpanCount = trace.spans;
    found.traceUpdatedAt = isoTime(trace.updatedAt);
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
  found.rejections = rejections
    .all(database, application, 'true ORDER BY id DESC')
    .filter((row) => row.traceId !== null && ids.has(row.traceId))
    .slice(0, 20);
  return found;
}

export const ingestQueries = { listLedger, listRejections, lookUpSpan };

const count = (database: Database, rows: string, values: Record<string, SqlValue>): number =>
  database.get<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, values)?.n ?? 0;
