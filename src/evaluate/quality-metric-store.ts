import { nullable, number, text } from '../storage/column.ts';
import { table } from '../storage/record.ts';
import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';
import { type Assessment, assess } from './assessment.ts';
import type { MetricsKey, QualityMetrics } from './quality-metrics.ts';

const metricsTable = table('figure', 'figure', {
  id: text,
  tests: number,
  examples: number,
  passRate: nullable(number),
  passRateLow: nullable(number),
  passRateHigh: nullable(number),
  errorRate: nullable(number),
  monitoringPassRate: nullable(number),
  health: nullable(number),
  deviation: nullable(number),
  evaluations: number,
  passedEvaluations: number,
  passedTests: number,
  monitoredTests: number,
  monitoredEvaluations: number,
  monitoredPassedEvaluations: number,
  monitoredPassedTests: number,
});

/** Key of metrics that are due, and the version of the data to compute them from. */
export interface DueMetrics extends MetricsKey {
  version: number;
}

/**
 * Most due metrics among which applications take turns; if there are more, those that have waited longest come first.
 */
const MAX_IN_TURNS = 20_000;

/** Returns due metrics. Applications take turns; within each, those that have waited longest come first. */
export function dueMetrics(database: Database, { now, limit }: { now: number; limit: number }): DueMetrics[] {
  return database.all<DueMetrics>(
    `SELECT application, kind, id, version FROM (
       SELECT *, row_number() OVER (PARTITION BY application ORDER BY due_at) AS turn FROM (
         SELECT application, kind, id, version, due_at FROM figure WHERE due_at <= :now ORDER BY due_at LIMIT :candidates))
     ORDER BY turn, due_at LIMIT :limit`,
    { now, candidates: MAX_IN_TURNS, limit },
  );
}

/** Time when the next metrics are due, in Unix milliseconds; null when none are. */
export function nextMetricsAt(database: Database, _args: null): number | null {
  const sql = 'SELECT min(due_at) AS "nextAt" FROM figure WHERE due_at IS NOT NULL';
  return database.get<{ nextAt: number | null }>(sql)?.nextAt ?? null;
}

export interface ComputedMetrics extends DueMetrics {
  /** Computed metrics; null when the computation failed, which leaves the stored ones unchanged. */
  metrics: QualityMetrics | null;
  /** Time of the next computation even if nothing changes; null for never. */
  until: number | null;
  /** Earliest time of the next computation. */
  readyAt: number;
}

/** Hooks of features that keep something that follows from metrics. */
export interface MetricHooks {
  onTaskMetricsSaved: readonly ((
    database: Database,
    args: { application: number; taskId: string; assessment: Assessment },
  ) => void)[];
}

/** Stores metrics. Metrics whose tests or evals have changed in the meantime remain due. */
export function saveMetrics(
  database: Database,
  { computed }: { computed: readonly ComputedMetrics[] },
  { onTaskMetricsSaved }: MetricHooks,
): void {
  for (const { application, kind, id, version, metrics, until, readyAt } of computed) {
    database.run(
      `UPDATE figure SET ready_at = CAST(:readyAt AS BIGINT),
         due_at = CASE WHEN version = :version THEN :until ELSE CAST(:readyAt AS BIGINT) END
       WHERE application = :application AND kind = :kind AND id = :id`,
      { readyAt, version, until, application, kind, id },
    );
    if (metrics === null) continue;
    const isOne = 'kind = :kind AND id = :id';
    metricsTable.updateAll(database, { application, at: readyAt }, metrics, isOne, { kind, id });
    if (kind !== 'task') continue;
    const assessment = assess(metrics);
    for (const onSaved of onTaskMetricsSaved) onSaved(database, { application, taskId: id, assessment });
  }
}

/** Returns the stored metrics of tasks, topics or definitions. Records that were never tested have none. */
export function storedMetrics(
  database: Database,
  { application, kind, ids }: Omit<MetricsKey, 'id'> & { ids: readonly string[] },
): Map<string, QualityMetrics> {
  const condition = `kind = :kind AND id IN ${valuesOf(':ids')}`;
  const found = metricsTable.all(database, application, condition, { kind, ids: JSON.stringify(ids) });
  return new Map(found.map(({ id, ...metrics }) => [id, metrics]));
}
