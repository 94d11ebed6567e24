import type { StoreConnection } from '../database.ts';

/** Faults that SQLite looks for at most. */
const MAX_FAULTS = 20;

/** Checks the pages, indexes and references of a store; returns a sentence for each fault. */
export function checkPages(database: StoreConnection): string[] {
  try {
    const pages = database.all<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_FAULTS})`);
    const references = database.all<{ table: string; parent: string }>('PRAGMA foreign_key_check');
    return [
      ...pages.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
      ...references
        .slice(0, MAX_FAULTS)
        .map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that does not exist`),
    ];
  } catch (error) {
    if (database.hasFailed(error)) return [`the pages cannot be checked (${(error as Error).message})`];
    throw error;
  }
}
