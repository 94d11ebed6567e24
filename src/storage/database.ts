export type SqlValue = string | number | bigint | Uint8Array | null;
/** Values by name for `:name`, or by position for `?`: in composed statements and in those that store spans. */
export type Bindings = SqlValue[] | [Readonly<Record<string, SqlValue>>];

/**
 * View of the store for commands and queries: one connection, SQL and values in, plain rows out. An engine promises:
 * Statements run one after another, and each sees what those before it did; nothing of another caller comes in
 * between. A command runs in a transaction that the engine begins and ends, a query on one snapshot; neither does so
 * itself. Integers come back as numbers, blobs as `Uint8Array`, flags as 0 or 1; the exact forms return every integer
 * as a bigint, for nanoseconds. A text is prepared once and reused, so that values always go by parameters.
 */
export interface Database {
  /** Runs one statement; the number of rows it changed. */
  run(sql: string, ...values: Bindings): number;
  get<Row>(sql: string, ...values: Bindings): Row | undefined;
  all<Row>(sql: string, ...values: Bindings): Row[];
  getExact<Row>(sql: string, ...values: Bindings): Row | undefined;
  allExact<Row>(sql: string, ...values: Bindings): Row[];
}

/** A database opened outside the server's threads, which decides about its transactions itself. */
export interface StoreConnection extends Database {
  /** Runs `work` in a transaction that may write from its first statement on. Nothing is stored when it throws. */
  transaction<T>(work: () => T): T;
  /**
   * Runs `work` on one state of the store, without keeping others from writing. Throws `conflict` when it writes after
   * another process did.
   */
  snapshot<T>(work: () => T): T;
  /** Reports whether the store itself failed, as on a full disk, rather than the work in it. */
  hasFailed(error: unknown): boolean;
  close(): void;
}
