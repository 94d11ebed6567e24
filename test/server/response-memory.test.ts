import { connect, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { route } from '../../src/contract/route.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { createLog } from '../../src/runtime/log.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { addRoute } from '../../src/server/add-route.ts';
import { errorHandler } from '../../src/server/errors.ts';
import { createPools } from '../../src/server/pools.ts';
import { chargeResponses } from '../../src/server/response-memory.ts';
import { routeDeps } from '../support/route-deps.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT = 37 * MIB;
const SIZE = 12 * MIB;

const answers = {
  operationId: 'getText',
  group: 'Server',
  summary: 'Large',
  scope: null,
  response: z.object({ text: z.string() }),
  status: 200,
} as const;
const handler = (): { text: string } => ({ text: 'ü'.repeat(SIZE / 2) });
/** The bytes that /bytes returned last. */
let returned = new Uint8Array();
const routes = [
  route({
    ...answers,
    response: 'bytes',
    method: 'GET',
    path: '/bytes',
    handler: () => (returned = new Uint8Array(SIZE).fill(0x20)),
  }),
  route({ ...answers, method: 'GET', path: '/large', handler }),
  route({ ...answers, method: 'POST', path: '/large', handler }),
  route({ ...answers, method: 'GET', path: '/small', handler: () => ({ text: 'x'.repeat(1_000) }) }),
];

let app: FastifyInstance;
let memory: MemoryBudget;
let url: string;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  memory = new MemoryBudget(LIMIT);
  app = fastify();
  app.setErrorHandler(errorHandler(createLog({ level: 'error', write: () => undefined, forPeople: false })));
  chargeResponses(app, new FairShare(memory, 3), LIMIT);
  for (const each of routes) addRoute(app, each, routeDeps(createPools(memory, LIMIT)));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Requests /large and reads nothing of the response. */
async function holdLarge(): Promise<void> {
  const before = memory.used;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  sockets.push(socket);
  socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => memory.used).toBeGreaterThan(before);
}

describe('a large response', () => {
  it('is complete, and charged until it has been read', async () => {
    await holdLarge();
    expect(memory.used).toBe(SIZE + '{"text":""}'.length);
    sockets[0]?.resume();
    await expect.poll(() => memory.used).toBe(0);

    const response = await fetch(`${url}/large`);
    expect(response.headers.get('content-length')).toBe(String(SIZE + '{"text":""}'.length));
    expect(await response.json()).toEqual(handler());
    await expect.poll(() => memory.used).toBe(0);
  });

  it('has the headers of a GET for HEAD', async () => {
    const response = await fetch(`${url}/large`, { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe(String(SIZE + '{"text":""}'.length));
    expect(memory.used).toBe(0);
  });

  it('is given back when its reader disconnects', async () => {
    await holdLarge();
    sockets[0]?.destroy();
    await expect.poll(() => memory.used).toBe(0);
  });

  it('is not sent while too many wait to be read, unless something was done for it', async () => {
    await holdLarge();
    await holdLarge();
    const response = await fetch(`${url}/large`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toEqual({
      message: expect.stringContaining('waiting to be read') as string,
    });

    const [done, small] = [await fetch(`${url}/large`, { method: 'POST' }), await fetch(`${url}/small`)];
    expect([done.status, small.status]).toEqual([200, 200]);
    expect(await done.json()).toEqual(handler());
  });

  it('frees its memory when it has been sent, without waiting for the garbage collector', async () => {
    const response = await fetch(`${url}/bytes`);
    expect((await response.arrayBuffer()).byteLength).toBe(SIZE);
    await expect.poll(() => returned.length).toBe(0);
  });

  it('frees its memory at once when there is no space for it', async () => {
    await holdLarge();
    await holdLarge();
    expect((await fetch(`${url}/bytes`)).status).toBe(503);
    expect(returned.length).toBe(0);
  });
});
