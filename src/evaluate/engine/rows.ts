import { parseId } from '../../traces/ids.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { EvalStatus, SavedEval } from '../eval-store.ts';
import type { Target } from '../target.ts';

/** The condition on rows of `eval` that are of one target. */
export const ofTarget = (target: Target): SqlFragment =>
  'testId' in target
    ? { sql: 'test_id = ?', values: [target.testId] }
    : { sql: 'test_id IS NULL AND trace_id = ?', values: [Buffer.from(target.traceId)] };

/** The evals of a target that no newer version has taken the place of. */
export interface CurrentEval {
  id: string;
  definitionId: string;
  status: EvalStatus;
  /** Empty = nobody has looked at the input yet. */
  inputHash: string;
}

export function currentEvals(database: Database, application: number, target: Target): CurrentEval[] {
  const { sql, values } = ofTarget(target);
  return database.all<CurrentEval>(
    `SELECT id, definition_id AS definitionId, status, input_hash AS inputHash FROM eval
     WHERE application = ? AND superseded = 0 AND ${sql} ORDER BY definition_id`,
    application,
    ...values,
  );
}

export const isWaiting = ({ status }: { status: EvalStatus }): boolean =>
  status === 'PENDING' || status === 'IN_PROGRESS';

/** What an eval is of: the same for all evals of a target. */
export type EvalSubject = Pick<SavedEval, 'testId' | 'traceId' | 'taskId' | 'runId' | 'runType'>;

/** Null = there is no such test. */
export function evalSubject(database: Database, application: number, target: Target): EvalSubject | null {
  if (!('testId' in target))
    return { testId: null, traceId: target.traceId, taskId: null, runId: null, runType: 'MONITORING' };
  const { testId } = target;
  const test = database.get<Pick<EvalSubject, 'taskId' | 'runId' | 'runType'>>(
    'SELECT task_id AS taskId, run_id AS runId, run_type AS runType FROM test WHERE application = ? AND id = ?',
    application,
    testId,
  );
  return test ? { testId, traceId: firstTrace(database, application, testId), ...test } : null;
}

/** The first trace of the app, else the one of the delivery. */
function firstTrace(database: Database, application: number, testId: string): Uint8Array | null {
  const row = database.get<{ traceId: Buffer }>(
    `SELECT trace_id AS traceId FROM trace_test JOIN trace USING (tkey)
     WHERE trace_test.application = ?1 AND trace.application = ?1 AND test_id = ?2
     ORDER BY via = 2, start_ns, trace_id LIMIT 1`,
    application,
    parseId(testId),
  );
  return row?.traceId ?? null;
}
