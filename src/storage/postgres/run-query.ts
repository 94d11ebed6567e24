import type { MessagePort } from 'node:worker_threads';
import { collectGarbage } from '../../runtime/garbage.ts';
import { openEnvelope } from '../../runtime/outbox.ts';
import {
  bytesOfResult,
  type CallEnvelope,
  type CallMessage,
  ThreadResponder,
} from '../../runtime/thread-calls.ts';
import { findOperation, leavesGarbage, type Operations } from '../operations.ts';
import type { PostgresDatabase } from './database.ts';
import { isLostConnection, unavailableIfFault } from './fault.ts';
import type { ThreadNumbers } from './numbers.ts';

/** Name of a call that is answered as soon as the thread is ready. */
export const QUERIES_READY = 'ready';
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** Size above which a value leaves several times as much garbage, which V8 would collect much later. */
const LARGE_BYTES = 2 * 1024 * 1024;

export interface QueryRunnerOptions {
  database: PostgresDatabase;
  queries: Operations;
  numbers: ThreadNumbers;
}

/** Responds to queries from one port, each on one snapshot. A query whose connection is lost is run once more. */
export function serveQueries(port: MessagePort, { database, queries, numbers }: QueryRunnerOptions): void {
  const responder = new ThreadResponder(port, (send) => send());
  const run = ({ id, name, args }: CallMessage): void => {
    if (name === QUERIES_READY) {
      responder.answer(id, null);
      return;
    }
    const query = findOperation(queries, name);
    if (!query) {
      responder.fail(id, new Error(`unknown query ${name}`));
      return;
    }
    const once = (): unknown => database.snapshot(() => query(database, args), BEGIN);
    let size = 0;
    try {
      let value: unknown;
      try {
        value = once();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        numbers.add('lostConnections', 1);
        value = once();
      }
      size = bytesOfResult(value)?.byteLength ?? 0;
      responder.answer(id, value);
    } catch (error) {
      responder.fail(id, unavailableIfFault(error, 'be read'));
    }
    if (size > LARGE_BYTES && leavesGarbage(query)) setImmediate(collectGarbage);
  };
  port.on('message', (message: CallEnvelope) => openEnvelope(message, run));
}
