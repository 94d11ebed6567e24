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
 * Brings a store up to SCHEMA_VERSION, each migration in a transaction of its own; null when there was nothing to do.
 * `takeSnapshot` is called once, under the write lock that the first migration then runs under, so that what it
 * writes is what was migrated.
 */
export function migrate(
  connection: Connection,
  takeSnapshot: (version: number) => string | null,
): Migration | null {
  let done: Migration | null = null;
  for (
    let version = schemaVersion(connection);
    version < SCHEMA_VERSION;
    version = schemaVersion(connection)
  ) {
    connection
      .transaction(() => {
        // Another process may have been first.
        if (schemaVersion(connection) !== version) return;
        done ??= { from: version, to: SCHEMA_VERSION, snapshot: takeSnapshot(version) };
        apply(connection, version);
      })
      .immediate();
  }
  return done;
}

/** Takes the store from `version` to the next. */
function apply(connection: Connection, version: number): void {
  connection.exec(readAsset(`storage/sqlite/migrations/${MIGRATIONS[version]}`));
  connection.pragma(`application_id = ${APPLICATION_ID}`);
  connection.pragma(`user_version = ${version + 1}`);
}
