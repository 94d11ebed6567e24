import { createHash } from 'node:crypto';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { startWorker } from '../../runtime/worker.ts';
import type { StatementLimits } from './connect.ts';
import { PostgresFault } from './fault.ts';
import type {
  ConnectionRequest,
  ConnectionResponse,
  OpenConnection,
  StatementResponse,
  WireValue,
} from './io-messages.ts';
import type { DatabaseTarget } from './target.ts';

/** The thread that speaks with the database, for all connections of this thread; started with the first of them. */
let ioThread: Worker | null = null;

function openIoThread(): Worker {
  ioThread ??= startWorker('postgres', null);
  ioThread.unref();
  return ioThread;
}

/** Milliseconds that a thread waits for a response beyond what the server takes at most for the statement. */
const MORE_WAIT_MS = 5_000;

/** Numbers of what a connection did. */
export interface RoundTrips {
  count: number;
  waitedMs: number;
}

export interface DatabaseConnectionOptions {
  target: DatabaseTarget;
  limits: StatementLimits;
  /** Port of the thread that speaks with the database. Default: one of this thread. */
  io?: MessagePort | null;
  /** Counts round trips. */
  trips?: RoundTrips;
}

/** A connection that waits: a thread sends a statement and sleeps until the I/O thread has its result. */
export class PostgresConnection {
  private readonly port: MessagePort;
  private readonly flag: Int32Array;
  private readonly trips: RoundTrips;
  private readonly waitMs: number;
  /** Milliseconds that making the connection takes at most, for which the first request waits too. */
  private connectMs: number;
  /** True once a response did not come in time: when it comes, it would be taken for that of another statement. */
  private isLost = false;

  constructor({ target, limits, io = null, trips = { count: 0, waitedMs: 0 } }: DatabaseConnectionOptions) {
    const { port1, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(4);
    this.flag = new Int32Array(signal);
    this.port = port1;
    this.trips = trips;
    this.waitMs = limits.statementMs === 0 ? Infinity : limits.statementMs + MORE_WAIT_MS;
    this.connectMs = 2 * target.hosts.length * target.connectTimeoutMs;
    port1.unref();
    const message: OpenConnection = { target, limits, port: port2, signal };
    (io ?? openIoThread()).postMessage(message, [port2]);
  }

  /** Runs one statement, after `before` in the same round trip. Throws a `PostgresFault`. */
  send(text: string, values: readonly WireValue[], before: string | null = null): StatementResponse {
    const statement = { text, name: nameOf(text), values, before };
    return this.request({ statement }, text) as StatementResponse;
  }

  /** Runs several statements without values. Throws a `PostgresFault`. */
  runScript(script: string): void {
    this.request({ script, silent: false }, script);
  }

  /** Runs several statements without waiting for their end. */
  runSilently(script: string): void {
    if (!this.isLost) this.port.postMessage({ script, silent: true } satisfies ConnectionRequest);
  }

  /** Commits with a number that tells whether it took place; returns whether anything was changed. Throws a `PostgresFault`. */
  commitNoted(): boolean {
    return (this.request({ commit: true }, 'COMMIT') as { hasChanged: boolean }).hasChanged;
  }

  private request(request: ConnectionRequest, text: string): Exclude<ConnectionResponse, { fault: unknown }> {
    if (this.isLost) throw new PostgresFault('the connection is lost', 'ETIMEDOUT', text);
    const since = performance.now();
    Atomics.store(this.flag, 0, 0);
    this.port.postMessage(request);
    Atomics.wait(this.flag, 0, 0, this.waitMs + this.connectMs);
    this.connectMs = 0;
    this.trips.count += 1;
    this.trips.waitedMs += performance.now() - since;
    const response = receiveMessageOnPort(this.port)?.message as ConnectionResponse | undefined;
    if (!response) {
      this.isLost = true;
      this.close();
      throw new PostgresFault('the database did not answer in time', 'ETIMEDOUT', text);
    }
    if (!('fault' in response)) return response;
    const { message, code, unknownCommit } = response.fault;
    throw new PostgresFault(message, code, text, unknownCommit);
  }

  close(): void {
    this.port.postMessage({ close: true } satisfies ConnectionRequest);
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
