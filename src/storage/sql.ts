import type { SqlValue } from './database.ts';

/** A piece of SQL and the values it binds, in order. */
export interface SqlFragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Rows whose `column` has one of `values`. */
export const oneOf = (column: string, values: readonly string[]): SqlFragment => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  values: [...values],
});

/** Rows that have one of the values in each of these columns, as far as values are given. */
export const oneOfEach = (columns: Readonly<Record<string, readonly string[] | undefined>>): SqlFragment[] =>
  Object.entries(columns).flatMap(([column, values]) => (values ? [oneOf(column, values)] : []));

/** Rows created at these times (ISO 8601), as far as they are given. */
export const createdWithin = (
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
  column = 'created_at',
): SqlFragment[] => [
  ...(startDate === undefined ? [] : [{ sql: `${column} >= ?`, values: [Date.parse(startDate)] }]),
  ...(endDate === undefined ? [] : [{ sql: `${column} <= ?`, values: [Date.parse(endDate)] }]),
];

/**
 * Rows of `table` that one of these quickstarts made. They are few, and are sought by their own index: if the rows of a list
 * were asked, all of them would be read.
 */
export function madeByQuickstart(
  table: string,
  application: number,
  quickstartIds: readonly string[],
): SqlFragment {
  const { sql, values } = oneOf('quickstart_id', quickstartIds);
  return {
    sql: `id IN (SELECT id FROM ${table} WHERE application = ? AND ${sql})`,
    values: [application, ...values],
  };
}
