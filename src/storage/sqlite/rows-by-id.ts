import type { Database } from './database.ts';

/**
 * What to select from for the rows of `table` that have the ids in the JSON list `?2` and belong to the application `?1`.
 * Asked with `id IN (…)`, SQLite may rather go through all rows of the application, by an index that holds the columns.
 */
export const withIds = (table: string): string =>
  `(SELECT DISTINCT value AS wanted FROM json_each(?2))
   CROSS JOIN ${table} ON ${table}.application = ?1 AND ${table}.id = wanted`;

interface Wanted {
  application: number;
  /** With the columns `application` and `id`. */
  table: string;
  /** As in SQL, `id` among them. */
  columns: string;
  ids: Iterable<string>;
}

/** The rows there are, by their ids. */
export function rowsById<Row extends { id: string }>(
  database: Database,
  { application, table, columns, ids }: Wanted,
): Map<string, Row> {
  const rows = database.all<Row>(
    `SELECT ${columns} FROM ${withIds(table)}`,
    application,
    JSON.stringify([...ids]),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
