import type { MessagePort } from 'node:worker_threads';
import type { NoticeTopic } from '../replicas.ts';
import type { StatementLimits } from './connect.ts';
import type { DatabaseTarget } from './target.ts';

/** A value as the I/O thread passes it on. Integers that do not fit a number are texts. */
export type WireValue = string | number | Uint8Array | null;

/** Message to the I/O thread: a new connection, whose requests arrive through a port. */
export interface OpenConnection {
  target: DatabaseTarget;
  limits: StatementLimits;
  port: MessagePort;
  /** Set to 1 when a response waits at the port. */
  signal: SharedArrayBuffer;
}

/** Message to the I/O thread: a connection; a port by which another thread opens its own; to watch the store; or to tell other processes. */
export type IoMessage =
  | OpenConnection
  | { link: MessagePort }
  | { watch: DatabaseTarget }
  | { publish: Notice };

/** State of the store that the I/O thread watches. */
export interface StoreReport {
  /** Number of times that others were found to have written. */
  foreignChanges: number;
  /** Code of the fault for which the store cannot be written; null while it can. */
  failure: string | null;
  /** Size of the database; null while unknown. */
  fileBytes: number | null;
  /** Term in which this process leads; null if it does not. */
  term: number | null;
  /** Schema of the tables; null while unknown. */
  schema: number | null;
  /** Number of processes that use the store. */
  replicas: number;
  /** Notices that other processes have published since the last report. */
  notices: readonly Notice[];
}

/** Notice of one process to all others. */
export interface Notice {
  topic: NoticeTopic;
  text: string;
}

/** One statement; its name is that of the prepared statement, which equal texts share. */
export interface StatementRequest {
  text: string;
  name: string;
  values: readonly WireValue[];
  /** Script that is run right before it, such as the begin of its transaction. */
  before: string | null;
}

/**
 * Message to a connection: a statement; a script of several without values, which is not answered if it is `silent`; the
 * commit of the transaction, with a number by which it can be found; or the end.
 */
export type ConnectionRequest =
  | { statement: StatementRequest }
  | { script: string; silent: boolean }
  | { commit: true }
  | { close: true };

/** Rows of a statement, as arrays of texts in the format of PostgreSQL; the end of a commit; or what failed. */
export type ConnectionResponse =
  | StatementResponse
  | { hasChanged: boolean }
  | {
      fault: {
        code: string;
        message: string;
        /** Commit that was sent, so that it is unknown whether it took place; null if there is none. */
        unknownCommit: DoubtfulCommit | null;
      };
    };

/**
 * A commit that was sent and not answered. It took place if `last_commits` has its number. The number of the transaction does
 * not tell, because a database that was killed may give it to another one; it tells whether the transaction still runs.
 */
export interface DoubtfulCommit {
  transaction: string;
  connection: string;
  number: number;
}

export interface StatementResponse {
  rows: readonly (readonly (string | null)[])[];
  columns: readonly ReturnedColumn[];
  /** Number of rows that the statement changed. */
  changed: number;
}

export interface ReturnedColumn {
  name: string;
  /** Number of the type in `pg_type`. */
  type: number;
}
