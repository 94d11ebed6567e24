import type { MessagePort } from 'node:worker_threads';

/** A value as the I/O thread passes it on. Integers that do not fit a number are texts. */
export type WireValue = string | number | Uint8Array | null;

/** Message to the I/O thread: a new connection, whose requests arrive through a port. */
export interface OpenConnection {
  url: string;
  port: MessagePort;
  /** Set to 1 when a response waits at the port. */
  signal: SharedArrayBuffer;
}

/** One statement; its name is that of the prepared statement, which equal texts share. */
export interface StatementRequest {
  text: string;
  name: string;
  values: readonly WireValue[];
}

/** Message to a connection: a statement, a script of several without values, or its end. */
export type ConnectionRequest = { statement: StatementRequest } | { script: string } | { close: true };

/** Rows of a statement, as arrays of texts in the format of PostgreSQL, or what failed. */
export type ConnectionResponse =
  | { rows: readonly (readonly (string | null)[])[]; columns: readonly ReturnedColumn[]; count: number }
  | { fault: { code: string; message: string } };

export interface ReturnedColumn {
  name: string;
  /** Number of the type in `pg_type`. */
  type: number;
}
