import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { ClientGone, readBody } from '../../src/ingest/http-body.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { RawConnection, requestBytes } from '../support/sockets.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT = 4 * MIB;

let server: Server;
let budget: MemoryBudget;
let connection: RawConnection;
let read: Promise<Uint8Array<ArrayBuffer>>;
let begun: Promise<IncomingMessage>;
beforeEach(async () => {
  budget = new MemoryBudget(16 * MIB);
  const shares = new FairShare(budget, 1);
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  begun = promise;
  const { promise: done, resolve: finish } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  read = done;
  server = createServer((request) => {
    const share = shares.open(1);
    // A rejection is for the test to see.
    finish(readBody(request, LIMIT, share).finally(() => afterRead(share)));
    resolve(request);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  connection = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(async () => {
  connection.destroy();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

/** Bytes that were charged when the body was complete. */
let charged: number;
const afterRead = (share: { close: () => void }): void => {
  charged = budget.used;
  share.close();
};

const pattern = (size: number): Buffer => Buffer.from(Uint8Array.from({ length: size }, (_, i) => i % 251));

describe('a body', () => {
  it.each<[how: string, size: number, chunked: number | undefined]>([
    ['empty', 0, undefined],
    ['of one chunk', 1_000, undefined],
    ['of many packets', 3 * MIB, undefined],
    ['as large as allowed', LIMIT, undefined],
    ['in many chunks', MIB + 1, 40],
    ['in large chunks', 3 * MIB, 100_000],
    ['of few tiny chunks', 4_000, 1],
  ])('%s arrives as it is, charged with what it takes', async (_, size, chunked) => {
    const body = pattern(size);
    connection.write(requestBytes({ path: '/', body, ...(chunked === undefined ? {} : { chunked }) }));
    const bytes = await read;
    expect(Buffer.compare(bytes, body)).toBe(0);
    expect(charged).toBeGreaterThanOrEqual(bytes.buffer.byteLength);
    expect(charged).toBeLessThanOrEqual(size + 20 * KIB);
    expect(budget.used).toBe(0);
    // It can move to a thread, and takes nothing else with it.
    expect(structuredClone(bytes, { transfer: [bytes.buffer] })).toHaveLength(size);
  });

  it('is not paid for before it arrives', async () => {
    connection.write(requestBytes({ path: '/', body: pattern(LIMIT) }).subarray(0, 1_000));
    const request = await begun;
    await expect.poll(() => request.socket.bytesRead).toBe(1_000);
    expect(budget.used).toBeLessThan(8 * KIB);
    connection.destroy();
    await expect(read).rejects.toThrow(ClientGone);
    expect(budget.used).toBe(0);
  });

  it('of many tiny chunks is rejected before all of it has arrived', async () => {
    connection.write(requestBytes({ path: '/', body: pattern(20_000), chunked: 1 }));
    await expect(read).rejects.toMatchObject({ code: 'bad_request' });
    expect(charged).toBeLessThan(80 * KIB);
  });

  it.each([
    ['announced', undefined],
    ['unannounced', 10_000],
  ])('that is too large is rejected, %s', async (_, chunked) => {
    const size = LIMIT + 1;
    connection.write(
      requestBytes({ path: '/', body: pattern(size), ...(chunked === undefined ? {} : { chunked }) }),
    );
    await expect(read).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is rejected when no memory is left', async () => {
    budget.force(15 * MIB);
    connection.write(requestBytes({ path: '/', body: pattern(2 * MIB) }));
    await expect(read).rejects.toThrow(AppError);
    await expect(read).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
  });
});
