import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attacks.ts';
import { drip, headOf, keepSockets } from './sockets.ts';

const MIB = 1024 * 1024;
const SLOW = { full: 500, short: 200 };
const BODIES = { full: 300, short: 100 };
const IDLE = { full: 2_000, short: 2_000 };
const HELD = 32;
const HALF_OPEN = 240;
const CHUNKED = { full: 6, short: 2 };
const CHUNKED_BYTES = { full: 10 * MIB, short: 10 * MIB };
const CHUNKS_AT_ONCE = 16_384;

const ended = (end: AbortSignal): Promise<unknown> => (end.aborted ? Promise.resolve() : once(end, 'abort'));
const size = ({ isShort }: { isShort: boolean }, { full, short }: { full: number; short: number }): number =>
  isShort ? short : full;

/** Sends heads of requests, a byte at a time, without a key. */
export const slowHeaders: Attack = async (target, begun, end) => {
  const head = headOf('GET', '/v0/traces', { 'x-padding': 'x'.repeat(8_000) });
  const begin = (socket: Socket): void => drip(socket, head, 200);
  const { opened, counts } = keepSockets(target.port, size(target, SLOW), begin, end);
  await opened;
  begun();
  await ended(end);
  return `${counts.made} connections, ${counts.closed} closed by the server`;
};

/** Announces bodies of a mebibyte and sends them a byte at a time: spans, JSON and forms in turn. */
export const slowBodies: Attack = async (target, begun, end) => {
  const bodies = [
    { path: '/v1/traces', type: 'application/x-protobuf' },
    { path: '/v0/tags', type: 'application/json' },
    { path: '/v0/documents/upload', type: 'multipart/form-data; boundary=slow' },
  ];
  let next = 0;
  const begin = (socket: Socket): void => {
    const { path, type } = bodies[next++ % bodies.length] as (typeof bodies)[number];
    const length = String(path === '/v0/tags' ? MIB / 2 : MIB);
    socket.write(headOf('POST', path, { ...target.headers, 'content-type': type, 'content-length': length }));
    drip(socket, ' '.repeat(10_000), 200);
  };
  const { opened, counts } = keepSockets(target.port, size(target, BODIES), begin, end);
  await opened;
  begun();
  await ended(end);
  return `${counts.made} connections, ${counts.closed} closed by the server`;
};

/** Sends bodies in chunks of one byte, as fast as the server takes them. */
export const oneByteChunks: Attack = async (target, begun, end) => {
  const bytes = size(target, CHUNKED_BYTES);
  const piece = Buffer.from('1\r\nx\r\n'.repeat(CHUNKS_AT_ONCE));
  const paths = ['/v1/traces', '/v1/traces', '/v0/ingest', '/v0/documents/upload', '/v0/tags'];
  let next = 0;
  let sent = 0;
  const begin = (socket: Socket): void => {
    const path = paths[next++ % paths.length] as string;
    const type = path.endsWith('upload') ? 'multipart/form-data; boundary=x' : 'application/json';
    const headers = { ...target.headers, 'content-type': type, 'transfer-encoding': 'chunked' };
    socket.write(headOf('POST', path, headers));
    const pump = async (): Promise<void> => {
      for (let left = bytes; left > 0 && socket.writable; left -= CHUNKS_AT_ONCE) {
        sent += CHUNKS_AT_ONCE;
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
      // The body is never finished: what was sent stays with the server.
    };
    socket.resume();
    pump().catch(() => undefined);
  };
  const { opened, counts } = keepSockets(target.port, size(target, CHUNKED), begin, end);
  await opened;
  begun();
  await ended(end);
  return `${counts.made} connections, ${Math.round(sent / MIB)} MiB in chunks of a byte`;
};

/** Begins uploads and never ends them. */
export const heldUploads: Attack = async (target, begun, end) => {
  const begin = (socket: Socket): void => {
    const headers = {
      ...target.headers,
      'content-type': 'multipart/form-data; boundary=held',
      'content-length': '1000000',
    };
    socket.write(headOf('POST', '/v0/documents/upload', headers));
    socket.write('--held\r\ncontent-disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A');
    socket.resume();
  };
  const { opened, counts } = keepSockets(target.port, HELD, begin, end);
  await opened;
  await delay(500);
  begun();
  await ended(end);
  return `${HELD} uploads at a time, ${counts.closed} closed by the server`;
};

/** Opens connections and sends nothing. */
export const idleSockets: Attack = async (target, begun, end) => {
  const { opened, counts } = keepSockets(target.port, size(target, IDLE), () => undefined, end);
  await opened;
  begun();
  await ended(end);
  return `${counts.made} connections, ${counts.closed} closed by the server`;
};

/** Begins requests of every kind, sends no more, and never ends its side of the connections. */
export const halfOpen: Attack = async (target, begun, end) => {
  const types = {
    '/v1/traces': 'application/x-protobuf',
    '/v0/ingest': 'application/json',
    '/v0/tags': 'application/json',
    '/v0/documents/upload': 'multipart/form-data; boundary=held',
  };
  const beginnings = Object.entries(types).map(([path, type]) => {
    const headers = { ...target.headers, 'content-type': type, 'content-length': '1000000' };
    return headOf('POST', path, headers) + ' '.repeat(100_000);
  });
  beginnings.push('', 'GET /v0/traces HTTP/1.1\r\nhost: 127');
  let next = 0;
  const begin = (socket: Socket): void => {
    socket.write(beginnings[next++ % beginnings.length] as string);
  };
  const { opened, counts } = keepSockets(target.port, HALF_OPEN, begin, end, { once: true });
  await opened;
  await delay(500);
  begun();
  await ended(end);
  return `${counts.made} connections`;
};
