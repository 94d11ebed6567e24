import type { SqlValue } from './database.ts';

/** A piece of SQL, and the values for its parameters in order. */
export interface SqlFragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Returns parameters for values of a list, to stand in parentheses; NULL, which equals nothing, for none. */
export const placeholders = (values: readonly unknown[]): string =>
  values.map(() => '?').join(', ') || 'NULL';

/** Returns the condition that `column` has one of `values`. */
export const isOneOf = (column: string, values: readonly string[]): SqlFragment => ({
  sql: `${column} IN (${placeholders(values)})`,
  values: [...values],
});

/** Returns the conditions that each column has one of its values, for columns with values. */
export const oneOfEach = (columns: Readonly<Record<string, readonly string[] | undefined>>): SqlFragment[] =>
  Object.entries(columns).flatMap(([column, values]) => (values ? [isOneOf(column, values)] : []));

/** Returns the conditions on the time of creation (ISO 8601), for bounds that are given. */
export const createdWithin = (
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
  column = 'created_at',
): SqlFragment[] => [
  ...(startDate === undefined ? [] : [{ sql: `${column} >= ?`, values: [Date.parse(startDate)] }]),
  ...(endDate === undefined ? [] : [{ sql: `${column} <= ?`, values: [Date.parse(endDate)] }]),
];

/**
 * Returns the condition that a row of `table` was created by one of these quickstarts. Such rows are few and have an
 * index of their own; testing each row of a list would read all of them.
 */
export function madeByQuickstart(
  table: string,
  application: number,
  quickstartIds: readonly string[],
): SqlFragment {
  const { sql, values } = isOneOf('quickstart_id', quickstartIds);
  return {
    sql: `id IN (SELECT id FROM ${table} WHERE application = ? AND ${sql})`,
    values: [application, ...values],
  };
}
