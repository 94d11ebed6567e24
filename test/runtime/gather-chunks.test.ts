import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { chunksOf, gatherChunks } from '../../src/runtime/gather-chunks.ts';
import { OnePerTurn } from '../../src/runtime/one-per-turn.ts';
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
  app.prependOnceListener('request', (request) => gatherChunks(request, new OnePerTurn()));
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

it('of connections that send many small chunks one is read each turn', async () => {
  const CONNECTIONS = 4;
  const body = Buffer.alloc(60_000, 'x');
  const turns = new OnePerTurn();
  const requests: IncomingMessage[] = [];
  app.on('request', (request) => {
    gatherChunks(request, turns);
    request.resume();
    requests.push(request);
  });
  if (!app.listening) await once(app.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => RawConnection.open(url)));
  for (const connection of connections) connection.write(requestBytes({ path: '/', body, chunked: 1 }));
  const arrived = (): number => requests.reduce((sum, request) => sum + (chunksOf(request)?.bytes ?? 0), 0);
  // First reads do not wait here, nor does one after a read of few chunks: both may share a turn with others.
  const perTurn: number[] = [];
  while (arrived() < CONNECTIONS * body.length) {
    const before = arrived();
    const haveAllBegun = requests.length === CONNECTIONS;
    await nextTurn();
    if (haveAllBegun && arrived() > before) perTurn.push(arrived() - before);
  }
  for (const connection of connections) connection.destroy();
  const median = perTurn.toSorted((x, y) => x - y)[perTurn.length >> 1];
  // What a socket is read at once: 64 KiB, with six bytes a chunk.
  expect(median).toBeLessThanOrEqual(11_000);
});
