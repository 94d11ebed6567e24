import { arrayOf, rowOf } from '../storage/dialect.ts';
import type { ClusterSums } from './statistics/clusters.ts';

/** Sums over the tests of a group, of its tasks; null in a group without tests. */
export interface RateSumsRow {
  tests: number;
  /** JSON of the sums of each task over its examples. */
  sums: string;
}

/**
 * Returns SQL that sums the rates of tests by their tasks and examples, as intervals need it: one row for each value of
 * `by`. `source` selects `by`, `task_id`, `example_id` and `rate`, 0 to 1, or NULL where a test does not count.
 */
export function rateSums(source: string, by: readonly string[] = []): string {
  const group = (...columns: string[]): string =>
    [...by, ...columns].length > 0 ? ` GROUP BY ${[...by, ...columns].join(', ')}` : '';
  const columns = (...named: string[]): string => [...by, ...named].join(', ');
  return `SELECT ${columns('sum(n) AS tests', `${arrayOf(rowOf('examples', 'n', 's', 'nn', 'ns', 'ss'))} AS sums`)}
  FROM (
    SELECT ${columns('count(*) AS examples', 'sum(n) AS n', 'sum(s) AS s')}, sum(n * n) AS nn, sum(n * s) AS ns, sum(s * s) AS ss
    FROM (
      SELECT ${columns('task_id', 'count(*) AS n', 'sum(rate) AS s')} FROM ${source}
      WHERE rate IS NOT NULL${group('task_id', 'example_id')}
    )${group('task_id')}
  )${group()}`;
}

type Sums = [examples: number, n: number, s: number, nn: number, ns: number, ss: number];

/** Returns the sums over the examples of each task, of a row with at least one test. */
export const sumsOfRow = ({ sums }: RateSumsRow): ClusterSums[] =>
  (JSON.parse(sums) as Sums[]).map(([clusters, values, sum, squaredCounts, products, squaredSums]) => ({
    clusters,
    values,
    sum,
    squaredCounts,
    products,
    squaredSums,
  }));
