import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { arrivedChunksOf, gatherChunks } from '../../src/runtime/gather-chunks.ts';
import { PacedQueue } from '../../src/runtime/paced-queue.ts';
import { RawConnection, requestBytes } from '../support/sockets.ts';

const app = createServer();
afterEach(() => {
  app.removeAllListeners('request');
  app.closeAllConnections();
  app.close();
});

/** Sends a body in chunks of `size` bytes; returns the pieces that its stream has, read or not while it arrives. */
async function piecesOf(body: Buffer, size: number, isRead: boolean) {
  if (!app.listening) await once(app.listen(0, '127.0.0.1'), 'listening');
  const arrived = once(app, 'request') as Promise<[IncomingMessage]>;
  app.prependOnceListener('request', (request) => gatherChunks(request, new PacedQueue()));
  const connection = await RawConnection.open(`http://127.0.0.1:${(app.address() as AddressInfo).port}`);
  connection.write(requestBytes({ path: '/', body, chunked: size }));
  const [request] = await arrived;
  if (!isRead) {
    await expect.poll(() => arrivedChunksOf(request)?.bytes).toBe(body.length);
  }
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  connection.destroy();
  return { pieces, chunks: arrivedChunksOf(request) };
}

it.each([
  ['of one byte', 10_000, 1, true, 40],
  ['of one byte that nobody reads yet', 10_000, 1, false, 40],
  ['around the size of a small one', 60_000, 4_096, true, 30],
  ['that are large', 60_000, 20_000, true, 10],
  ['of all of it', 7, 7, true, 1],
] as const)(
  'a body in chunks %s arrives as it is, in few pieces',
  async (_name, length, size, isRead, most) => {
    const body = Buffer.from(Array.from({ length }, (_, i) => i % 251));
    const { pieces, chunks } = await piecesOf(body, size, isRead);
    expect(Buffer.concat(pieces).equals(body)).toBe(true);
    expect(pieces.length).toBeLessThanOrEqual(most);
    expect(chunks?.bytes).toBe(length);
    // A chunk that two reads of the socket share counts twice.
    expect(chunks?.count).toBeGreaterThanOrEqual(Math.ceil(length / size));
  },
);

it('connections that send many small chunks are read again one after the other, with pauses', async () => {
  const CONNECTIONS = 4;
  // Two reads of a socket, 64 KiB each, with six bytes a chunk.
  const body = Buffer.alloc(20_000, 'x');
  const pauses: number[] = [];
  class Recorded extends PacedQueue {
    override add(pauseMs: number, action: () => void): void {
      pauses.push(pauseMs);
      super.add(pauseMs, action);
    }
  }
  const dense = new Recorded();
  const requests: IncomingMessage[] = [];
  app.on('request', (request) => {
    gatherChunks(request, dense);
    request.resume();
    requests.push(request);
  });
  if (!app.listening) await once(app.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(url)));
  for (const connection of connections) connection.write(requestBytes({ path: '/', body, chunked: 1 }));
  const arrived = (): number =>
    requests.reduce((sum, request) => sum + (arrivedChunksOf(request)?.bytes ?? 0), 0);
  await expect.poll(arrived).toBe(CONNECTIONS * body.length);
  for (const connection of connections) connection.destroy();
  expect(pauses.length).toBeGreaterThanOrEqual(CONNECTIONS);
  // In proportion to the chunks of one read: from 1 024 of them to 64 KiB.
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(20);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(220);
});

it('a body in chunks of a few bytes between large ones arrives as it is', async () => {
  const arrived = once(app, 'request') as Promise<[IncomingMessage]>;
  app.prependOnceListener('request', (request) => gatherChunks(request, new PacedQueue()));
  if (!app.listening) await once(app.listen(0, '127.0.0.1'), 'listening');
  const connection = await RawConnection.open(`http://127.0.0.1:${(app.address() as AddressInfo).port}`);
  const large = 'y'.repeat(8_000);
  const pieces = Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? large : 'x'.repeat(i)));
  const dense = Array.from({ length: 5_000 }, () => 'z');
  const sent = [...pieces, ...dense, large, ...dense, large].filter((piece) => piece !== '');
  connection.write(
    `POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${sent
      .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
      .join('')}0\r\n\r\n`,
  );
  const [request] = await arrived;
  const got: Buffer[] = [];
  for await (const piece of request) got.push(piece as Buffer);
  connection.destroy();
  expect(Buffer.concat(got).toString()).toBe(sent.join(''));
});
