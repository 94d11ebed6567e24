import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../storage/database.ts';
import { assess } from './assessment.ts';
import { type MetricHooks, saveMetrics, storedMetrics } from './quality-metric-store.ts';
import { computeMetrics, type MetricsKey, type QualityMetrics } from './quality-metrics.ts';

/** Metrics that differ from what their tests and evals make. */
export interface WrongMetrics extends MetricsKey {
  /** Names of the values that differ. */
  names: string[];
}

interface Row extends MetricsKey {
  dueAt: number | null;
  readyAt: number;
}

/**
 * Returns the last key of a page of metrics after a key, null if there is none, and those of the page that are wrong.
 * Metrics that wait to be computed are skipped.
 */
export function checkMetrics(
  database: Database,
  { after, at, limit }: { after: MetricsKey | null; at: number; limit: number },
): { last: MetricsKey | null; read: number; wrong: WrongMetrics[] } {
  const from = after ?? { application: -1, kind: '', id: '' };
  const page = database.all<Row>(
    `SELECT application, kind, id, due_at AS "dueAt", ready_at AS "readyAt" FROM figure
     WHERE (application, kind, id) > (:application, :kind, :id) ORDER BY application, kind, id LIMIT :limit`,
    { ...from, limit },
  );
  const wrong = page.flatMap((row) => differencesOf(database, row, at));
  const last = page.at(-1);
  return {
    last: last ? { application: last.application, kind: last.kind, id: last.id } : null,
    read: page.length,
    wrong,
  };
}

function differencesOf(
  database: Database,
  { dueAt, readyAt, application, kind, id }: Row,
  now: number,
): WrongMetrics[] {
  const key = { application, kind, id };
  // Where the clock was set back since, the period that counts is that of the last computation.
  const { metrics, until } = computeMetrics(database, { ...key, at: Math.max(now, readyAt) });
  // Something has changed since, or is about to leave the period that counts.
  const isWaiting = dueAt !== null && (until === null || dueAt < until);
  if (isWaiting) return [];
  const stored = storedMetrics(database, { application, kind, ids: [id] }).get(id);
  const names = Object.entries(metrics).flatMap(([name, value]) =>
    isDeepStrictEqual((stored as Record<string, unknown> | undefined)?.[name], value) ? [] : [name],
  );
  if (dueAt !== until) names.push('due time');
  if (kind === 'task' && !hasLevels(database, key, metrics)) names.push('levels');
  return names.length === 0 ? [] : [{ ...key, names }];
}

/** Reports whether the row of a task has the levels that its metrics amount to. */
function hasLevels(
  database: Database,
  { application, id }: Omit<MetricsKey, 'kind'>,
  metrics: QualityMetrics,
): boolean {
  const row = database.get<Record<'status' | 'confidence' | 'stability' | 'health', string | null>>(
    `SELECT figure_status AS status, confidence_level AS confidence, stability_level AS stability, health_level AS health
     FROM task WHERE application = :application AND id = :id`,
    { application, id },
  );
  const { status, confidence, stability, health } = assess(metrics);
  const levels = {
    status,
    confidence: confidence?.level ?? null,
    stability: stability?.level ?? null,
    health: health?.level ?? null,
  };
  return row === undefined || isDeepStrictEqual({ ...row }, levels);
}

/** Selects metrics without a row. A test marks those of its definitions when it has ended. */
const WITHOUT_METRICS = `
  SELECT DISTINCT test.application, 'task' AS kind, task_id AS id FROM test
  WHERE run_type IN ('MANUAL', 'SCHEDULED') AND (counted_evals > 0 OR has_error <> 0) AND NOT EXISTS (SELECT 1 FROM figure
    WHERE figure.application = test.application AND figure.kind = 'task' AND figure.id = task_id)
  UNION ALL
  SELECT DISTINCT test.application, 'topic', topic_id FROM test JOIN task
    ON task.application = test.application AND task.id = test.task_id
  WHERE run_type IN ('MANUAL', 'SCHEDULED') AND (counted_evals > 0 OR has_error <> 0) AND topic_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM figure
      WHERE figure.application = task.application AND figure.kind = 'topic' AND figure.id = topic_id)
  UNION ALL
  SELECT DISTINCT eval.application, 'definition', definition_id FROM eval JOIN test
    ON test.application = eval.application AND test.id = eval.test_id AND test.status = 'COMPLETED'
  WHERE eval.run_type IN ('MANUAL', 'SCHEDULED') AND superseded = 0 AND eval.status = 'COMPLETED' AND NOT EXISTS (SELECT 1 FROM figure
    WHERE figure.application = eval.application AND figure.kind = 'definition' AND figure.id = definition_id)
  LIMIT :limit`;

/** Returns metrics that have no row though tests or evals count, at most `limit`. */
export const missingMetrics = (database: Database, limit: number): WrongMetrics[] =>
  database
    .all<MetricsKey>(WITHOUT_METRICS, { limit })
    .map(({ application, kind, id }) => ({ application, kind, id, names: ['all'] }));

/** Computes metrics again, and stores them as maintenance does. */
export function repairMetrics(
  database: Database,
  { application, kind, id }: MetricsKey,
  { at: now, ...hooks }: { at: number } & MetricHooks,
): void {
  const key = { application, kind, id };
  database.run(
    'INSERT INTO figure (application, kind, id) VALUES (:application, :kind, :id) ON CONFLICT DO NOTHING',
    key,
  );
  const row = database.get<{ version: number; readyAt: number }>(
    'SELECT version, ready_at AS "readyAt" FROM figure WHERE application = :application AND kind = :kind AND id = :id',
    key,
  );
  const at = Math.max(now, row?.readyAt ?? 0);
  const { metrics, until } = computeMetrics(database, { ...key, at });
  const computed = [{ ...key, version: row?.version ?? 0, metrics, until, readyAt: at }];
  saveMetrics(database, { computed }, hooks);
}
