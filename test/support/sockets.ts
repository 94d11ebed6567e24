/** HTTP/1.1 on bare sockets, for requests that no client would send and for seeing when a connection ends. */
import { connect, type Socket } from 'node:net';

export interface RawRequest {
  method?: string;
  path: string;
  /** null leaves a header out, also one that would be there by itself. */
  headers?: Readonly<Record<string, string | null>>;
  body?: string | Uint8Array;
  /** Size of the chunks in which it is sent, without Content-Length. */
  chunked?: number;
}

export interface RawAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The bytes of a request. */
export function requestBytes({ method = 'POST', path, headers = {}, body, chunked }: RawRequest): Buffer {
  const bytes = Buffer.from(body ?? '');
  const all: Record<string, string | null> = {
    host: '127.0.0.1',
    ...(chunked === undefined
      ? { 'content-length': String(bytes.length) }
      : { 'transfer-encoding': 'chunked' }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const head = Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
  return Buffer.concat([head, chunked === undefined ? bytes : inChunks(bytes, chunked)]);
}

export function inChunks(bytes: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** One connection; what is sent on it is answered in order. */
export class RawConnection {
  readonly closed: Promise<void>;
  private readonly socket: Socket;
  private received = Buffer.alloc(0);
  private isClosed = false;
  private waiting: PromiseWithResolvers<RawAnswer> | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
      this.settle();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      this.settle();
      resolve();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('connect', resolve).once('error', reject);
    await promise;
    socket.off('error', reject);
    return new RawConnection(socket);
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Resolves once the bytes have left this process, false when the connection ended before. */
  async writeAll(bytes: Uint8Array): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.socket.write(bytes, (error) => resolve(!error));
    return promise;
  }

  /**
   * Resolves with the next response; rejects with ConnectionClosed when the connection ends before the response is
   * complete.
   */
  answer(): Promise<RawAnswer> {
    const waiting = (this.waiting ??= Promise.withResolvers<RawAnswer>());
    this.settle();
    return waiting.promise;
  }

  send(request: RawRequest): Promise<RawAnswer> {
    this.write(requestBytes(request));
    return this.answer();
  }

  /** Ends the connection as a process that dies does. */
  destroy(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }

  private settle(): void {
    const { waiting } = this;
    if (!waiting) return;
    const taken = takeAnswer(this.received, this.isClosed);
    if (taken) {
      this.received = this.received.subarray(taken.size);
      // 100 Continue and its like are no answers.
      if (taken.answer.status < 200) return this.settle();
      this.waiting = null;
      waiting.resolve(taken.answer);
    } else if (this.isClosed) {
      this.waiting = null;
      waiting.reject(new ConnectionClosed(this.received));
    }
  }
}

export class ConnectionClosed extends Error {
  constructor(received: Buffer) {
    super(
      `the connection was closed before its answer was whole; it began: ${received.toString('latin1', 0, 80)}`,
    );
  }
}

/** One request on a connection of its own. */
export async function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const connection = await RawConnection.open(url);
  try {
    return await connection.send(request);
  } finally {
    connection.close();
  }
}

function takeAnswer(bytes: Buffer, isClosed: boolean): { answer: RawAnswer; size: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  const from = headEnd + 4;
  const whole = (body: Buffer, size: number) => ({
    answer: { status, headers, body: Buffer.from(body) },
    size,
  });
  if (status < 200 || status === 204) return whole(Buffer.alloc(0), from);
  if (headers['transfer-encoding'] === 'chunked') {
    const body = takeChunks(bytes, from);
    return body && whole(body.bytes, body.end);
  }
  const length = headers['content-length'];
  if (length === undefined) return isClosed ? whole(bytes.subarray(from), bytes.length) : null;
  const end = from + Number(length);
  return bytes.length < end ? null : whole(bytes.subarray(from, end), end);
}

function takeChunks(bytes: Buffer, from: number): { bytes: Buffer; end: number } | null {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return null;
    if (size === 0) return { bytes: Buffer.concat(parts), end };
    parts.push(bytes.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}
