import type { Database } from '../storage/database.ts';
import { countedTests, countedValues, type Groups } from './counted-tests.ts';
import { type RateSumsRow, rateSums, sumsOfRow } from './rate-sums.ts';
import { type RateInterval, rateIntervalOfSums } from './statistics/rate-interval.ts';

/** Returns the 95 % interval of the pass rate of each group of tests, without groups that have none that counts. */
export function rateIntervalsOf(database: Database, groups: Groups): Map<string, RateInterval> {
  const tests = `(SELECT "group", task_id, example_id, passed * 1.0 / evals AS rate FROM ${countedTests(groups)})`;
  const rows = database.all<RateSumsRow & { group: string }>(
    rateSums(tests, ['"group"']),
    countedValues(groups),
  );
  return new Map(rows.map((row) => [row.group, rateIntervalOfSums(sumsOfRow(row))]));
}
