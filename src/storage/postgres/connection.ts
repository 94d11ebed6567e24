import { createHash } from 'node:crypto';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { startWorker } from '../../runtime/worker.ts';
import { PostgresFault } from './fault.ts';
import type {
  ReturnedColumn,
  ConnectionRequest,
  ConnectionResponse,
  OpenConnection,
  WireValue,
} from './io-messages.ts';

/** The thread that speaks with the database, for all connections of this thread; started with the first of them. */
let ioThread: Worker | null = null;

function openIoThread(): Worker {
  ioThread ??= startWorker('postgres', null);
  ioThread.unref();
  return ioThread;
}

export interface StatementResult {
  rows: readonly (readonly (string | null)[])[];
  columns: readonly ReturnedColumn[];
  /** Number of rows that the statement changed or returned. */
  count: number;
}

/** Milliseconds for which a thread waits for a response, which is longer than the server takes for any statement. */
const MAX_WAIT_MS = 15_000;

/** A connection that waits: a thread sends a statement and sleeps until the I/O thread has its result. */
export class PostgresConnection {
  private readonly port: MessagePort;
  private readonly flag: Int32Array;
  /** True once a response did not come in time: when it comes, it would be taken for that of another statement. */
  private isLost = false;

  constructor(url: string) {
    const { port1, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(4);
    this.flag = new Int32Array(signal);
    this.port = port1;
    port1.unref();
    const message: OpenConnection = { url, port: port2, signal };
    openIoThread().postMessage(message, [port2]);
  }

  /** Runs one statement. Throws a `PostgresFault`. */
  send(text: string, values: readonly WireValue[]): StatementResult {
    return this.request({ statement: { text, name: nameOf(text), values } }, text);
  }

  /** Runs several statements without values. Throws a `PostgresFault`. */
  runScript(script: string): void {
    this.request({ script }, script);
  }

  private request(request: ConnectionRequest, text: string): StatementResult {
    if (this.isLost) throw new PostgresFault('the connection is lost', 'ETIMEDOUT', text);
    Atomics.store(this.flag, 0, 0);
    this.port.postMessage(request);
    Atomics.wait(this.flag, 0, 0, MAX_WAIT_MS);
    const response = receiveMessageOnPort(this.port)?.message as ConnectionResponse | undefined;
    if (!response) {
      this.isLost = true;
      this.close();
      throw new PostgresFault('the database did not answer in time', 'ETIMEDOUT', text);
    }
    if ('fault' in response) throw new PostgresFault(response.fault.message, response.fault.code, text);
    return response;
  }

  close(): void {
    this.port.postMessage({ close: true });
  }
}

const names = new Map<string, string>();
const MAX_NAMES = 2_000;

/** Name under which a statement is prepared once for each connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    name = createHash('sha1').update(text).digest('hex');
    names.set(text, name);
  }
  return name;
}
