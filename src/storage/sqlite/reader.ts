import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { collectGarbage } from '../../runtime/garbage.ts';
import { openEnvelope } from '../../runtime/outbox.ts';
import {
  bytesOfResult,
  type CallEnvelope,
  type CallMessage,
  ThreadResponder,
} from '../../runtime/thread-calls.ts';
import { findOperation, leavesGarbage, type Operations } from '../operations.ts';
import type { SqliteDatabase } from './database.ts';
import type { ReadGate } from './read-gate.ts';
import { asUnavailable } from './store-fault.ts';

const QUERY_LIMIT_MS = 10_000;
/** Size above which a value leaves several times as much garbage, which V8 would collect much later. */
const LARGE_BYTES = 2 * 1024 * 1024;

/** Message to a reader besides calls: close the file and end. */
export interface ReaderControl {
  close: true;
}

/** Name of a call that is answered as soon as the thread is ready. */
export const READY = 'ready';

/** Responds to queries from one port, each on one snapshot of a read-only connection. */
export function runReader(
  port: MessagePort,
  database: SqliteDatabase,
  queries: Operations,
  gate: ReadGate,
): void {
  const { connection } = database;
  let deadline = Number.POSITIVE_INFINITY;
  // Scans contain `in_time(key)` in their WHERE clause. SQLite calls it for each row, so that a query can be stopped.
  connection.function('in_time', { deterministic: false }, (_key: unknown) => {
    if (performance.now() > deadline)
      throw new AppError('unavailable', 'the query took too long; narrow its filters');
    return 1;
  });

  const responder = new ThreadResponder(port, (send) => send());
  const run = ({ id, name, args }: CallMessage): void => {
    if (name === READY) {
      responder.answer(id, null);
      return;
    }
    const query = findOperation(queries, name);
    if (!query) {
      responder.fail(id, new Error(`unknown query ${name}`));
      return;
    }
    gate.pass();
    deadline = performance.now() + QUERY_LIMIT_MS;
    let size = 0;
    try {
      connection.exec('BEGIN');
      const value = query(database, args);
      connection.exec('COMMIT');
      size = bytesOfResult(value)?.byteLength ?? 0;
      responder.answer(id, value);
    } catch (error) {
      // The error of a damaged store may have ended the transaction already.
      if (connection.inTransaction) connection.exec('ROLLBACK');
      responder.fail(id, asUnavailable(error, 'be read'));
    }
    if (size > LARGE_BYTES && leavesGarbage(query)) setImmediate(collectGarbage);
  };

  port.on('message', (message: CallEnvelope | ReaderControl) => {
    if ('close' in message) {
      connection.close();
      port.close();
      return;
    }
    openEnvelope(message, run);
  });
}
