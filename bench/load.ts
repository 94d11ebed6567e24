import { connect, type Socket } from 'node:net';

export interface LoadResult {
  seconds: number;
  answers: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Milliseconds from the first byte sent to the last byte received, sorted. */
  latencies: number[];
}

/**
 * Sends whole HTTP requests over keep-alive connections, one at a time on each, until all are answered.
 * Written on bare sockets, so that the sender takes as little as possible of the processors it shares with the server.
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
): Promise<LoadResult> {
  const result: LoadResult = { seconds: 0, answers: 0, statuses: {}, latencies: [] };
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await Connection.open(port);
      while (next < requests.length) {
        const request = requests[next++] as Buffer;
        const sent = performance.now();
        const status = await connection.send(request);
        result.latencies.push(performance.now() - sent);
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        result.answers += 1;
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
  private readonly socket: Socket;
  private received = '';
  private waiting: ((status: string) => void) | null = null;
  private fail: (error: Error) => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.onData(bytes));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
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
    const length = Number(/content-length: (\d+)/i.exec(this.received.slice(0, head))?.[1] ?? 0);
    if (this.received.length < head + 4 + length) return;
    const status = this.received.slice(9, 12);
    this.received = '';
    this.waiting?.(status);
  }
}
