import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { chunksOf, gatherChunks } from '../../src/runtime/gather-chunks.ts';
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
  app.prependOnceListener('request', gatherChunks);
  const connection = await RawConnection.open(`http://127.0.0.1:${(app.address() as AddressInfo).port}`);
  connection.write(requestBytes({ path: '/', body, chunked: size }));
  const [request] = await arrived;
  if (!isRead) {
    await expect.poll(() => chunksOf(request)?.bytes).toBe(body.length);
  }
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  connection.destroy();
  return { pieces, chunks: chunksOf(request) };
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
