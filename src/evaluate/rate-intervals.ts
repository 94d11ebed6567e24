import type { Database } from '../storage/database.ts';
import { each, orderedJoin } from '../storage/dialect.ts';
import { inputOf } from '../tests/input-of.ts';
import { type RateSumsRow, rateSums, sumsOfRow } from './rate-sums.ts';
import type { Groups } from './results.ts';
import { type RateInterval, rateIntervalOfTasks } from './statistics/rate-interval.ts';

/** Returns the 95 % interval of the pass rate of each group of tests, without groups that have none that counts. */
export function rateIntervalsOf(
  database: Database,
  { application, by, ids }: Groups,
): Map<string, RateInterval> {
  const tests = `(SELECT value AS "group", task_id, ${inputOf('test')} AS example_id, counted_passed * 1.0 / counted_evals AS rate
    FROM ${each(':ids')} ${orderedJoin} test ON test.application = :application AND test.${by} = value
    WHERE counted_evals > 0)`;
  const rows = database.all<RateSumsRow & { group: string }>(rateSums(tests, ['"group"']), {
    application,
    ids: JSON.stringify(ids),
  });
  return new Map(rows.map((row) => [row.group, rateIntervalOfTasks(sumsOfRow(row))]));
}
