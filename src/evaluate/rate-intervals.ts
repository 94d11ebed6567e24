import type { Database } from '../storage/database.ts';
import { each, orderedJoin } from '../storage/dialect.ts';
import { inputOf } from '../tests/input-of.ts';
import { COUNTED_OUTCOMES } from '../tests/outcome/outcome.ts';
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
  return intervalsOf(database, { application, ids, tests });
}

const COUNTED = COUNTED_OUTCOMES.map((outcome) => `'${outcome}'`).join(', ');

/** Returns the 95 % interval of the share of tests that passed of each run, without runs that have none that counts. */
export function outcomeIntervalsOf(
  database: Database,
  { application, ids }: Omit<Groups, 'by'>,
): Map<string, RateInterval> {
  const tests = `(SELECT value AS "group", task_id, input AS example_id, CASE WHEN outcome = 'PASSED' THEN 1.0 ELSE 0.0 END AS rate
    FROM ${each(':ids')} ${orderedJoin} test_result ON test_result.application = :application AND run_id = value
    WHERE outcome IN (${COUNTED}))`;
  return intervalsOf(database, { application, ids, tests });
}

function intervalsOf(
  database: Database,
  { application, ids, tests }: Omit<Groups, 'by'> & { tests: string },
): Map<string, RateInterval> {
  const rows = database.all<RateSumsRow & { group: string }>(rateSums(tests, ['"group"']), {
    application,
    ids: JSON.stringify(ids),
  });
  return new Map(rows.map((row) => [row.group, rateIntervalOfTasks(sumsOfRow(row))]));
}
