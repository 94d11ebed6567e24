import type { SqlValue } from './sqlite/database.ts';

/** A piece of SQL and the values it binds, in order. */
export interface SqlFragment {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * The condition that stops a reader's query when its time is up; `key` is a column of the rows that it goes through. To
 * ask for each row would take longer than all else: one in 256 does.
 */
export const inTime = (key: string): string => `(random() & 255 OR in_time(${key}))`;

/** Rows whose `column` has one of `values`. */
export const oneOf = (column: string, values: readonly string[]): SqlFragment => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  values: [...values],
});

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
