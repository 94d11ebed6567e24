import type { Database } from '../storage/sqlite/database.ts';

/** What one request adds to the ledger. received = stored + duplicate + replaced + Σ rejected. */
export interface LedgerEntry {
  application: number;
  keyId: string;
  /** Unix milliseconds. */
  at: number;
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  /** Reason → spans. */
  rejected: Readonly<Record<string, number>>;
  /** Things worth knowing that cost no span: name → how many. */
  notices: Readonly<Record<string, number>>;
}

/** A refusal to keep for people to look at. */
export interface Rejection {
  /** Which door: `otlp`, `events`, `logs`, `metrics`. */
  source: string;
  reason: string;
  message: string;
  spans: number;
  traceId: string | null;
  spanId: string | null;
}

const HOUR_MS = 3_600_000;
/** Kept for each application; older ones make room. */
export const MAX_REJECTIONS = 1_000;

export function recordLedger(database: Database, entry: LedgerEntry): void {
  const hour = Math.floor(entry.at / HOUR_MS) * HOUR_MS;
  const rejected = Object.values(entry.rejected).reduce((sum, count) => sum + count, 0);
  const keys = [entry.application, hour, entry.keyId] as const;
  const counts = [entry.received, entry.stored, entry.duplicate, entry.replaced, rejected] as const;
  database.run(
    `INSERT INTO ledger (application, hour, key_id, requests, received, stored, duplicate, replaced, rejected, reasons, notices)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, '{}', '{}')
     ON CONFLICT DO UPDATE SET requests = requests + 1, received = received + excluded.received,
       stored = stored + excluded.stored, duplicate = duplicate + excluded.duplicate,
       replaced = replaced + excluded.replaced, rejected = rejected + excluded.rejected`,
    ...keys,
    ...counts,
  );
  if (Object.keys(entry.rejected).length + Object.keys(entry.notices).length === 0) return;
  const row = database.get<{ reasons: string; notices: string }>(
    'SELECT reasons, notices FROM ledger WHERE application = ? AND hour = ? AND key_id = ?',
    ...keys,
  );
  database.run(
    'UPDATE ledger SET reasons = ?, notices = ? WHERE application = ? AND hour = ? AND key_id = ?',
    addCounts(row?.reasons ?? '{}', entry.rejected),
    addCounts(row?.notices ?? '{}', entry.notices),
    ...keys,
  );
}

export function recordRejections(
  database: Database,
  entry: Pick<LedgerEntry, 'application' | 'keyId' | 'at'>,
  rejections: readonly Rejection[],
): void {
  for (const { source, reason, message, spans, traceId, spanId } of rejections) {
    database.run(
      `INSERT INTO rejection (application, at, key_id, source, reason, message, spans, trace_id, span_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      entry.application,
      entry.at,
      entry.keyId,
      source,
      reason,
      message,
      spans,
      traceId,
      spanId,
    );
  }
  if (rejections.length === 0) return;
  database.run(
    `DELETE FROM rejection WHERE application = ?1 AND id <=
       (SELECT id FROM rejection WHERE application = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    entry.application,
    MAX_REJECTIONS,
  );
}

function addCounts(json: string, counts: Readonly<Record<string, number>>): string {
  const sums = JSON.parse(json) as Record<string, number>;
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return JSON.stringify(sums);
}
