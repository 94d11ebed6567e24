import { type Assessment, assess } from '../../evaluate/assessment.ts';
import type { Owner } from '../../contract/owner.ts';
import { storedMetrics } from '../../evaluate/quality-metric-store.ts';
import { type QualityMetrics, computeMetrics } from '../../evaluate/quality-metrics.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import type { Database } from '../../storage/database.ts';
import { each } from '../../storage/dialect.ts';
import { listedTests } from '../../tests/record.ts';
import { testSummaries } from '../tests/listed-tests.ts';
import type { TestSummary } from '../tests/contract.ts';
import { shownRateInterval } from '../tests/rate-interval.ts';
import type { TaskMetrics } from './metrics-contract.ts';
import { performanceOf } from './performance.ts';

/** Returns the stored metrics of tasks. */
export function metricsOfTasks(
  database: Database,
  owner: Owner,
  ids: readonly string[],
): (taskId: string) => TaskMetrics {
  const metrics = storedMetrics(database, { application: owner.application, kind: 'task', ids });
  const lastTests = lastTestsOf(database, owner, ids);
  return (taskId) => shown(metrics.get(taskId) ?? NEVER_TESTED, lastTests.get(taskId));
}

/** Returns the metrics of a task, computed as of `at`. Call it in a reader only. */
export function currentMetrics(
  database: Database,
  owner: Owner,
  { id, at }: { id: string; at: number },
): TaskMetrics {
  const { metrics } = computeMetrics(database, { application: owner.application, kind: 'task', id, at });
  return shown(metrics, lastTestsOf(database, owner, [id]).get(id));
}

/** Stores the levels of a task, by which lists filter, when they have changed. */
export function saveTaskLevels(
  database: Database,
  { application, taskId, assessment }: { application: number; taskId: string; assessment: Assessment },
): void {
  const { status, confidence, stability, health } = assessment;
  database.run(
    `UPDATE task SET figure_status = :status, confidence_level = :confidence, stability_level = :stability, health_level = :health
     WHERE application = :application AND id = :taskId
       AND (figure_status, confidence_level, stability_level, health_level) IS DISTINCT FROM
         (:status, :confidence, :stability, :health)`,
    {
      application,
      taskId,
      status,
      confidence: confidence?.level ?? null,
      stability: stability?.level ?? null,
      health: health?.level ?? null,
    },
  );
}

const NEVER_TESTED: QualityMetrics = {
  tests: 0,
  examples: 0,
  passRate: null,
  passRateLow: null,
  passRateHigh: null,
  errorRate: null,
  monitoringPassRate: null,
  health: null,
  deviation: null,
  evaluations: 0,
  passedEvaluations: 0,
  passedTests: 0,
  monitoredTests: 0,
  monitoredEvaluations: 0,
  monitoredPassedEvaluations: 0,
  monitoredPassedTests: 0,
};

function shown(metrics: QualityMetrics, latestTest: TestSummary | undefined): TaskMetrics {
  const { interval, confidence, stability, health } = assess(metrics);
  const { tests, examples } = metrics;
  return {
    lastTest: latestTest?.createdAt ?? null,
    latestTest: latestTest ?? null,
    ...performanceOf(metrics, { interval, health, stability }),
    passRate: inPercent(metrics.passRate),
    passRateInterval:
      interval &&
      shownRateInterval({
        ...interval,
        question: 'EXAMPLES_LIKE_THESE',
        clusteredBy: 'EXAMPLE',
        clusters: examples,
        examples,
        tests,
        method: 'GAFFKE',
      }),
    errorRate: inPercent(metrics.errorRate),
    monitoringPassRate: inPercent(metrics.monitoringPassRate),
    health,
    confidence,
    stability,
  };
}

const inPercent = (share: number | null): number | null => (share === null ? null : percent(share));

function lastTestsOf(database: Database, owner: Owner, taskIds: readonly string[]): Map<string, TestSummary> {
  const records = listedTests.all(
    database,
    owner.application,
    `id IN (
       SELECT (SELECT id FROM test WHERE application = :application AND task_id = value ORDER BY created_at DESC, id DESC LIMIT 1)
       FROM ${each(':taskIds')})`,
    { taskIds: JSON.stringify(taskIds) },
  );
  return new Map(testSummaries(database, owner, records).map((record) => [record.taskId, record]));
}
