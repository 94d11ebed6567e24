import { type SqlFragment, oneOf } from '../storage/sql.ts';

/**
 * Rows of `table` that one of these quickstarts made. They are few, and are sought by their own index: if the rows of a list
 * were asked, all of them would be read.
 */
export function madeByQuickstart(
  table: 'definition' | 'style_guide',
  application: number,
  quickstartIds: readonly string[],
): SqlFragment {
  const { sql, values } = oneOf('quickstart_id', quickstartIds);
  return {
    sql: `id IN (SELECT id FROM ${table} WHERE application = ? AND ${sql})`,
    values: [application, ...values],
  };
}
