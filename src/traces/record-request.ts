import type { Database } from '../storage/database.ts';
import { type LedgerEntry, recordLedger, recordRejections, type Rejection } from './ledger.ts';

/** Records a request that stored no span. */
export function recordRequest(
  database: Database,
  entry: LedgerEntry & { rejections: readonly Rejection[] },
): void {
  recordLedger(database, entry);
  recordRejections(database, entry, entry.rejections);
}
