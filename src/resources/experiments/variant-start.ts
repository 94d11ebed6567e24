import type { ExperimentOfTests, TriggerPosition } from '../../deliver/trigger.ts';
import type { Database } from '../../storage/sqlite/database.ts';

/** A variant whose tests are not all started yet. */
export interface VariantStart {
  application: number;
  variantId: string;
  /** Tests of each task. */
  repeat: number;
  /** When it was run; Unix milliseconds. */
  startedAt: number;
  /** Tests that are yet to start. */
  remaining: number;
  taskIds: string[];
  experiment: ExperimentOfTests;
  from?: TriggerPosition;
}

interface OfVariant {
  application: number;
  id: string;
}

interface Row extends Omit<VariantStart, 'taskIds' | 'experiment' | 'from'>, TriggerPosition {
  taskIds: string;
  experiment: string;
}

export function findStart(database: Database, { application, id }: OfVariant): VariantStart | undefined {
  const row = database.get<Row>(
    `SELECT application, variant_id AS variantId, repeat, started_at AS startedAt, remaining, task, tests,
       run_id AS runId, task_ids AS taskIds, experiment
     FROM variant_start WHERE application = ? AND variant_id = ?`,
    application,
    id,
  );
  if (!row) return undefined;
  const { task, tests, runId, ...start } = row;
  return {
    ...start,
    taskIds: JSON.parse(row.taskIds) as string[],
    experiment: JSON.parse(row.experiment) as ExperimentOfTests,
    from: { task, tests, runId },
  };
}

export function saveStart(
  database: Database,
  { from, taskIds, experiment, ...start }: VariantStart & { from: TriggerPosition },
): void {
  database.run(
    `INSERT INTO variant_start (variant_id, application, repeat, started_at, remaining, task, tests, run_id, task_ids,
       experiment)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
     ON CONFLICT DO UPDATE SET remaining = ?5, task = ?6, tests = ?7, run_id = ?8`,
    start.variantId,
    start.application,
    start.repeat,
    start.startedAt,
    start.remaining,
    from.task,
    from.tests,
    from.runId,
    JSON.stringify(taskIds),
    JSON.stringify(experiment),
  );
}

export function removeStart(database: Database, { application, id }: OfVariant): void {
  database.run('DELETE FROM variant_start WHERE application = ? AND variant_id = ?', application, id);
}

/** How many tests a variant has yet to start. */
export function testsToStart(database: Database, { application, id }: OfVariant): number {
  const row = database.get<{ remaining: number }>(
    'SELECT remaining FROM variant_start WHERE application = ? AND variant_id = ?',
    application,
    id,
  );
  return row?.remaining ?? 0;
}
