import Sqlite, { type Database as Connection } from 'better-sqlite3';

/** Faults that SQLite looks for at most. */
const MAX_FAULTS = 20;

/** Checks the pages, indexes and references of a store; returns a sentence for each fault. */
export function checkPages(connection: Connection): string[] {
  try {
    const pages = connection.pragma(`integrity_check(${MAX_FAULTS})`) as { integrity_check: string }[];
    const references = connection.pragma('foreign_key_check') as { table: string; parent: string }[];
    return [
      ...pages.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
      ...references
        .slice(0, MAX_FAULTS)
        .map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that does not exist`),
    ];
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return [`the pages cannot be checked (${error.message})`];
    throw error;
  }
}
