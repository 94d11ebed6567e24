import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { route } from '../../src/contract/route.ts';
import { readBody } from '../../src/ingest/http-body.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { createLog } from '../../src/runtime/log.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { addRoute } from '../../src/server/add-route.ts';
import { Connections } from '../../src/server/connections.ts';
import { createPools } from '../../src/server/pools.ts';
import { HTTP_TIMEOUTS } from '../../src/server/timeouts.ts';
import { newSpanId, newTraceId, readOtlp } from '../e2e/otlp-sender.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { routeDeps } from '../support/route-deps.ts';
import { type RawAnswer, RawConnection, requestBytes, sendRaw } from '../support/sockets.ts';
import { otlpRequest } from '../support/spans.ts';

const MIB = 1024 * 1024;
const TIMEOUTS = {
  headersMs: 2_000,
  keepAliveMs: 2_000,
  bodyIdleMs: 1_500,
  bodyBytesPerSecond: 1_000,
  writeIdleMs: 1_000,
  drainMs: 500,
  lingerMs: 200,
  checkMs: 50,
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    config: { maxBodyBytes: 2 * MIB, memoryBudgetBytes: 8 * MIB },
    timeouts: TIMEOUTS,
  });
});
afterAll(() => server.close());

const hostile: Socket[] = [];
afterEach(() => {
  for (const socket of hostile.splice(0)) socket.destroy();
});

/** A peer that sends these bytes, reads nothing and never closes its side. */
async function hold(bytes: string | Uint8Array, url = server.url): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.pause();
  hostile.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  if (bytes.length > 0) socket.write(bytes);
  return socket;
}

const holdMany = (count: number, bytes: string | Uint8Array): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, () => hold(bytes)));

const UPLOAD_PATH = '/v0/documents/upload';
const uploadRequest = (headers: Readonly<Record<string, string>>, file: string): Buffer =>
  requestBytes({
    path: UPLOAD_PATH,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
    body: `--x\r\ncontent-disposition: form-data; name="type"\r\n\r\nPOLICY\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${file}\r\n--x--\r\n`,
  });

/** What the server holds on behalf of clients, the connection that asks not counted. */
async function held(): Promise<Record<string, number>> {
  const { body } = await sendRaw(server.url, { method: 'GET', path: '/metrics' });
  const value = (series: string): number =>
    Number(
      body
        .toString()
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  return {
    connections: value('touchstone_connections') - 1,
    memory: value('touchstone_memory_budget_usage_bytes'),
    uploads: value('touchstone_active_uploads'),
    responses: value('touchstone_response_memory_usage_bytes'),
    files: uploadFiles(),
  };
}
const NOTHING = { connections: 0, memory: 0, uploads: 0, responses: 0, files: 0 };

const uploadFiles = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('touchstone-upload-');
    } catch {
      return false;
    }
  }).length;

async function rejected(reason: string): Promise<number> {
  const { body } = await sendRaw(server.url, { method: 'GET', path: '/metrics' });
  const series = `touchstone_rejected_connections_total{reason="${reason}"} `;
  const line = body
    .toString()
    .split('\n')
    .find((candidate) => candidate.startsWith(series));
  return line === undefined ? 0 : Number(line.slice(series.length));
}

const good = { path: '/v1/traces', headers: { 'content-type': 'application/x-protobuf' } };
const goodBody = (name = 'good'): Buffer => otlpRequest([{ trace: newTraceId(), id: newSpanId(), name }]);

describe('what a client that never finishes holds', () => {
  const halfBody = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, bytes.length - 100);
  const cases: [what: string, count: number, bytes: () => string | Uint8Array][] = [
    ['uploads', 8, () => halfBody(uploadRequest(server.headers, 'x'.repeat(1_000)))],
    [
      'bodies of traces',
      3,
      () =>
        halfBody(
          requestBytes({
            ...good,
            headers: { ...good.headers, ...server.headers },
            body: Buffer.alloc(2 * MIB),
          }),
        ),
    ],
    [
      'JSON bodies',
      20,
      () =>
        halfBody(
          requestBytes({
            path: '/v0/tags',
            headers: { ...server.headers, 'content-type': 'application/json' },
            body: JSON.stringify({ name: 'x'.repeat(20_000) }),
          }),
        ),
    ],
    ['bodies without a key', 20, () => halfBody(requestBytes({ ...good, body: Buffer.alloc(100_000) }))],
    [
      'bodies for no path',
      20,
      () => halfBody(requestBytes({ path: '/nothing', body: Buffer.alloc(100_000) })),
    ],
    ['heads of requests', 50, () => 'POST /v1/traces HTTP/1.1\r\nhost: x\r\n'],
    ['heads that are too large', 20, () => `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}`],
    ['connections alone', 50, () => ''],
    ['requests that are none', 20, () => 'HELLO\r\n\r\n'],
  ];

  it.each(cases)('is given back after a while: %s', async (_, count, bytes) => {
    await holdMany(count, bytes());
    await expect.poll(async () => (await held()).connections).toBe(0);
    await expect.poll(held).toEqual(NOTHING);
  });

  it('is given back when all of that comes at once, and the next requests are served', async () => {
    for (const [, count, bytes] of cases) await holdMany(count, bytes());
    await expect.poll(held).toEqual(NOTHING);
    const headers = { ...good.headers, ...server.headers };
    expect((await sendRaw(server.url, { ...good, headers, body: goodBody() })).status).toBe(200);
    const connection = await RawConnection.open(server.url);
    connection.write(uploadRequest(server.headers, 'x'));
    expect((await connection.answer()).status).toBe(201);
    connection.close();
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('a body that comes too slowly', () => {
  async function sendSlowly(headers: Readonly<Record<string, string>>, path: string): Promise<RawAnswer> {
    const connection = await RawConnection.open(server.url);
    const bytes = requestBytes({ path, headers, body: Buffer.alloc(100_000) });
    connection.write(bytes.subarray(0, bytes.length - 90_000));
    const answer = connection.answer();
    let at = bytes.length - 90_000;
    // It keeps sending, but never more than a byte at a time.
    const sending = setInterval(() => {
      connection.write(bytes.subarray(at, at + 1));
      at += 1;
    }, 100);
    await connection.closed;
    clearInterval(sending);
    return answer;
  }

  it.each(['application/x-protobuf', 'application/json'])('is 408 in OTLP as %s', async (type) => {
    const before = await rejected('slow_body');
    const headers = { ...server.headers, 'content-type': type, 'x-request-id': 'slow-1' };
    const answer = await sendSlowly(headers, '/v1/traces');
    expect(answer).toMatchObject({
      status: 408,
      headers: { 'content-type': type, 'x-request-id': 'slow-1', connection: 'close' },
    });
    expect(readOtlp(answer)).toMatchObject({ code: 2, message: 'Request Timeout' });
    expect(await rejected('slow_body')).toBe(before + 1);
  });

  it('is 408 in JSON elsewhere', async () => {
    const headers = { ...server.headers, 'content-type': 'application/json', 'x-request-id': 'slow-2' };
    const answer = await sendSlowly(headers, '/v0/tags');
    expect(answer).toMatchObject({ status: 408, headers: { 'x-request-id': 'slow-2' } });
    expect(answer.body.toString()).toBe('{"message":"Request Timeout"}');
  });

  it('is read to its end when it keeps the least rate', async () => {
    const connection = await RawConnection.open(server.url);
    const headers = { ...good.headers, ...server.headers };
    const bytes = requestBytes({ ...good, headers, body: goodBody('x'.repeat(20_000)) });
    // Some four times the least rate, for longer than a silent body would be waited for.
    for (let at = 0; at < bytes.length; at += 1_000) {
      connection.write(bytes.subarray(at, at + 1_000));
      await sleep(TIMEOUTS.bodyIdleMs / 10);
    }
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });
});

describe('a request that cannot be read', () => {
  it.each<[what: string, bytes: string, status: number, reason: string]>([
    ['is no HTTP', 'HELLO\r\n\r\n', 400, 'bad_request'],
    [
      'has a head that is too large',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['never gets beyond its head', 'GET / HTTP/1.1\r\nhost: x\r\n', 408, 'slow_headers'],
    [
      'has a broken chunk',
      'POST /v1/traces HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
      'bad_request',
    ],
  ])('gets a response when it %s', async (_, bytes, status, reason) => {
    const before = await rejected(reason);
    const connection = await RawConnection.open(server.url);
    connection.write(bytes);
    const answer = await connection.answer();
    await connection.closed;
    expect(answer.status === status || answer.status === 401).toBe(true);
    expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ message: expect.any(String) as string });
    expect(await rejected(reason)).toBeGreaterThan(before);
  });

  it('does not take the place of the response to the request before it', async () => {
    const connection = await RawConnection.open(server.url);
    const headers = { ...good.headers, ...server.headers };
    const first = requestBytes({ ...good, headers, body: goodBody() });
    connection.write(Buffer.concat([first, Buffer.from('HELLO\r\n\r\n')]));
    expect((await connection.answer()).status).toBe(200);
    await connection.closed;
  });
});

describe('a body in tiny chunks that is rejected', () => {
  // 12 MiB: more than the buffers of both sockets hold, however busy the machine is.
  const CHUNKS = '1\r\nx\r\n'.repeat(2 * MIB);
  it.each([
    ['before it is read', false],
    ['while it is read', true],
  ])('%s is not read to its end', async (_, isRead) => {
    const memory = new MemoryBudget(8 * MIB);
    const metrics = createMetrics({ storeNumbers: () => Promise.reject(new Error('no store')), memory });
    const log = createLog({ level: 'error', write: () => undefined, forPeople: false });
    const connections = new Connections({ timeouts: { ...HTTP_TIMEOUTS, ...TIMEOUTS }, metrics, log });
    const shares = new FairShare(memory, 1);
    const app = createServer((request, response) => {
      connections.begin('id', request, response);
      const reading = isRead ? readBody(request, 4 * MIB, shares.open(1)) : sleep(100);
      reading.catch(() => undefined).finally(() => response.writeHead(400).end()) as unknown;
    });
    connections.watch(app);
    const accepted = once(app, 'connection') as Promise<[Socket]>;
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const connection = await RawConnection.open(url);
    connection.write(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`);
    expect((await connection.answer()).status).toBe(400);
    const [socket] = await accepted;
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(socket.bytesRead).toBeLessThan(CHUNKS.length);
    connection.destroy();
    connections.destroyAll();
    app.close();
  });
});

describe('a client that sends HTTP/2', () => {
  it('gets the advice to use HTTP/1.1, in its own protocol', async () => {
    const before = await rejected('http2');
    const session = connectHttp2(server.url);
    session.on('error', () => undefined);
    const goaway = once(session, 'goaway') as Promise<[code: number, lastStream: number, text: Buffer]>;
    session.request({ ':method': 'POST', ':path': '/v1/traces' }).on('error', () => undefined);
    const [code, lastStream, text] = await goaway;
    expect([code, lastStream]).toEqual([constants.NGHTTP2_HTTP_1_1_REQUIRED, 0]);
    expect(text.toString()).toMatch(/^This server speaks HTTP\/1\.1\. Send OTLP over HTTP\/1\.1/);
    session.destroy();
    await expect.poll(held).toEqual(NOTHING);
    expect(await rejected('http2')).toBe(before + 1);
  });
});

describe('a client that does not read', () => {
  it('is disconnected', async () => {
    const before = await rejected('slow_reader');
    // The largest response that needs no key, several times, so that more is sent than sockets hold.
    const fetchOnce = (): Promise<RawAnswer> => sendRaw(server.url, { method: 'GET', path: '/docs' });
    expect((await fetchOnce()).status).toBe(200);
    await holdMany(6, 'GET /docs HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(24));
    await expect.poll(held).toEqual(NOTHING);
    expect(await rejected('slow_reader')).toBeGreaterThan(before);
    expect((await fetchOnce()).status).toBe(200);
  });
});

describe('a stream without a reader', () => {
  it('is ended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const endless = route({
      method: 'GET',
      path: '/events',
      operationId: 'streamEvents',
      group: 'Server',
      summary: 'Events without end',
      scope: null,
      response: 'events',
      status: 200,
      handler: () =>
        new Readable({
          read() {
            this.push(`data: ${'x'.repeat(100_000)}\n\n`);
          },
          destroy(error, done) {
            resolve();
            done(error);
          },
        }),
    });
    const app = fastify();
    const log = createLog({ level: 'error', write: () => undefined, forPeople: false });
    const memory = new MemoryBudget(MIB);
    const metrics = createMetrics({ storeNumbers: () => Promise.reject(new Error('no store')), memory });
    const connections = new Connections({ timeouts: { ...HTTP_TIMEOUTS, ...TIMEOUTS }, metrics, log });
    connections.watch(app.server);
    addRoute(app, endless, routeDeps(createPools(memory, 128 * MIB)));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    await hold('GET /events HTTP/1.1\r\nhost: x\r\n\r\n', url);
    await expect(promise).resolves.toBeUndefined();
    await app.close();
  });
});

describe('a server that gets a signal to stop', () => {
  it('does not wait for connections without a request', async () => {
    const other = await startServer({ timeouts: { keepAliveMs: 60_000 } });
    await hold('', other.url);
    await hold('GET /healthz HTTP/1.1\r\n', other.url);
    await hold('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', other.url);
    const kept = await RawConnection.open(other.url);
    expect((await kept.send({ method: 'GET', path: '/healthz' })).status).toBe(200);
    await other.close();
    await kept.closed;
    expect(other.logged.join('')).not.toContain('cut off');
  });

  it('lets a request in progress end, and its connection with it', async () => {
    const other = await startServer();
    const connection = await RawConnection.open(other.url);
    const bytes = requestBytes({ ...good, headers: { ...good.headers, ...other.headers }, body: goodBody() });
    connection.write(bytes.subarray(0, -10));
    await expect
      .poll(async () => (await other.call('GET', '/metrics')).text)
      .toMatch(/memory_budget_usage_bytes [1-9]/);
    const closing = other.close();
    connection.write(bytes.subarray(-10));
    expect((await connection.answer()).status).toBe(200);
    await Promise.all([closing, connection.closed]);
    expect(other.logged.join('')).not.toContain('cut off');
  });
});
