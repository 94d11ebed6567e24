import type { Clearing } from './clearing.ts';

export type SqlValue = string | number | bigint | Uint8Array | null;
/**
 * Values by name for `:name`, or by position for `?`. Positions are used in composed statements and in those that
 * store spans.
 */
export type Bindings = SqlValue[] | [Readonly<Record<string, SqlValue>>];

export type SqlType = 'integer' | 'real' | 'text' | 'blob';

/**
 * A statement for each row of a set: an engine may run it once for all of them. Parameters have positions, and
 * `columns` their types. If it updates stored rows, no two rows of a set may concern the same one.
 */
export interface RowStatement {
  readonly sql: string;
  readonly columns: readonly SqlType[];
}

/** An INSERT whose stored rows tell which row of the set they are from. */
export interface InsertStatement extends RowStatement {
  /** Columns of the table whose values, parameters with these positions, differ between the rows of a set. */
  readonly key: Readonly<Record<string, number>>;
}

export type SetRow = readonly SqlValue[];

/**
 * View of the store for commands and queries: one connection that takes SQL and values and returns plain rows. An
 * engine guarantees: Statements run one after another, and each sees the effects of earlier ones; no other caller's
 * statement runs in between. A command runs in a transaction that the engine begins and ends, a query on one
 * snapshot; neither does so itself. Integers are returned as numbers, blobs as `Uint8Array`, flags as 0 or 1. The
 * exact forms return every integer as a bigint, for nanoseconds. A statement is prepared once and reused, so values
 * must always be parameters.
 */
export interface Database {
  /** Runs one statement; returns the number of changed rows. */
  run(sql: string, ...values: Bindings): number;
  get<Row>(sql: string, ...values: Bindings): Row | undefined;
  all<Row>(sql: string, ...values: Bindings): Row[];
  getExact<Row>(sql: string, ...values: Bindings): Row | undefined;
  allExact<Row>(sql: string, ...values: Bindings): Row[];
  /** Runs an INSERT, UPDATE or DELETE for each row of a set, in their order. */
  runMany(statement: RowStatement, rows: readonly SetRow[]): void;
  /** Runs an INSERT for each row of a set; returns how many rows each of them added. */
  runManyNew(statement: InsertStatement, rows: readonly SetRow[]): number[];
  /** Returns the results of a query for each row of a set. */
  allMany<Row>(statement: RowStatement, rows: readonly SetRow[]): Row[][];
  allManyExact<Row>(statement: RowStatement, rows: readonly SetRow[]): Row[][];
  /** Number of rows that this connection has changed since it was opened. */
  changeCount(): number;
}

/** A database opened outside the server's threads, which controls its own transactions. */
export interface StoreConnection extends Database {
  /** Runs `work` in a transaction that may write from its first statement on. Stores nothing when `work` throws. */
  transaction<T>(work: () => T): T;
  /**
   * Runs `work` on one state of the store, without blocking other writers. Throws `conflict` when it writes after
   * another process did.
   */
  snapshot<T>(work: () => T): T;
  /** Reports whether the store itself failed, for example because the disk is full, and not the work. */
  hasFailed(error: unknown): boolean;
  /** Overwrites what is left of deleted rows as `Storage.clearRemains` does. */
  clearRemains(begun: number | null): Clearing;
  close(): void;
}
