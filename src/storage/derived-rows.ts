import type { Database } from './database.ts';

/** Rows of one kind that are computed from others, how they are checked, and how they are computed again. */
export interface DerivedRows<Row = unknown> {
  /** Noun for the rows, such as "sessions". */
  what: string;
  /** Returns rows that differ from what they are computed from, at most `limit`. */
  find: (database: Database, limit: number) => Row[];
  /** Returns the name of a row, and what is wrong with it. */
  describe: (row: Row) => { of: string; fault: string };
  /** Computes the row again, in a transaction of the caller. */
  repair: (database: Database, row: Row) => void;
}
