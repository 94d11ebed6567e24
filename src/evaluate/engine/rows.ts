import { firstTraceOfTest } from '../../traces/traces-of-test.ts';
import type { FieldsOf } from '../../storage/record.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import { evals, type EvalStatus, type EvalSubject } from '../eval-record.ts';
import type { Target } from '../target.ts';

/** Returns the SQL condition for the rows of `eval` that belong to a target. */
export const ofTarget = (target: Target): SqlFragment =>
  'testId' in target
    ? { sql: 'test_id = ?', values: [target.testId] }
    : { sql: 'test_id IS NULL AND trace_id = ?', values: [Buffer.from(target.traceId)] };

const current = evals.pick('id', 'definitionId', 'status', 'inputHash');
export type CurrentEval = FieldsOf<typeof current>;

/** Returns the current evals of a target: those that no newer version supersedes. */
export function currentEvals(database: Database, application: number, target: Target): CurrentEval[] {
  const ofTest = 'testId' in target;
  const condition = ofTest ? 'test_id = :id' : 'test_id IS NULL AND trace_id = :id';
  return current.all(database, application, `superseded = 0 AND ${condition} ORDER BY definition_id`, {
    id: ofTest ? target.testId : target.traceId,
  });
}

export const isWaiting = ({ status }: { status: EvalStatus }): boolean =>
  status === 'PENDING' || status === 'IN_PROGRESS';

/** Returns the fields that all evals of a target share; null when the test does not exist. */
export function evalSubject(database: Database, application: number, target: Target): EvalSubject | null {
  if (!('testId' in target))
    return { testId: null, traceId: target.traceId, taskId: null, runId: null, runType: 'MONITORING' };
  const { testId } = target;
  const test = database.get<Pick<EvalSubject, 'taskId' | 'runId' | 'runType'>>(
    'SELECT task_id AS taskId, run_id AS runId, run_type AS runType FROM test WHERE application = :application AND id = :testId',
    { application, testId },
  );
  return test ? { testId, traceId: firstTraceOfTest(database, application, testId), ...test } : null;
}
