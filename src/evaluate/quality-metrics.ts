import type { Database } from '../storage/database.ts';
import { byIndex, inTimeAtEach, orderedJoin } from '../storage/dialect.ts';
import { type RateSumsRow, rateSums, sumsOfRow } from './rate-sums.ts';
import { HALF_LIFE_MS, wholePercent } from './statistics/pass-rate.ts';
import { rateIntervalOfTasks } from './statistics/rate-interval.ts';
import { settled, settledOrNull } from './statistics/settled.ts';

/**
 * Kind of record with metrics. Those of a topic include all tests of its tasks, those of a definition its own evals.
 */
export type MetricsKind = 'task' | 'topic' | 'definition';

/** Metrics of the tests and evals that count. Rates and deviations are 0 to 1; null without data. */
export interface QualityMetrics {
  /** Number of tests that count. */
  tests: number;
  /** Number of different inputs of these tests. */
  examples: number;
  passRate: number | null;
  /** Bounds of the 95 % interval of the pass rate, for examples like these. */
  passRateLow: number | null;
  passRateHigh: number | null;
  /**
   * Share of failed tests among those that count and those that failed for reasons outside the app; null for
   * definitions.
   */
  errorRate: number | null;
  monitoringPassRate: number | null;
  /** Health score from 0 to 100. */
  health: number | null;
  deviation: number | null;
  /** Number of evals of the tests that count, and of those that passed. */
  evaluations: number;
  passedEvaluations: number;
  /** Number of tests that count of which every eval passed. */
  passedTests: number;
  /** The same for what monitoring evaluated: each trace counts as a test. */
  monitoredTests: number;
  monitoredEvaluations: number;
  monitoredPassedEvaluations: number;
  monitoredPassedTests: number;
}

/** Time after their start for which tests and evals of traces count. */
export const WINDOW_MS = 30 * 86_400_000;

/**
 * Returns SQL for the input of a test, by which tests are not independent. The short rows of results have it; tests of earlier versions
 * that have none yet, and erased ones, count by their example.
 */
const inputIn = (table: string): string =>
  `coalesce((SELECT nullif(input, test_id) FROM test_result ${byIndex('test_result_by_test')}
    WHERE test_result.application = :application AND test_id = ${table}.id), ${table}.example_id)`;

const TESTS_OF_TASKS = `SELECT id, task_id, example_id, ${inputIn('test')} AS input, created_at, has_error, CASE WHEN status = 'COMPLETED' THEN 1 ELSE 0 END AS is_judged,
    CASE WHEN counted_evals > 0 THEN counted_passed * 1.0 / counted_evals END AS rate,
    counted_evals AS evaluations, counted_passed AS passed
  FROM test
  WHERE application = :application AND created_at > :after AND run_type IN ('MANUAL', 'SCHEDULED')
    AND (counted_evals > 0 OR has_error <> 0)`;
const TOPIC_TASKS = 'SELECT id FROM task WHERE application = :application AND topic_id = :id';

/** SQL statements by kind: the tests that may count, their evals that count, and the evals from monitoring. */
const SOURCES: Readonly<Record<MetricsKind, { tests: string; evals: string; monitoring: string }>> = {
  task: {
    tests: `${TESTS_OF_TASKS} AND task_id = :id`,
    evals: 'TRUE',
    monitoring: 'task_id = :id',
  },
  topic: {
    tests: `${TESTS_OF_TASKS} AND task_id IN (${TOPIC_TASKS})`,
    evals: 'TRUE',
    monitoring: `task_id IN (${TOPIC_TASKS})`,
  },
  definition: {
    // No eval is older than its test.
    tests: `SELECT test.id, test.task_id, test.example_id, ${inputIn('test')} AS input, test.created_at, 0 AS has_error, 1 AS is_judged,
        eval.passed * 1.0 AS rate, 1 AS evaluations, eval.passed AS passed
      FROM eval ${orderedJoin} test ON test.id = eval.test_id AND test.application = :application
      WHERE eval.application = :application AND definition_id = :id AND superseded = 0 AND eval.created_at > :after
        AND eval.status = 'COMPLETED' AND eval.run_type IN ('MANUAL', 'SCHEDULED')
        AND test.status = 'COMPLETED' AND test.created_at > :after`,
    evals: 'definition_id = :id',
    monitoring: 'definition_id = :id',
  },
};

/** Returns the columns that count evals and tests, under these names. */
const countsOf = (table: string, evaluations: string, passed: string, passedTests: string): string =>
  `(SELECT coalesce(sum(evaluations), 0) FROM ${table}) AS ${evaluations},
    (SELECT coalesce(sum(passed), 0) FROM ${table}) AS ${passed},
    (SELECT count(*) FROM ${table} WHERE evaluations > 0 AND passed = evaluations) AS ${passedTests}`;

/**
 * Returns the SQL that computes metrics. Weights relative to the newest test equal weights by age, apart from a
 * constant factor. The deviation is the root of the error mean square of a one-way analysis of variance
 * (NIST/SEMATECH e-Handbook of Statistical Methods, section 7.4.3.3); each row contributes its part of the degrees of
 * freedom, 1 − 1 / size.
 */
const statement = ({ tests, evals, monitoring }: (typeof SOURCES)[MetricsKind]): string => `
  WITH recent AS MATERIALIZED (${tests}),
  weighted AS (
    SELECT rate, pow(2, (created_at - max(created_at) OVER ()) / ${HALF_LIFE_MS}.0) AS weight
    FROM recent WHERE rate IS NOT NULL AND ${inTimeAtEach('id')}
  ),
  sums AS (${rateSums(`(SELECT task_id, input AS example_id, rate FROM recent WHERE ${inTimeAtEach('id')})`)}),
  scores AS (
    SELECT normalised, avg(normalised) OVER alike AS mean, count(*) OVER alike AS size
    FROM recent ${orderedJoin} eval ON eval.application = :application AND test_id = recent.id
    WHERE is_judged <> 0 AND ${inTimeAtEach('recent.id')} AND superseded = 0 AND eval.status = 'COMPLETED' AND ${evals}
    WINDOW alike AS (PARTITION BY definition_id, definition_version, recent.task_id, example_id)
  ),
  monitored AS (
    SELECT avg(passed) AS rate, min(created_at) AS created_at, count(*) AS evaluations, sum(passed) AS passed FROM eval
    WHERE application = :application AND run_type = 'MONITORING' AND superseded = 0 AND status = 'COMPLETED'
      AND created_at > :after AND ${inTimeAtEach('id')} AND ${monitoring}
    GROUP BY test_id, trace_id
  )
  SELECT sums.*, ${countsOf('recent', 'evaluations', 'passedEvaluations', 'passedTests')},
    (SELECT count(*) FROM monitored) AS monitoredTests,
    ${countsOf('monitored', 'monitoredEvaluations', 'monitoredPassedEvaluations', 'monitoredPassedTests')},
    (SELECT avg(rate) FROM recent) AS passRate,
    (SELECT avg(has_error) FROM recent) AS errorRate,
    (SELECT avg(rate) FROM monitored) AS monitoringPassRate,
    (SELECT sum(rate * weight) / sum(weight) FROM weighted) AS weightedPassRate,
    (SELECT sqrt(sum((normalised - mean) * (normalised - mean)) / sum(1 - 1.0 / size)) FROM scores WHERE size > 1) AS deviation,
    (SELECT min(created_at) FROM (SELECT created_at FROM recent UNION ALL SELECT created_at FROM monitored)) AS oldest
  FROM sums`;

const STATEMENTS = {
  task: statement(SOURCES.task),
  topic: statement(SOURCES.topic),
  definition: statement(SOURCES.definition),
};

type Counts = Pick<QualityMetrics, (typeof COUNTS)[number]>;
const COUNTS = [
  'evaluations',
  'passedEvaluations',
  'passedTests',
  'monitoredTests',
  'monitoredEvaluations',
  'monitoredPassedEvaluations',
  'monitoredPassedTests',
] as const;

interface Row
  extends RateSumsRow,
    Counts,
    Pick<QualityMetrics, 'passRate' | 'errorRate' | 'monitoringPassRate' | 'deviation'> {
  weightedPassRate: number | null;
  oldest: number | null;
}

export interface MetricsKey {
  application: number;
  kind: MetricsKind;
  id: string;
}

/**
 * Computes metrics as of `at`, and the time when the first of the counted tests stops counting (null when none
 * count).
 */
export function computeMetrics(
  database: Database,
  { application, kind, id, at }: MetricsKey & { at: number },
): { metrics: QualityMetrics; until: number | null } {
  const row = database.get<Row>(STATEMENTS[kind], { application, id, after: at - WINDOW_MS }) as Row;
  const weighted = settledOrNull(row.weightedPassRate);
  return {
    metrics: {
      ...countsAndInterval(row),
      passRate: settledOrNull(row.passRate),
      errorRate: kind === 'definition' ? null : settledOrNull(row.errorRate),
      monitoringPassRate: settledOrNull(row.monitoringPassRate),
      health: weighted === null ? null : wholePercent(weighted),
      deviation: settledOrNull(row.deviation),
      ...(Object.fromEntries(COUNTS.map((name) => [name, row[name]])) as unknown as Counts),
    },
    until: row.oldest === null ? null : row.oldest + WINDOW_MS,
  };
}

type CountsAndInterval = Pick<QualityMetrics, 'tests' | 'examples' | 'passRateLow' | 'passRateHigh'>;

function countsAndInterval(row: Row): CountsAndInterval {
  if (row.passRate === null) return { tests: 0, examples: 0, passRateLow: null, passRateHigh: null };
  const { low, high, tests, examples } = rateIntervalOfTasks(sumsOfRow(row));
  return { tests, examples, passRateLow: settled(low), passRateHigh: settled(high) };
}
