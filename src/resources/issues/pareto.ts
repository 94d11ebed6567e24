import type { Owner } from '../../contract/owner.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex } from '../../storage/dialect.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import { type IssuePareto, MAX_PARETO } from './pareto-contract.ts';
import { NEWEST_SAMPLE, rateInSample, SAMPLE_TRACES } from './sample.ts';

/**
 * Returns how often each issue occurs in the newest random sample that people have completed, without traces that the caller reviews blind;
 * null without a sample in which each trace had the same probability.
 */
function readPareto(
  database: Database,
  { owner: { application }, seenBy }: { owner: Owner; seenBy: SeenBy },
): IssuePareto | null {
  const queue = newestQueue(database, application);
  if (!queue) return null;
  const visible = shownTo(database, { application, ...seenBy })?.trace('sample.trace_id');
  const where = visible?.sql ?? 'true';
  const sample = `(${NEWEST_SAMPLE}) AS sample WHERE ${where}`;
  const values = [application, queue.id, SAMPLE_TRACES, ...(visible?.values ?? [])];
  const linked = `SELECT 1 FROM issue_link AS link JOIN issue ON issue.application = link.application AND issue.id = link.issue_id
    WHERE link.application = ? AND link.trace_id = sample.trace_id AND issue.status <> 'REJECTED'`;
  const size = database.get<{ of: number; weighted: number; none: number }>(
    `SELECT count(*) AS "of", count(*) FILTER (WHERE weight <> 1) AS weighted,
       count(*) FILTER (WHERE NOT EXISTS (${linked})) AS "none" FROM ${sample}`,
    application,
    ...values,
  );
  if (!size || size.of === 0 || size.weighted > 0) return null;
  const { of, none } = size;
  const rows = database.all<{ id: string; number: number; title: string; n: number }>(
    `SELECT issue.id, issue.number, issue.title, count(*) AS n
     FROM (SELECT sample.trace_id FROM ${sample}) AS shown
     JOIN issue_link AS link ON link.application = ? AND link.trace_id = shown.trace_id
     JOIN issue ON issue.application = link.application AND issue.id = link.issue_id AND issue.status <> 'REJECTED'
     GROUP BY issue.id, issue.number, issue.title ORDER BY count(*) DESC, issue.number`,
    ...values,
    application,
  );
  const shareOf = (count: number) => {
    const { rate, low, high } = rateInSample({ count, of, queueId: queue.id });
    return { count, rate: rate ?? 0, low: low ?? 0, high: high ?? 0 };
  };
  return {
    queueId: queue.id,
    queueTitle: queue.title,
    drawnAt: isoTime(queue.drawnAt),
    of,
    issues: rows
      .slice(0, MAX_PARETO)
      .map(({ id, number, title, n }) => ({ id, number, title, ...shareOf(n) })),
    others: Math.max(0, rows.length - MAX_PARETO),
    none: shareOf(none),
  };
}

/** Returns the queue whose newest random draw that people have begun to complete is the newest. */
const newestQueue = (
  database: Database,
  application: number,
): { id: string; title: string; drawnAt: number } | undefined =>
  database.get(
    `SELECT item.queue_id AS id, queue.title, item.drawn_at AS "drawnAt"
     FROM annotation_queue_item AS item ${byIndex('annotation_queue_item_drawn')}
     JOIN annotation_queue AS queue ON queue.application = item.application AND queue.id = item.queue_id
     WHERE item.application = :application AND item.drawn_at IS NOT NULL AND item.completed_at IS NOT NULL
     ORDER BY item.drawn_at DESC, item.place DESC, item.id DESC LIMIT 1`,
    { application },
  );

export const paretoQueries = { readPareto };
