import { wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import type { Frequency } from './contract.ts';

/** Newest random traces of a queue that a rate is about. */
export const SAMPLE_TRACES = 1_000;

/** SQL like `NEWEST`, with the application, the queue and the largest number as positional parameters. */
export const NEWEST_SAMPLE = `SELECT trace_id, weight FROM annotation_queue_item ${byIndex('annotation_queue_item_drawn')}
  WHERE application = ? AND drawn_at IS NOT NULL AND queue_id = ? AND completed_at IS NOT NULL
  ORDER BY drawn_at DESC, place DESC, id DESC LIMIT ?`;

/** Result of looking at the newest random traces of a queue. */
export interface RandomSample {
  /** Number of these traces. */
  of: number;
  /** True if each trace had the same probability. */
  isUniform: boolean;
  /** Number of linked ones, by issue. */
  counts: ReadonlyMap<string, number>;
}

/** SQL of the newest traces that a queue drew at random and that people completed. */
const NEWEST = `SELECT trace_id, weight FROM annotation_queue_item ${byIndex('annotation_queue_item_drawn')}
  WHERE application = :application AND drawn_at IS NOT NULL AND queue_id = :queueId AND completed_at IS NOT NULL
  ORDER BY drawn_at DESC, place DESC, id DESC LIMIT :limit`;

/** Looks up what the newest random traces of a queue, at most `limit`, say of issues. */
export function randomSample(
  database: Database,
  {
    application,
    queueId,
    issueIds,
    limit = SAMPLE_TRACES,
  }: { application: number; queueId: string; issueIds: readonly string[]; limit?: number },
): RandomSample {
  const of = { application, queueId, limit };
  const size = database.get<{ n: number; weighted: number }>(
    `SELECT count(*) AS n, count(*) FILTER (WHERE weight <> 1) AS weighted FROM (${NEWEST}) AS sample`,
    of,
  );
  const rows = database.all<{ issueId: string; n: number }>(
    `SELECT link.issue_id AS "issueId", count(*) AS n FROM (${NEWEST}) AS sample
     ${orderedJoin} issue_link AS link ON link.application = :application AND link.trace_id = sample.trace_id
     WHERE link.issue_id IN ${valuesOf(':issueIds')} GROUP BY link.issue_id`,
    { ...of, issueIds: JSON.stringify(issueIds) },
  );
  return {
    of: size?.n ?? 0,
    isUniform: (size?.weighted ?? 0) === 0,
    counts: new Map(rows.map(({ issueId, n }) => [issueId, n])),
  };
}

/** Returns the queue whose random draws are the newest, of these of no topic or of a given one; null without any. */
export function newestSampledQueue(
  database: Database,
  { application, topicId }: { application: number; topicId: string | null },
): string | null {
  const row = database.get<{ id: string }>(
    `SELECT queue_id AS id FROM annotation_queue_item AS item ${byIndex('annotation_queue_item_drawn')}
     WHERE item.application = :application AND drawn_at IS NOT NULL AND EXISTS (
       SELECT 1 FROM annotation_queue AS queue WHERE queue.application = :application AND queue.id = item.queue_id
         AND (queue.topic_id IS NULL OR queue.topic_id = :topicId))
     ORDER BY drawn_at DESC, place DESC, item.id DESC LIMIT 1`,
    { application, topicId },
  );
  return row?.id ?? null;
}

const NO_RATE = { rate: null, low: null, high: null, of: null, queueId: null };
const percent = (share: number): number => Math.round(share * 1_000) / 10;

/** Returns a frequency of which no rate is known. */
export const countOnly = (count: number): Frequency => ({ kind: 'COUNT', count, ...NO_RATE });

/** Returns a frequency in a random sample of a queue, with its interval. */
export function rateInSample({
  count,
  of,
  queueId,
}: {
  count: number;
  of: number;
  queueId: string;
}): Frequency {
  const { low, high } = wilsonInterval(count / of, of);
  const interval = { rate: percent(count / of), low: percent(low), high: percent(high) };
  return { kind: 'RATE', count, ...interval, of, queueId };
}

interface FrequencyOf {
  id: string;
  linkCount: number;
  sampleQueueId: string | null;
}

/** Returns how often each issue occurs, by id: as a rate only in a sample in which each trace had the same probability. */
export function frequenciesOf(
  database: Database,
  application: number,
  all: readonly FrequencyOf[],
): Map<string, Frequency> {
  const found = new Map<string, Frequency>();
  for (const [queueId, group] of Map.groupBy(all, ({ sampleQueueId }) => sampleQueueId)) {
    const issueIds = group.map(({ id }) => id);
    const sample = queueId === null ? null : randomSample(database, { application, queueId, issueIds });
    for (const { id, linkCount } of group) {
      const { of = 0, isUniform = false } = sample ?? {};
      if (sample === null || queueId === null || of === 0 || !isUniform) found.set(id, countOnly(linkCount));
      else found.set(id, rateInSample({ count: sample.counts.get(id) ?? 0, of, queueId }));
    }
  }
  return found;
}
