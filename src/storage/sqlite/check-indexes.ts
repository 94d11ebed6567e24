import Sqlite from 'better-sqlite3';
import type { StoreConnection } from '../database.ts';
import { makeSchema } from './migrate.ts';

/** Ends of the messages of SQLite about an index whose pages are in order, and whose entries are not those of its table. */
const OF_INDEX =
  /(?:missing from|values differ from|wrong # of entries in|non-unique entry in|of) index (\w+)$/;

/** Reports whether a fault of `checkPages` is one that building an index again repairs. */
export const isOfIndex = (fault: string): boolean => OF_INDEX.test(fault);

/** Returns what is wrong with the pages of a store, apart from indexes that differ from their tables; null if nothing is. */
export function damagedPages(database: StoreConnection): string | null {
  const [found] = database.all<{ quick_check: string }>('PRAGMA quick_check(1)');
  return found === undefined || found.quick_check === 'ok' ? null : found.quick_check.replaceAll(/\s+/g, ' ');
}

interface Index {
  name: string;
  sql: string;
}

/** Returns the indexes of this version that a store lacks. */
export function missingIndexes(database: StoreConnection): Index[] {
  const model = new Sqlite(':memory:');
  try {
    makeSchema(model);
    const present = new Set(
      database
        .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'index'")
        .map(({ name }) => name),
    );
    return model
      .prepare<[], Index>("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      .all()
      .filter(({ name }) => !present.has(name));
  } finally {
    model.close();
  }
}

/** Returns the tables of a store. */
const tablesOf = (database: StoreConnection): string[] =>
  database
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .map(({ name }) => name);

/** Returns the indexes of a table that SQLite reports first, because their entries are not those of the table. */
const damagedIndexes = (database: StoreConnection, table: string): string[] =>
  database
    .all<{ integrity_check: string }>(`PRAGMA integrity_check(${quoted(table)})`)
    .flatMap(({ integrity_check: fault }) => OF_INDEX.exec(fault)?.[1] ?? []);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Outcome of building one index again: a reason if SQLite could not. */
export interface BuiltIndex {
  name: string;
  failure: string | null;
}

/**
 * Builds the indexes again that a store lacks, and those whose entries differ from their tables; each in a transaction of its own. An
 * index that must be unique and is not stays as it is.
 */
export function* repairIndexes(database: StoreConnection): Generator<BuiltIndex> {
  for (const { name, sql } of missingIndexes(database)) yield build(database, name, sql);
  const tried = new Set<string>();
  for (const table of tablesOf(database)) {
    const next = (): string | undefined => damagedIndexes(database, table).find((name) => !tried.has(name));
    // A check reports a limited number of faults, which may all be of one index.
    for (let name = next(); name !== undefined; name = next()) {
      tried.add(name);
      yield build(database, name, `REINDEX ${quoted(name)}`);
    }
  }
}

function build(database: StoreConnection, name: string, sql: string): BuiltIndex {
  try {
    database.run(sql);
    return { name, failure: null };
  } catch (error) {
    if (!database.hasFailed(error)) throw error;
    return { name, failure: (error as Error).message };
  }
}
