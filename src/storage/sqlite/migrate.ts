import type { Database as Connection } from 'better-sqlite3';
import { nfc } from '../../contract/text-forms.ts';
import { readAsset } from '../../runtime/assets.ts';
import { schemaSql } from './schema.ts';

/** Application id in the header of the file ("Tchs"); 0 in a file without one. */
export const APPLICATION_ID = 0x54636873;
/** Application id of the target of `touchstone copy` ("Tcpy") until it is complete. */
export const UNFINISHED_COPY_ID = 0x54637079;

/** Oldest schema that this version migrates. */
export const OLDEST_SCHEMA = 34;

/**
 * Migrations: SQL files in `migrations/`. The first leads from OLDEST_SCHEMA to the next schema. The files in `schema/` describe
 * the last one.
 */
const MIGRATIONS = ['35.sql', '36.sql'];

/** Schema that this version of the program requires. */
export const SCHEMA_VERSION = OLDEST_SCHEMA + MIGRATIONS.length;

export interface Migration {
  from: number;
  to: number;
  /** File with the store as it was before; null when no snapshot was made. */
  snapshot: string | null;
}

/** Returns the schema version of a store; 0 when it is empty. */
export function schemaVersion(connection: Connection): number {
  return Number(connection.pragma('user_version', { simple: true }));
}

/** Creates all tables of an empty store, or none. */
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
 * Migrates a store to SCHEMA_VERSION in one transaction: completely or not at all, and only once if two processes
 * start it. Returns null if the store has that schema. `takeSnapshot` is called under the write lock of the
 * transaction, so it copies exactly the state that is migrated.
 */
export function migrate(
  connection: Connection,
  takeSnapshot: (version: number) => string | null,
): Migration | null {
  if (schemaVersion(connection) >= SCHEMA_VERSION) return null;
  return connection
    .transaction((): Migration | null => {
      const from = schemaVersion(connection);
      // Another process has already migrated the store.
      if (from >= SCHEMA_VERSION) return null;
      const snapshot = takeSnapshot(from);
      connection.function('nfc', { deterministic: true }, (text) => nfc(String(text)));
      for (const file of MIGRATIONS.slice(from - OLDEST_SCHEMA))
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
