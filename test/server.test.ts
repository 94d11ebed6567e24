import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHttp } from './support/http-cases.ts';
import { startServer, type TestServer } from './support/server.ts';
import { RawConnection, requestBytes, sendRaw } from './support/sockets.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const noKey = { 'x-api-key': null, 'x-application-id': null };

it.each<[host: string | null, status: number]>([
  ['127.0.0.1:4318', 200],
  ['localhost', 200],
  ['attacker.example', 401],
  ['', 401],
])('metrics without a key, requested at the host %j, get %i', async (host, status) => {
  const answer = await sendRaw(server.url, { method: 'GET', path: '/metrics', headers: { host } });
  expect(answer.status).toBe(status);
});

it('a request without Host gets an error like any other', async () => {
  const { status, body } = await sendRaw(server.url, {
    method: 'GET',
    path: '/healthz',
    headers: { host: null },
  });
  expect([status, String(body)]).toEqual([400, '{"message":"The Host header is missing"}']);
});

it('an expectation that is not known is ignored', async () => {
  const headers = { expect: '200-maybe' };
  const { status } = await sendRaw(server.url, { method: 'GET', path: '/healthz', headers });
  expect(status).toBe(200);
});

it('a client that goes away with its body unfinished is no fault of the server', async () => {
  const before = server.logged.length;
  const connection = await RawConnection.open(server.url);
  const headers = { ...server.headers, 'content-type': 'application/json', 'content-length': '50' };
  connection.write(requestBytes({ path: '/v0/tags', headers, body: '{"name"' }));
  await sleep(100);
  connection.destroy();
  await connection.closed;
  for (let i = 0; i < 5; i++) await server.call('GET', '/readyz');
  expect(server.logged.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

describe('the endpoints', () => {
  testHttp(
    () => server,
    [
      {
        name: 'lives without a key',
        request: 'GET /healthz',
        headers: noKey,
        status: 200,
        mustContain: ['{"status":"ok"}'],
      },
      { name: 'is ready without a key', request: 'GET /readyz', headers: noKey, status: 200 },
      {
        name: 'gives metrics to its own machine',
        request: 'GET /metrics',
        headers: noKey,
        status: 200,
        mustContain: ['http_server_request_duration_seconds_count'],
      },
      {
        name: 'gives no metrics through a proxy',
        request: 'GET /metrics',
        headers: { ...noKey, 'x-forwarded-for': '203.0.113.7' },
        status: 401,
      },
      ...['x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'].map((header) => ({
        name: `gives no metrics to a request with ${header}`,
        request: 'GET /metrics' as const,
        headers: { ...noKey, [header]: 'proxy.example' },
        status: 401,
      })),
      {
        name: 'has no other path',
        request: 'GET /v0/nothing',
        status: 404,
        mustContain: ['{"message":"Not found"}'],
      },
      {
        name: 'tells which method would do',
        request: 'PATCH /v0/api-keys',
        status: 405,
        answerHeaders: { allow: 'GET, HEAD, POST' },
      },
      {
        name: 'tells so for a path with an id',
        request: 'POST /v0/applications/x',
        status: 405,
        answerHeaders: { allow: 'GET, HEAD, PUT' },
      },
      {
        name: 'tells so for native events',
        request: 'GET /v0/ingest',
        status: 405,
        answerHeaders: { allow: 'POST' },
      },
      {
        name: 'answers a broken path',
        request: 'GET /v0/applications/%zz',
        status: 400,
        mustContain: ['"message"'],
        mustNotContain: ['FST_', 'statusCode'],
      },
      {
        name: 'says which part of a path is too long',
        request: `GET /v0/sessions/${'a'.repeat(1_001)}`,
        status: 422,
        mustContain: ['"code":"too_big"', '"path":["id"]'],
      },
      {
        name: 'keeps a request id',
        request: 'GET /healthz',
        headers: { 'x-request-id': 'my-id.1' },
        status: 200,
        answerHeaders: { 'x-request-id': 'my-id.1' },
      },
      {
        name: 'takes no other content type',
        request: 'POST /v0/api-keys',
        headers: { 'content-type': 'text/plain' },
        body: 'x',
        status: 415,
        mustContain: ['{"message":'],
      },
      {
        name: 'takes no compressed body',
        request: 'POST /v0/api-keys',
        headers: { 'content-encoding': 'gzip' },
        body: 'x',
        status: 415,
      },
      {
        name: 'takes no body above 1 MiB',
        request: 'POST /v0/api-keys',
        body: `"${'x'.repeat(1_100_000)}"`,
        status: 413,
        mustNotContain: ['issues', 'FST_'],
      },
      {
        name: 'takes no broken JSON',
        request: 'POST /v0/api-keys',
        body: '{"name":',
        status: 400,
        mustNotContain: ['issues'],
      },
      {
        name: 'takes no JSON in another encoding',
        request: 'POST /v0/api-keys',
        body: new Uint8Array([0x22, 0xff, 0x22]),
        status: 400,
      },
      {
        name: 'takes no poison',
        request: 'POST /v0/api-keys',
        body: '{"name":"a","__proto__":{"x":1}}',
        status: 400,
        mustContain: ['__proto__'],
      },
      {
        name: 'takes no poison in disguise',
        request: 'POST /v0/api-keys',
        body: String.raw`{"name":"a","\u005f_proto__":1}`,
        status: 400,
      },
      {
        name: 'takes no abyss',
        request: 'POST /v0/api-keys',
        body: `{"name":"a","x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
        status: 400,
      },
      { name: 'needs a body', request: 'POST /v0/api-keys', status: 400 },
      {
        name: 'needs an object',
        request: 'POST /v0/api-keys',
        body: [],
        status: 422,
        mustContain: ['"path":[]', 'invalid_type'],
      },
      {
        name: 'asks for the key before it reads',
        request: 'POST /v0/api-keys',
        headers: noKey,
        body: '{',
        status: 401,
      },
    ],
  );

  it('makes a request id of its own instead of a wild one', async () => {
    const { headers } = await server.call('GET', '/healthz', { headers: { 'x-request-id': 'a b<c>' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reports nothing to browsers unless origins are allowed', async () => {
    const { headers, status } = await server.call('OPTIONS', '/v0/api-keys', {
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    expect(status).toBe(405);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('responds to what is not HTTP', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[^]*\{"message":"Bad Request"\}$/,
    );
  });
});

describe('failures of our own', () => {
  it('say nothing to the caller and all to the log', async () => {
    const before = server.logged.length;
    const { status, text, headers } = await breakStore(() => server.call('GET', '/v0/api-keys'));
    expect(status).toBe(500);
    expect(text).toBe('{"message":"Internal server error"}');
    const lines = server.logged.slice(before).join('');
    expect(lines).toContain(headers.get('x-request-id'));
    expect(lines).toContain('no such table');
    expect(server.logged.join('')).not.toContain(server.apiKey);
  });
});

/** Does `work` while a table is missing. */
async function breakStore<T>(work: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string): void => {
    const connection = new Sqlite(`${server.folder}/touchstone.db`);
    connection.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
    connection.close();
  };
  rename('api_key', 'api_key_away');
  try {
    return await work();
  } finally {
    rename('api_key_away', 'api_key');
  }
}

describe('origins', () => {
  const origin = 'https://app.example.com';
  let open: TestServer;
  beforeAll(async () => {
    open = await startServer({ config: { corsOrigins: [origin] } });
  });
  afterAll(() => open.close());
  const preflight = { origin, 'access-control-request-method': 'POST', ...noKey };

  it.each(['/v0/api-keys', '/v0/ingest', '/v1/traces'])('that are allowed may request %s', async (path) => {
    const { headers, status } = await open.call('OPTIONS', path, { headers: preflight });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    for (const name of [
      'content-encoding',
      'x-api-key',
      'x-application-id',
      'traceparent',
      'idempotency-key',
    ]) {
      expect(headers.get('access-control-allow-headers')).toContain(name);
    }
  });

  it('that are not allowed get nothing', async () => {
    const { headers } = await open.call('OPTIONS', '/v0/api-keys', {
      headers: { ...preflight, origin: 'https://evil.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('see errors too', async () => {
    const { headers, status } = await open.call('GET', '/v0/api-keys', { headers: { origin, ...noKey } });
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  });
});

describe('metrics of a server open to the network', () => {
  let open: TestServer;
  beforeAll(async () => {
    open = await startServer({ config: { host: '0.0.0.0' } });
  });
  afterAll(() => open.close());

  it('need a key that may read', async () => {
    const metrics = async (headers: Record<string, string | null>) =>
      (await open.call('GET', '/metrics', { headers })).status;
    const ingestOnly = await open.newKey(['ingest']);
    expect(await metrics(noKey)).toBe(401);
    expect(await metrics({})).toBe(200);
    expect(await metrics({ ...noKey, authorization: `Bearer ${open.apiKey}` })).toBe(200);
    expect(await metrics({ ...noKey, authorization: 'Bearer nonsense' })).toBe(401);
    expect(await metrics(ingestOnly)).toBe(403);
  });
});
