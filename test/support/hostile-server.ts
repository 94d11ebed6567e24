/** Apps as no framework would let them be: whatever a customer's address can do to the one who calls it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Worker } from 'node:worker_threads';

export interface HostileServer {
  port: number;
  /** Connections made so far. */
  connections: Connection[];
  close: () => Promise<void>;
}

export interface Connection {
  socket: Socket;
  /** Bytes read so far. */
  received: Buffer;
  closed: Promise<void>;
}

/** Certificates of test/support/certificates; all but the self-signed one are by `testAuthority`. */
export type Certificate = 'trusted' | 'expired' | 'not-yet-valid' | 'wrong-name' | 'self-signed';

const readPem = (file: string): string =>
  readFileSync(join(import.meta.dirname, 'certificates', file), 'utf8');

export const testAuthority = readPem('ca.pem');

/** `serve` gets each connection when it is made; nothing is read of it before `wholeRequest` or a listener asks. */
export async function startHostileServer(
  serve: (connection: Connection) => unknown,
  { certificate }: { certificate?: Certificate } = {},
): Promise<HostileServer> {
  const connections: Connection[] = [];
  const accept = (socket: Socket): void => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    socket.on('close', resolve);
    const connection = { socket, received: Buffer.alloc(0), closed };
    connections.push(connection);
    socket.on('error', () => undefined);
    serve(connection);
  };
  const server: Server =
    certificate === undefined
      ? createServer(accept)
      : createTlsServer({ key: readPem('server.key'), cert: readPem(`${certificate}.pem`) }, accept);
  // A client that turns away from a certificate is what the test is about.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    close: async () => {
      for (const { socket } of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads until the end of a request with Content-Length has come. */
export function wholeRequest(connection: Connection): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  connection.socket.on('data', (bytes: Buffer) => {
    connection.received = Buffer.concat([connection.received, bytes]);
    const head = connection.received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(connection.received.toString('latin1', 0, head));
    if (connection.received.length >= head + 4 + Number(length?.[1] ?? 0)) resolve();
  });
  return promise;
}

/** Returns an app that reads the complete request, writes these bytes and leaves the connection open. */
export const answering =
  (...pieces: (string | Uint8Array)[]) =>
  async (connection: Connection): Promise<void> => {
    await wholeRequest(connection);
    for (const piece of pieces) connection.socket.write(piece);
  };

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A port that is listened on by a thread that does nothing, its queue full: a connection to it is never made. */
export async function startDeafServer(): Promise<{ port: number; close: () => Promise<void> }> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer();
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, 'message')) as [number];
  const waiting: Socket[] = [];
  for (let i = 0; i < 2; i++) {
    const socket = connect(port, '127.0.0.1');
    waiting.push(socket);
    await once(socket, 'connect');
  }
  return {
    port,
    close: async () => {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}
