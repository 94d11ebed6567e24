import { krippendorffAlpha } from '../../evaluate/statistics/krippendorff.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { settled } from '../../evaluate/statistics/settled.ts';
import type { Database } from '../../storage/database.ts';
import { reviews } from './record.ts';

/** Most reviews whose agreement is computed, newest first; more than people write. */
const MAX_REVIEWS = 20_000;
const Z = reach(0.95);
const judged = reviews.pick('itemId', 'verdicts');

interface OfQueue {
  application: number;
  queueId: string;
}

/** Reports whether anyone has reviewed or reserved an item of a queue. */
export const hasReviews = (database: Database, { application, queueId }: OfQueue): boolean =>
  database.get(
    'SELECT 1 FROM annotation_review WHERE application = :application AND queue_id = :queueId LIMIT 1',
    { application, queueId },
  ) !== undefined;

/** Computes the agreement of the reviewers of a queue over all criteria. Who is unsure counts half as pass and half as fail. */
export function agreementOf(
  database: Database,
  { application, queueId }: OfQueue,
): { alpha: number; low: number; high: number } | null {
  const condition = `queue_id = :queueId AND state = 'JUDGED' ORDER BY ended_at DESC, id LIMIT ${MAX_REVIEWS}`;
  const subjects = new Map<string, { passed: number; count: number }>();
  for (const { itemId, verdicts } of judged.all(database, application, condition, { queueId }))
    for (const [criterion, verdict] of Object.entries(verdicts ?? {})) {
      const key = `${itemId} ${criterion}`;
      const { passed, count } = subjects.get(key) ?? { passed: 0, count: 0 };
      subjects.set(key, { passed: passed + SHARE[verdict], count: count + 1 });
    }
  const found = krippendorffAlpha([...subjects.values()], Z);
  return found && { alpha: settled(found.alpha), low: settled(found.low), high: settled(found.high) };
}

const SHARE = { PASS: 1, UNSURE: 0.5, FAIL: 0 } as const;
