import type { Database as Connection } from 'better-sqlite3';
import { nfc } from '../../contract/text-forms.ts';
import { readAsset } from '../../runtime/assets.ts';
import { rebuildStore } from './rebuild-store.ts';
import { schemaSql } from './schema.ts';

/** Application id in the header of the file ("Tchs"); 0 in a file without one. */
export const APPLICATION_ID = 0x54636873;

/** Schema of the stores written before the first release; such a store is rebuilt. */
export const UNRELEASED_SCHEMA = 18;
const FIRST_SCHEMA = 19;

/**
 * Migrations: the SQL files of each, in `migrations/`. The first leads from FIRST_SCHEMA to the next schema. The files in
 * `schema/` describe the last one.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  ['20-people.sql'],
  ['21-judge-versions.sql'],
  ['22-examples.sql', '22-examples-of-tasks.sql', '22-input-examples.sql'],
  ['23-views.sql'],
  ['24-example-data.sql', '24-audit-by-record.sql', '24-trace-orders.sql'],
  ['25-document-tags.sql'],
  ['26-prompts-and-corrections.sql'],
  ['27-rate-intervals.sql'],
  ['28-retention.sql'],
  ['29-eval-counts.sql'],
  ['30-evals-of-sessions.sql'],
  ['31-erasures.sql'],
  ['32-trace-blocks.sql', '32-bounds-of-blocks.sql'],
  ['33-masking.sql'],
  ['34-live-sessions.sql'],
  [
    '35-deleted-traces.sql',
    '35-tests-without-trace.sql',
    '35-sign-in.sql',
    '35-erasures.sql',
    '35-copies.sql',
    '35-copied-traces.sql',
    '35-origins.sql',
    '35-browsers-of-logins.sql',
    '35-log-records.sql',
    '35-erased-traces.sql',
    '35-names-in-nfc.sql',
  ],
];

/** Schema that this version of the program requires. */
export const SCHEMA_VERSION = FIRST_SCHEMA + MIGRATIONS.length;

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
      if (from === UNRELEASED_SCHEMA) rebuildStore(connection);
      else
        for (const file of MIGRATIONS.slice(from - FIRST_SCHEMA).flat())
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
