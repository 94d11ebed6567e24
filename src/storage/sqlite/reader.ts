import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { answerCall, answerError, type CallMessage } from '../../runtime/thread-calls.ts';
import { findOperation, type Operations } from '../operations.ts';
import type { Database } from './database.ts';
import type { ReadGate } from './read-gate.ts';

const QUERY_LIMIT_MS = 10_000;

/** What a reader is told beside calls: to let go of the file and end. */
export interface ReaderControl {
  close: true;
}

/** Answers queries from one port, each on one snapshot of a connection that cannot write. */
export function runReader(port: MessagePort, database: Database, queries: Operations, gate: ReadGate): void {
  const { connection } = database;
  let deadline = Number.POSITIVE_INFINITY;
  // Scans carry `in_time(key)` in their WHERE clause: SQLite calls it for each row, and so a query can be stopped.
  connection.function('in_time', { deterministic: false }, (_key: unknown) => {
    if (performance.now() > deadline)
      throw new AppError('unavailable', 'the query took too long; narrow its filters');
    return 1;
  });

  port.on('message', (message: CallMessage | ReaderControl) => {
    if ('close' in message) {
      connection.close();
      port.close();
      return;
    }
    const { id, name, args } = message;
    const query = findOperation(queries, name);
    if (!query) {
      answerError(port, id, new Error(`no query ${name}`));
      return;
    }
    gate.pass();
    deadline = performance.now() + QUERY_LIMIT_MS;
    connection.exec('BEGIN');
    try {
      answerCall(port, id, query(database, args));
    } catch (error) {
      answerError(port, id, error);
    } finally {
      connection.exec('COMMIT');
    }
  });
}
