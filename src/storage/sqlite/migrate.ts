import type { Database as Connection } from 'better-sqlite3';
import { readAsset } from '../../runtime/assets.ts';
import { rebuildStore } from './rebuild-store.ts';
import { schemaSql } from './schema.ts';

/** Marks a file as ours in its header ("Tchs"); 0 in a file nobody has marked yet. */
export const APPLICATION_ID = 0x54636873;

/** The schema of the stores that no release wrote; such a store is rebuilt. */
export const UNRELEASED_SCHEMA = 18;
const FIRST_SCHEMA = 19;

/**
 * SQL files in `migrations/`; the first takes a store from FIRST_SCHEMA to the next schema. The files in `schema/` describe
 * the last one.
 */
const MIGRATIONS: readonly string[] = [];

/** The schema that this version of the program works with. */
export const SCHEMA_VERSION = FIRST_SCHEMA + MIGRATIONS.length;

export interface Migration {
  from: number;
  to: number;
  /** The file with the store as it was before; null when it was to go without. */
  snapshot: string | null;
}

/** The schema a store has; 0 when it is empty. */
export function schemaVersion(connection: Connection): number {
  return Number(connection.pragma('user_version', { simple: true }));
}

/** Gives an empty store all tables, or none. */
export function makeSchema(connection: Connection): void {
  connection
    .transaction(() => {
      if (schemaVersion(connection) !== 0) return;
      connection.exec(schemaSql());
      mark(connection);
    })
    .immediate();
}

/**
 * Brings a store to SCHEMA_VERSION in one transaction, so that it happens completely or not at all, and once if two processes
 * start it. Returns null if the store has that schema. `takeSnapshot` is called under the write lock of the transaction, so
 * that it writes exactly what is migrated.
 */
export function migrate(
  connection: Connection,
  takeSnapshot: (version: number) => string | null,
): Migration | null {
  if (schemaVersion(connection) >= SCHEMA_VERSION) return null;
  return connection
    .transaction((): Migration | null => {
      const from = schemaVersion(connection);
      // Another process was first.
      if (from >= SCHEMA_VERSION) return null;
      const snapshot = takeSnapshot(from);
      if (from === UNRELEASED_SCHEMA) rebuildStore(connection);
      else
        for (const file of MIGRATIONS.slice(from - FIRST_SCHEMA))
          connection.exec(readAsset(`storage/sqlite/migrations/${file}`));
      mark(connection);
      return { from, to: SCHEMA_VERSION, snapshot };
    })
    .immediate();
}

/** Records in the header of the file that it is a store of this version. */
function mark(connection: Connection): void {
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  connection.pragma(`user_version = ${SCHEMA_VERSION}`);
}
