import type { SqlType, SqlValue } from '../database.ts';

export interface CopiedColumn {
  name: string;
  type: SqlType;
}

/** A table as both engines have it. */
export interface CopiedTable {
  name: string;
  columns: readonly CopiedColumn[];
  /** Columns that tell its rows apart, in whose order they are copied. */
  key: readonly CopiedColumn[];
  /** Column whose values the store counts up; null if there is none. */
  counter: string | null;
}

/** Values of the columns of a row by their names; integers are bigints. */
export type CopiedRow = Readonly<Record<string, SqlValue>>;

/**
 * Tables that belong to one database and are not copied, and why. Leases of processes are copied: the jobs that a killed server left
 * refer to them, and return to the queue when the first server of the new store finds them expired.
 */
export const NOT_COPIED: Readonly<Record<string, string>> = {
  touchstone_store: 'it has the state of a database: the copy makes it last, with the mark of the secret key',
  last_commits:
    'it has the last commit of each connection to a database, which no process has to look up any more',
  touchstone_copy: 'it has the progress of the copy itself',
};
