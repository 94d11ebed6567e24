import type { Database as Connection } from 'better-sqlite3';
import { readAsset } from '../../runtime/assets.ts';

/** Marks a file as ours in its header ("Tchs"); 0 in a file nobody has marked yet. */
export const APPLICATION_ID = 0x54636873;

/** Forward only, in this order. */
const MIGRATIONS = [
  '0001-initial.sql',
  '0002-conventions.sql',
  '0003-tests.sql',
  '0004-definitions.sql',
  '0005-evals.sql',
  '0006-documents.sql',
  '0007-scrape-jobs.sql',
  '0008-experiments.sql',
  '0009-human-annotation.sql',
  '0010-quickstarts.sql',
  '0011-judging.sql',
  '0012-judge-calls.sql',
  '0013-sessions.sql',
  '0014-begun-jobs.sql',
  '0015-ingest.sql',
  '0016-bounded-purges.sql',
  '0017-bounded-steps.sql',
  '0018-names.sql',
];

/** The schema that this version of the program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

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

/** Gives an empty store its schema, all of it or none. */
export function makeSchema(connection: Connection): void {
  connection
    .transaction(() => {
      if (schemaVersion(connection) === 0) MIGRATIONS.forEach((_, version) => apply(connection, version));
    })
    .immediate();
}

/**
 * Brings a store up to SCHEMA_VERSION, all the way or not at all; null when there was nothing to do. It is one transaction,
 * so that of two processes that start it one does everything. `takeSnapshot` is called under the write lock of that
 * transaction, so that what it writes is what was migrated.
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
      for (let version = from; version < SCHEMA_VERSION; version++) apply(connection, version);
      return { from, to: SCHEMA_VERSION, snapshot };
    })
    .immediate();
}

/** Takes the store from `version` to the next. */
function apply(connection: Connection, version: number): void {
  connection.exec(readAsset(`storage/sqlite/migrations/${MIGRATIONS[version]}`));
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  connection.pragma(`user_version = ${version + 1}`);
}
