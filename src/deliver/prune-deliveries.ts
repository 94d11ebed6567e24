import type { Database } from '../storage/database.ts';
import { isOfPinnedSet } from '../tests/pinned-runs.ts';
import { StepBudget } from '../traces/purge-step.ts';

/** Most deliveries that one command looks at. */
const STEP_DELIVERIES = 200;

/** Place in the order of deliveries: time of sending, in Unix milliseconds, and id. */
export interface DeliveryPlace {
  sentAt: number;
  id: string;
}

interface PruneDeliveries {
  application: number;
  /** Place of the last delivery that was looked at; null to begin. */
  after: DeliveryPlace | null;
  /** Unix milliseconds: deliveries that were sent earlier are deleted. */
  before: number;
  /** Number of newer run sets of a branch from which on one is no longer pinned. */
  keptRunSets: number;
  /** Unix milliseconds; earlier deliveries are not pinned. */
  pinnedFrom: number;
}

interface DeliveryRow extends DeliveryPlace {
  bytes: number;
  isPinned: number;
}

const RUN_OF_TEST = `(SELECT run_id FROM test WHERE test.application = delivery.application AND test.id = delivery.test_id)`;

/**
 * Deletes some of the finished deliveries that were sent before a time. Those of run sets that are pinned stay. Returns the place
 * after which to continue; null when all is done.
 */
export function pruneDeliveries(
  database: Database,
  { application, after, before, keptRunSets, pinnedFrom }: PruneDeliveries,
): DeliveryPlace | null {
  const rows = database.all<DeliveryRow>(
    `SELECT id, sent_at AS "sentAt", length(request_body) + coalesce(length(response_body), 0) AS bytes,
       sent_at >= :pinnedFrom AND ${isOfPinnedSet('delivery.application', RUN_OF_TEST)} AS "isPinned"
     FROM delivery WHERE application = :application AND sent_at >= :sentAt AND (sent_at, id) > (:sentAt, :id)
       AND sent_at < :before AND finished_at IS NOT NULL
     ORDER BY sent_at, id LIMIT ${STEP_DELIVERIES}`,
    { application, before, keptRunSets, pinnedFrom, ...(after ?? { sentAt: -1, id: '' }) },
  );
  const budget = new StepBudget();
  let last: DeliveryRow | null = null;
  for (const row of rows) {
    if (budget.isSpent) break;
    last = row;
    if (row.isPinned === 1) continue;
    database.run('DELETE FROM delivery WHERE application = :application AND id = :id', {
      application,
      id: row.id,
    });
    budget.spend(1, row.bytes);
  }
  if (!last || (rows.length < STEP_DELIVERIES && last === rows.at(-1))) return null;
  return { sentAt: last.sentAt, id: last.id };
}
