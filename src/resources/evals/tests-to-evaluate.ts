import { AppError } from '../../errors.ts';
import { WINDOW_MS } from '../../evaluate/quality-metrics.ts';
import type { Database } from '../../storage/database.ts';
import { jsonField } from '../../storage/dialect.ts';
import { requireRow } from '../../storage/require-row.ts';

/** Selection to evaluate: one test, the tests of a run, or those of a task that count. */
export interface ToEvaluate {
  application: number;
  of: 'test' | 'run' | 'task';
  id: string;
  now: number;
}

/** Most tests that one call evaluates, newest first. */
const MAX_TESTS = 1_000;

/** SQL condition for tests that can be evaluated: the app has finished, and no evaluation is in progress. */
const IS_COMPLETE = `(status = 'COMPLETED' OR status = 'FAILED' AND ${jsonField('failure', 'code')} = 'evaluation_error')`;

const CONDITIONS = {
  test: 'id = :id',
  run: 'run_id = :id',
  task: `task_id = :id AND run_type IN ('MANUAL', 'SCHEDULED')`,
} as const;

/**
 * Returns the ids of the selected tests. Throws `not_found`, and `conflict` when a single test cannot be evaluated.
 */
export function testsToEvaluate(database: Database, { application, of, id, now }: ToEvaluate): string[] {
  requireRow(database, { application, table: of, noun: of, id }, 'id');
  const ids = database
    .all<{ id: string }>(
      `SELECT id FROM test WHERE application = :application AND ${CONDITIONS[of]} AND ${IS_COMPLETE} AND created_at > :after
       ORDER BY created_at DESC, id LIMIT :limit`,
      { application, id, after: of === 'task' ? now - WINDOW_MS : 0, limit: MAX_TESTS },
    )
    .map((row) => row.id);
  if (of === 'test' && ids.length === 0)
    throw new AppError('conflict', 'The test is not complete; only complete tests can be evaluated again');
  return ids;
}
