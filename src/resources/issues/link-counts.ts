import type { Database } from '../../storage/database.ts';
import { greater, lesser } from '../../storage/dialect.ts';
import { dayOf } from '../../traces/trace-keys.ts';

interface OfIssue {
  application: number;
  issueId: string;
}

/** Adds newly linked traces to the counters of an issue, by the times at which they began. */
export function countLinked(
  database: Database,
  { application, issueId }: OfIssue,
  seen: readonly number[],
): void {
  if (seen.length === 0) return;
  const [first, last] = [Math.min(...seen), Math.max(...seen)];
  database.run(
    `UPDATE issue SET link_count = link_count + :added,
       first_seen_at = CASE WHEN first_seen_at IS NULL THEN :first ELSE ${lesser('first_seen_at', ':first')} END,
       last_seen_at = CASE WHEN first_seen_at IS NULL THEN :last ELSE ${greater('last_seen_at', ':last')} END
     WHERE application = :application AND id = :issueId`,
    { application, issueId, added: seen.length, first, last },
  );
  for (const [day, times] of Map.groupBy(seen, dayOf))
    addToDay(database, { application, issueId, day, count: times.length });
}

export function addToDay(database: Database, of: OfIssue & { day: number; count: number }): void {
  database.run(
    `INSERT INTO issue_day (application, issue_id, day, count) VALUES (:application, :issueId, :day, :count)
     ON CONFLICT (application, issue_id, day) DO UPDATE SET count = issue_day.count + excluded.count`,
    { ...of },
  );
}

/** Takes traces that are no longer linked out of the counters of an issue. Its links are deleted already. */
export function countUnlinked(
  database: Database,
  { application, issueId }: OfIssue,
  seen: readonly number[],
): void {
  if (seen.length === 0) return;
  for (const [day, times] of Map.groupBy(seen, dayOf)) {
    const of = { application, issueId, day };
    addToDay(database, { ...of, count: -times.length });
    database.run(
      'DELETE FROM issue_day WHERE application = :application AND issue_id = :issueId AND day = :day AND count <= 0',
      of,
    );
  }
  const left = `FROM issue_link AS link WHERE link.application = :application AND link.issue_id = :issueId`;
  // The times of deleted traces are no longer known: then those that are stored stay.
  database.run(
    `UPDATE issue SET link_count = link_count - :removed,
       first_seen_at = CASE WHEN deleted_count > 0 THEN first_seen_at ELSE (SELECT min(seen_at) ${left}) END,
       last_seen_at = CASE WHEN deleted_count > 0 THEN last_seen_at
         ELSE coalesce((SELECT max(seen_at) ${left}), created_at) END
     WHERE application = :application AND id = :issueId`,
    { application, issueId, removed: seen.length },
  );
}
