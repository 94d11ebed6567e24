import type { Database } from '../storage/database.ts';

/** Deletes some of the counts of hours before a time (Unix milliseconds); returns how many rows. */
export const pruneLedger = (
  database: Database,
  some: { application: number; before: number; limit: number },
): number =>
  database.run(
    `DELETE FROM ledger WHERE application = :application AND (hour, key_id) IN (
       SELECT hour, key_id FROM ledger WHERE application = :application AND hour < :before ORDER BY hour LIMIT :limit)`,
    { ...some },
  );
