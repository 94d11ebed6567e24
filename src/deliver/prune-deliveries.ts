import type { Database } from '../storage/database.ts';
import { removeRows, StepBudget } from '../traces/purge-step.ts';

/** Deletes some of the finished deliveries that were sent before a time (Unix milliseconds); returns whether none is left. */
export const pruneDeliveries = (
  database: Database,
  { application, before }: { application: number; before: number },
): boolean =>
  removeRows<{ id: string }>(
    database,
    {
      sql: `SELECT id, length(request_body) + coalesce(length(response_body), 0) AS bytes FROM delivery
            WHERE application = ? AND sent_at < ? AND finished_at IS NOT NULL ORDER BY sent_at`,
      values: [application, before],
    },
    new StepBudget(),
    ({ id }) =>
      database.run('DELETE FROM delivery WHERE application = :application AND id = :id', { application, id }),
  );
