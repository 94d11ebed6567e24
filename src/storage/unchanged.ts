import type { Database } from './database.ts';

/** Versions of a record that a command may change; null if it may change any. See `RecordTable.requireVersion`. */
export interface Versions {
  versions: readonly string[] | null;
}

interface VersionedTable {
  requireVersion: (
    database: Database,
    row: { application: number; id: string },
    versions: Versions['versions'],
  ) => void;
}

/** Returns a command that throws `precondition_failed` if its caller has not seen the latest version of the record. */
export const ifUnchanged =
  <A extends { owner: { application: number }; id: string }, R>(
    table: VersionedTable,
    command: (database: Database, args: A) => R,
  ) =>
  (database: Database, args: A & Versions): R => {
    const { owner, id, versions } = args;
    table.requireVersion(database, { application: owner.application, id }, versions);
    return command(database, args);
  };
