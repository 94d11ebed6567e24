import { ofTraces } from '../traces/trace-reference.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { orderedJoin, uuidOf } from '../../storage/dialect.ts';

/**
 * Returns SQL for the rows of `eval` that judge one of the traces with these REST `ids`, or a test that such a trace
 * belongs to.
 */
export function evalsOfTraces(application: number, ids: readonly string[]): SqlFragment {
  const { sql, values } = ofTraces(ids);
  return {
    sql: `id IN (
      SELECT id FROM eval WHERE application = ? AND ${sql}
      UNION ALL SELECT id FROM eval WHERE application = ? AND test_id IN (
        SELECT ${uuidOf('test_id')} FROM trace ${orderedJoin} trace_test USING (application, tkey)
        WHERE application = ? AND ${sql}))`,
    values: [application, ...values, application, application, ...values],
  };
}
