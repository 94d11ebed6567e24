/** What a call occupies is released when it ends, however it ends. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Principal } from '../../src/contract/scope.ts';
import { route } from '../../src/contract/route.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { OpenCalls, type WatchCall } from '../../src/runtime/open-calls.ts';
import { addAgentRoute } from '../../src/server/agent-route.ts';
import { addRoute } from '../../src/server/add-route.ts';
import { addJsonParser } from '../../src/server/json-body.ts';
import { createPools } from '../../src/server/pools.ts';
import { RawConnection } from '../support/sockets.ts';
import { routeDeps } from '../support/route-deps.ts';

const BODY = JSON.stringify({ text: 'x'.repeat(20_000) });
const requestOf = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n` +
  `authorization: Bearer key\r\nx-application-id: x\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

const principal: Principal = {
  organisation: 'org-1',
  applicationId: 'app-1',
  application: 1,
  actor: { type: 'key', id: 'key', name: 'CI' },
  scopes: new Set(['read', 'write']),
};

const echo = route({
  method: 'POST',
  path: '/echo',
  operationId: 'echo',
  group: 'Server',
  summary: 'Echo',
  scope: 'write',
  body: z.object({ text: z.string() }),
  response: z.object({}),
  status: 200,
  handler: () => ({}),
});

/** Never responds, so that the responses to later requests of its connection wait. */
const slow = route({
  ...echo,
  path: '/slow',
  operationId: 'slow',
  handler: () => new Promise(() => undefined),
});

let app: FastifyInstance;
let url: string;
let calls: OpenCalls;
const memory = new MemoryBudget(64 * 1024 * 1024);
const seen = { checks: 0, left: 0, begun: 0, open: 0 };
/** Resolves when the checks of callers may end. */
let checked: PromiseWithResolvers<void>;

beforeEach(async () => {
  Object.assign(seen, { checks: 0, left: 0, begun: 0, open: 0 });
  checked = Promise.withResolvers();
  calls = new OpenCalls();
  const watchCall: WatchCall = (check) => {
    const { revoked, end } = calls.watch(check);
    seen.begun += 1;
    seen.open += 1;
    return { revoked, end: () => ((seen.open -= 1), end()) };
  };
  const authenticate = async (_headers?: IncomingHttpHeaders): Promise<Principal> => {
    seen.checks += 1;
    await checked.promise;
    return principal;
  };
  const pools = createPools(memory, 64 * 1024 * 1024);
  app = fastify();
  app.decorateRequest('scope', null);
  app.decorateRequest('revoked');
  app.decorateRequest('response');
  app.addHook('onRequest', (request, reply, done) => {
    request.response = reply.raw;
    reply.raw.once('close', () => (seen.left += 1));
    done();
  });
  addJsonParser(app, pools.bodies);
  for (const each of [echo, slow])
    addRoute(app, each, {
      ...routeDeps(pools),
      authenticate: async () => ({ principal: await authenticate(), call: watchCall(authenticate) }),
    });
  const authenticator = {
    authenticate,
    authenticateKey: () => authenticate(),
    findValidKey: async () => null,
  };
  addAgentRoute(app, {
    routes: [],
    authenticator: { ...authenticator, forget: () => undefined },
    watch: (_head, check) => check(),
    watchCall,
    bodies: pools.bodies,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  calls.close();
  await app.close();
});

describe.each(['/echo', '/mcp'])('a call of %s', (path) => {
  it('ends with its response', async () => {
    checked.resolve();
    const connection = await RawConnection.open(url);
    connection.write(requestOf(path));
    await connection.answer();
    await expect.poll(() => [seen.begun, seen.open, memory.used]).toEqual([1, 0, 0]);
    connection.destroy();
  });

  it('ends when its client leaves while its permission is checked', async () => {
    const connection = await RawConnection.open(url);
    connection.write(requestOf(path));
    await expect.poll(() => seen.checks).toBe(1);
    connection.destroy();
    await expect.poll(() => seen.left).toBe(1);
    checked.resolve();
    await expect.poll(() => [seen.begun, seen.open, memory.used]).toEqual([1, 0, 0]);
  });

  it.each([
    ['after it was admitted', true],
    ['while its permission is checked', false],
  ])('that waits for an earlier response ends when its client leaves %s', async (_what, isAdmitted) => {
    const connection = await RawConnection.open(url);
    connection.write(requestOf('/slow') + requestOf(path).repeat(100));
    await expect.poll(() => seen.checks).toBe(101);
    if (isAdmitted) {
      checked.resolve();
      await expect.poll(() => seen.begun).toBe(101);
    }
    connection.destroy();
    await expect.poll(() => seen.left).toBe(101);
    checked.resolve();
    await expect.poll(() => [seen.begun, seen.open, memory.used]).toEqual([101, 0, 0]);
  });
});
