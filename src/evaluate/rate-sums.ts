import type { RateSums } from './statistics/rate-interval.ts';

/** Sums over the tests of a group; null in a group without tests. */
export interface RateSumsRow {
  tasks: number;
  examples: number;
  tests: number;
  total: number;
  exampleCounts: number;
  exampleProducts: number;
  exampleTotals: number;
  taskCounts: number;
  taskProducts: number;
  taskTotals: number;
}

/**
 * Returns SQL that sums the rates of tests by their examples and tasks, as intervals need it: one row for each value of
 * `by`. `source` selects `by`, `task_id`, `example_id` and `rate`, 0 to 1, or NULL where a test does not count.
 */
export function rateSums(source: string, by: readonly string[] = []): string {
  const group = (...columns: string[]): string =>
    [...by, ...columns].length > 0 ? ` GROUP BY ${[...by, ...columns].join(', ')}` : '';
  const columns = (...named: string[]): string => [...by, ...named].join(', ');
  return `SELECT ${columns('count(*) AS tasks', 'sum(examples) AS examples', 'sum(n) AS tests', 'sum(s) AS total')},
    sum(nn) AS "exampleCounts", sum(ns) AS "exampleProducts", sum(ss) AS "exampleTotals",
    sum(n * n) AS "taskCounts", sum(n * s) AS "taskProducts", sum(s * s) AS "taskTotals"
  FROM (
    SELECT ${columns('count(*) AS examples', 'sum(n) AS n', 'sum(s) AS s')}, sum(n * n) AS nn, sum(n * s) AS ns, sum(s * s) AS ss
    FROM (
      SELECT ${columns('task_id', 'count(*) AS n', 'sum(rate) AS s')} FROM ${source}
      WHERE rate IS NOT NULL${group('task_id', 'example_id')}
    )${group('task_id')}
  )${group()}`;
}

/** Returns the sums of a row with at least one test. */
export function sumsOfRow(row: RateSumsRow): RateSums {
  const values = { values: row.tests, sum: row.total };
  return {
    examples: {
      ...values,
      clusters: row.examples,
      squaredCounts: row.exampleCounts,
      products: row.exampleProducts,
      squaredSums: row.exampleTotals,
    },
    tasks: {
      ...values,
      clusters: row.tasks,
      squaredCounts: row.taskCounts,
      products: row.taskProducts,
      squaredSums: row.taskTotals,
    },
  };
}
