import { dropJob } from '../jobs/store.ts';
import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';
import { DELIVER } from './delivery-store.ts';

/** Deletes the deliveries of tests, and the jobs that would deliver them. */
export function removeDeliveries(
  database: Database,
  { application, testIds }: { application: number; testIds: readonly string[] },
): void {
  for (const key of testIds) dropJob(database, { kind: DELIVER, key });
  database.run(`DELETE FROM delivery WHERE application = :application AND test_id IN ${valuesOf(':ids')}`, {
    application,
    ids: JSON.stringify(testIds),
  });
}
