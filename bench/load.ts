import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadResult {
  seconds: number;
  /** Requests that were sent, repeats of rejected ones not counted. */
  sent: number;
  /** Responses, those to repeats included. */
  answers: number;
  /** Responses by status. */
  statuses: Record<string, number>;
  /** Milliseconds from the first byte sent to the last byte received, sorted. */
  latencies: number[];
}

/** Pause before a request with the response 503 is retried. */
const RETRY_MS = 100;

/**
 * Sends complete HTTP requests over keep-alive connections, one at a time on each, until all have a response or, with
 * `deadline` (of `performance.now()`), until no more may begin. Requests with the response 503 are retried. Uses bare
 * sockets, so that the sender takes as little as possible of the processors it shares with the server.
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  deadline = Number.POSITIVE_INFINITY,
): Promise<LoadResult> {
  const result: LoadResult = { seconds: 0, sent: 0, answers: 0, statuses: {}, latencies: [] };
  const started = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(connections, requests.length) }, async () => {
      let connection = await Connection.open(port);
      while (result.sent < requests.length && performance.now() < deadline) {
        const request = requests[result.sent++] as Buffer;
        const began = performance.now();
        for (;;) {
          if (connection.isClosed) connection = await Connection.open(port);
          const status = await connection.send(request);
          result.statuses[status] = (result.statuses[status] ?? 0) + 1;
          result.answers += 1;
          if (status !== '503') break;
          await delay(RETRY_MS);
        }
        result.latencies.push(performance.now() - began);
      }
      connection.close();
    }),
  );
  result.seconds = (performance.now() - started) / 1000;
  result.latencies.sort((a, b) => a - b);
  return result;
}

export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

class Connection {
  isClosed = false;
  private readonly socket: Socket;
  private received = '';
  private waiting: ((status: string) => void) | null = null;
  private fail: (error: Error) => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.onData(bytes));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => {
      this.isClosed = true;
      this.fail(new Error('the server closed the connection'));
    });
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  send(request: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiting = resolve;
      this.fail = reject;
      this.socket.write(request);
    });
  }

  close(): void {
    this.fail = () => undefined;
    this.socket.destroy();
  }

  private onData(bytes: Buffer): void {
    this.received += bytes.toString('latin1');
    const head = this.received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const headers = this.received.slice(0, head);
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    if (this.received.length < head + 4 + length) return;
    const status = this.received.slice(9, 12);
    this.received = '';
    if (/connection: close/i.test(headers)) {
      this.isClosed = true;
      this.close();
    }
    this.waiting?.(status);
  }
}
