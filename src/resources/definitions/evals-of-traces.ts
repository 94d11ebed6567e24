import { ofTraces } from '../traces/trace-reference.ts';
import type { SqlFragment } from '../../storage/sql.ts';

/** Rows of `eval` that judge one of the traces that REST knows as `ids`, or a test whose id such a trace carries. */
export function evalsOfTraces(application: number, ids: readonly string[]): SqlFragment {
  const { sql, values } = ofTraces(ids);
  return {
    sql: `id IN (
      SELECT id FROM eval WHERE application = ? AND ${sql}
      UNION ALL SELECT id FROM eval WHERE application = ? AND test_id IN (
        SELECT substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-' || substr(hex, 13, 4) || '-' || substr(hex, 17, 4)
          || '-' || substr(hex, 21)
        FROM (SELECT lower(hex(test_id)) AS hex FROM trace CROSS JOIN trace_test USING (application, tkey)
              WHERE application = ? AND ${sql})))`,
    values: [application, ...values, application, application, ...values],
  };
}
