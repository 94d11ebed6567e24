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
  /** Test after which the selection begins, newest first. */
  after?: string | undefined;
  /** Most tests, the newest first. */
  limit: number;
  now: number;
}

/** SQL condition for tests that can be evaluated: the app has finished, and no evaluation is in progress. */
const IS_COMPLETE = `(status = 'COMPLETED' OR status = 'FAILED' AND ${jsonField('failure', 'code')} = 'evaluation_error')`;

const CONDITIONS = {
  test: 'id = :id',
  run: 'run_id = :id',
  task: `task_id = :id AND run_type IN ('MANUAL', 'SCHEDULED')`,
} as const;

/** Tests to evaluate by one call. */
interface TestsToEvaluate {
  ids: string[];
  /** The last of them if there are more; null otherwise. */
  next: string | null;
}

/**
 * Returns the ids of the selected tests. Throws `not_found`, and `conflict` when a single test cannot be evaluated.
 */
export function testsToEvaluate(
  database: Database,
  { application, of, id, after, limit, now }: ToEvaluate,
): TestsToEvaluate {
  requireRow(database, { application, table: of, noun: of, id }, 'id');
  const last =
    after === undefined
      ? undefined
      : requireRow<{ at: number; last: string }>(
          database,
          { application, table: 'test', noun: 'test', id: after },
          'created_at AS at, id AS last',
        );
  const isAfter = last ? 'AND (created_at < :at OR created_at = :at AND id > :last)' : '';
  const found = database
    .all<{ id: string }>(
      `SELECT id FROM test WHERE application = :application AND ${CONDITIONS[of]} AND ${IS_COMPLETE} AND created_at > :since ${isAfter}
       ORDER BY created_at DESC, id LIMIT :limit`,
      {
        application,
        id,
        since: of === 'task' ? now - WINDOW_MS : 0,
        limit: limit + 1,
        ...last,
      },
    )
    .map((row) => row.id);
  if (of === 'test' && found.length === 0)
    throw new AppError('conflict', 'The test is not complete; only complete tests can be evaluated again');
  const ids = found.slice(0, limit);
  return { ids, next: found.length > limit ? (ids.at(-1) ?? null) : null };
}
