import type { Database, RowStatement, SqlValue } from '../storage/database.ts';
import { inKeyOrder } from '../storage/row-set.ts';
import { newRejections } from './ledger-records.ts';

/**
 * Numbers that one request, or one slice of it, adds to the ledger. `received` equals stored + duplicate + replaced +
 * Σ rejected.
 */
export interface LedgerEntry {
  application: number;
  keyId: string;
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  /** 1 for a request or its first slice, 0 for its other slices. */
  requests: number;
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  /** Number of rejected spans, by reason. */
  rejected: Readonly<Record<string, number>>;
  /** Counts of notices that concern accepted spans, by name. */
  notices: Readonly<Record<string, number>>;
}

/** Numbers of a request without spans. */
export const NO_SPANS = { received: 0, stored: 0, duplicate: 0, replaced: 0, rejected: {} } as const;

/** A rejection that is kept for inspection. */
export interface Rejection {
  /** Endpoint: `otlp`, `events`, `logs`, `metrics`. */
  source: string;
  reason: string;
  message: string;
  spans: number;
  traceId: string | null;
  spanId: string | null;
}

const HOUR_MS = 3_600_000;
/** Most rejections kept per application; the oldest are removed first. */
export const MAX_REJECTIONS = 1_000;

/** Adds one entry to the ledger. */
export function recordLedger(database: Database, entry: LedgerEntry): void {
  const ledger = new LedgerEntries();
  ledger.add(entry);
  ledger.write(database);
}

/** Entries of one commit; those with the same key and hour are written as one row. */
export class LedgerEntries {
  private readonly rows = new Map<string, LedgerRow>();

  add(entry: LedgerEntry): void {
    const hour = Math.floor(entry.at / HOUR_MS) * HOUR_MS;
    const key = `${entry.application} ${hour} ${entry.keyId}`;
    const known = this.rows.get(key);
    if (!known) {
      this.rows.set(key, { ...entry, hour });
      return;
    }
    for (const count of ['requests', 'received', 'stored', 'duplicate', 'replaced'] as const) {
      known[count] += entry[count];
    }
    known.rejected = sumCounts(known.rejected, entry.rejected);
    known.notices = sumCounts(known.notices, entry.notices);
  }

  write(database: Database): void {
    const rows = inKeyOrder(this.rows);
    database.runMany(ADD_COUNTS, rows.map(countsOf));
    const named = rows.filter(({ rejected, notices }) => hasCounts(rejected) || hasCounts(notices));
    const stored = database.allMany<{ reasons: string; notices: string }>(FIND_NAMED, named.map(keyOf));
    database.runMany(
      SET_NAMED,
      named.map((row, index) => [
        JSON.stringify(sumCounts(parseCounts(stored[index]?.[0]?.reasons), row.rejected)),
        JSON.stringify(sumCounts(parseCounts(stored[index]?.[0]?.notices), row.notices)),
        ...keyOf(row),
      ]),
    );
    this.rows.clear();
  }
}

type LedgerRow = LedgerEntry & { hour: number };

const ADD_COUNTS: RowStatement = {
  sql: `INSERT INTO ledger (application, hour, key_id, requests, received, stored, duplicate, replaced, rejected, reasons, notices)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}', '{}')
     ON CONFLICT (application, hour, key_id) DO UPDATE SET requests = ledger.requests + excluded.requests,
       received = ledger.received + excluded.received, stored = ledger.stored + excluded.stored,
       duplicate = ledger.duplicate + excluded.duplicate, replaced = ledger.replaced + excluded.replaced,
       rejected = ledger.rejected + excluded.rejected`,
  columns: ['integer', 'integer', 'text', 'integer', 'integer', 'integer', 'integer', 'integer', 'integer'],
};
const FIND_NAMED: RowStatement = {
  sql: 'SELECT reasons, notices FROM ledger WHERE application = ? AND hour = ? AND key_id = ?',
  columns: ['integer', 'integer', 'text'],
};
const SET_NAMED: RowStatement = {
  sql: 'UPDATE ledger SET reasons = ?, notices = ? WHERE application = ? AND hour = ? AND key_id = ?',
  columns: ['text', 'text', 'integer', 'integer', 'text'],
};

const keyOf = ({ application, hour, keyId }: LedgerRow): SqlValue[] => [application, hour, keyId];
const hasCounts = (counts: Counts): boolean => Object.keys(counts).length > 0;
const countsOf = (row: LedgerRow): SqlValue[] => [
  ...keyOf(row),
  row.requests,
  row.received,
  row.stored,
  row.duplicate,
  row.replaced,
  Object.values(row.rejected).reduce((sum, count) => sum + count, 0),
];

export function recordRejections(
  database: Database,
  entry: Pick<LedgerEntry, 'application' | 'keyId' | 'at'>,
  rejections: readonly Rejection[],
): void {
  for (const rejection of rejections) newRejections.insert(database, entry, { ...entry, ...rejection });
  if (rejections.length === 0) return;
  database.run(
    `DELETE FROM rejection WHERE application = :application AND id <=
       (SELECT id FROM rejection WHERE application = :application ORDER BY id DESC LIMIT 1 OFFSET :kept)`,
    { application: entry.application, kept: MAX_REJECTIONS },
  );
}

type Counts = Readonly<Record<string, number>>;

const parseCounts = (json = '{}'): Counts => JSON.parse(json) as Counts;

function sumCounts(a: Counts, b: Counts): Counts {
  const sums: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
