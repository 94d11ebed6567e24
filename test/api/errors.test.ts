import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, sharedServer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: Readonly<Record<string, string>>;
let limited: TestServer;
beforeAll(async () => {
  server = await sharedServer();
  other = (await server.newTenant()).headers;
  limited = await startServer({ config: { rateLimit: 60 } });
});
afterAll(async () => {
  await server.close();
  await limited.close();
});

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Both shapes have no other properties. */
function expectError({ headers, json }: Reply, issues = false): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toMatch(REQUEST_ID);
  expect(Object.keys(json as object)).toEqual(issues ? ['message', 'issues'] : ['message']);
  expect((json as { message: string }).message).not.toBe('');
}

const created = async (path: string, body: object): Promise<string> => {
  const { status, text, json } = await server.call('POST', path, { body });
  expect(status, text).toBe(201);
  const { data, task } = json as { data?: { id: string }; task?: { id: string } };
  return String((data ?? task)?.id);
};

interface Case {
  rule: string;
  method?: string;
  path: string;
  headers?: Record<string, string | null>;
  body?: unknown;
  status: number;
  message?: string;
  answerHeaders?: Record<string, string>;
}

const unknown = randomUUID();

describe('an ErrorResponse', () => {
  it.each<Case>([
    { rule: 'a body that is not JSON', method: 'POST', path: '/v0/tags', body: '{', status: 400 },
    { rule: 'no body', method: 'POST', path: '/v0/tags', status: 400 },
    {
      rule: 'a body of very many values',
      method: 'POST',
      path: '/v0/tags',
      body: `[${'{},'.repeat(150_001)}{}]`,
      status: 400,
      message: 'The body has more than 300000 values',
    },
    {
      rule: 'an object of very many fields',
      method: 'POST',
      path: '/v0/tags',
      body: `{${Array.from({ length: 20_001 }, (_, i) => `"k${i}":0`).join()}}`,
      status: 400,
      message: 'The body has an object with more than 20000 fields',
    },
    {
      rule: 'a body of brackets',
      method: 'POST',
      path: '/v0/tags',
      body: '['.repeat(1_000_000),
      status: 400,
      message: 'The body is nested deeper than 200 levels',
    },
    { rule: 'parameters that contradict each other', path: '/v0/traces?metadataValue=x', status: 400 },
    { rule: 'a broken path', path: '/v0/tags/%zz', status: 400 },
    {
      rule: 'no key',
      path: '/v0/tags',
      headers: { 'x-api-key': null },
      status: 401,
      message: 'The header x-api-key is missing',
    },
    {
      rule: 'an empty key',
      path: '/v0/tags',
      headers: { 'x-api-key': '' },
      status: 401,
      message: 'The header x-api-key is missing',
    },
    ...['Basic dXNlcjpzZWNyZXQ=', 'Bearer sk_secret'].map((authorization) => ({
      rule: `${authorization.slice(0, 6)} authentication`,
      path: '/v0/tags',
      headers: { 'x-api-key': null, authorization },
      status: 401,
      message: `The header x-api-key is missing; send the API key in it instead of ${authorization.slice(0, authorization.indexOf(' '))} authentication, and the id of the application in x-application-id`,
    })),
    {
      rule: 'no application',
      path: '/v0/tags',
      headers: { 'x-application-id': null },
      status: 401,
      message: 'The header x-application-id is missing',
    },
    { rule: 'another application', path: '/v0/tags', headers: { 'x-application-id': unknown }, status: 403 },
    { rule: 'an unknown path', path: '/v0/nothing', status: 404 },
    { rule: 'an unknown path without a key', path: '/nothing', headers: { 'x-api-key': null }, status: 404 },
    { rule: 'an unknown id', path: `/v0/tags/${unknown}`, status: 404 },
    {
      rule: 'a method that would not do',
      method: 'PATCH',
      path: '/v0/tags',
      status: 405,
      answerHeaders: { allow: 'GET, HEAD, POST' },
    },
    {
      rule: 'nor here',
      method: 'DELETE',
      path: '/openapi.json',
      status: 405,
      answerHeaders: { allow: 'GET, HEAD' },
    },
    {
      rule: 'nor for native events',
      method: 'PUT',
      path: '/v0/ingest',
      status: 405,
      answerHeaders: { allow: 'POST' },
    },
    { rule: 'a state that forbids the call', method: 'POST', path: '/v0/webhook/test', status: 409 },
    {
      rule: 'too much JSON',
      method: 'POST',
      path: '/v0/tags',
      body: `"${'x'.repeat(1_100_000)}"`,
      status: 413,
    },
    {
      rule: 'another content type',
      method: 'POST',
      path: '/v0/tags',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
      status: 415,
    },
    {
      rule: 'a form',
      method: 'POST',
      path: '/v0/tags',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=a',
      status: 415,
    },
    {
      rule: 'what is no content type',
      method: 'POST',
      path: '/v0/tags',
      headers: { 'content-type': 'json' },
      body: '{}',
      status: 415,
    },
    {
      rule: 'another encoding',
      method: 'POST',
      path: '/v0/tags',
      headers: { 'content-encoding': 'gzip' },
      body: '{}',
      status: 415,
    },
    {
      rule: 'an encoding that ingest does not know',
      method: 'POST',
      path: '/v0/ingest',
      headers: { 'content-encoding': 'br' },
      body: '{}',
      status: 415,
    },
  ])(
    'reports $rule',
    async ({ method = 'GET', path, headers = {}, body, status, message, answerHeaders = {} }) => {
      const reply = await server.call(method, path, { headers, body });
      expect(`${reply.status} ${reply.text}`).toMatch(new RegExp(`^${status} `));
      expectError(reply);
      if (message !== undefined) expect(reply.json).toEqual({ message });
      for (const [name, value] of Object.entries(answerHeaders)) expect(reply.headers.get(name)).toBe(value);
    },
  );

  it('is one for every key that is not good', async () => {
    const expired = await server.newKey(['read'], { expiresAt: Date.now() - 1 });
    const { id, key } = (await server.ok('POST', '/v0/api-keys', { body: { name: 'To revoke' } })).data;
    await server.call('DELETE', `/v0/api-keys/${id}`);
    for (const text of [
      'nonsense',
      `${server.apiKey}x`,
      `sk_${'a'.repeat(12)}_${'b'.repeat(43)}`,
      expired['x-api-key'],
      key,
    ]) {
      const reply = await server.call('GET', '/v0/tags', { headers: { 'x-api-key': String(text) } });
      expect([reply.status, reply.json]).toEqual([401, { message: 'The API key is not valid' }]);
    }
  });

  it('names the scope that a key lacks', async () => {
    const headers = await server.newKey(['ingest']);
    const reply = await server.call('GET', '/v0/tags', { headers });
    expect([reply.status, reply.json]).toEqual([403, { message: 'The API key lacks the scope "read"' }]);
  });

  it("does not distinguish another application's record from none", async () => {
    const id = await created('/v0/tags', { name: 'Mine' });
    const [others, none] = [
      await server.call('GET', `/v0/tags/${id}`, { headers: other }),
      await server.call('GET', `/v0/tags/${unknown}`, { headers: other }),
    ];
    expect([others.status, others.json]).toEqual([404, none.json]);
  });

  it('reports an archived task', async () => {
    const id = await created('/v0/tasks', { title: 'Old', type: 'STATIC', status: 'ARCHIVED' });
    const reply = await server.call('POST', '/v0/tasks/trigger', { body: { taskIds: [id] } });
    expect(reply.status).toBe(409);
    expectError(reply);
  });

  it('reports too many calls, and when to retry', async () => {
    let reply = await limited.call('GET', '/v0/tags');
    for (let calls = 1; reply.status === 200 && calls < 100; calls++)
      reply = await limited.call('GET', '/v0/tags');
    expect(reply.status).toBe(429);
    expectError(reply);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(3);
  });
});

describe('a ValidationErrorResponse', () => {
  it.each<[rule: string, method: string, path: string, body: unknown, code: string, where: string[]]>([
    ['an id in the path', 'GET', '/v0/tags/x', undefined, 'invalid_string', ['id']],
    ['a limit', 'GET', '/v0/tags?limit=0', undefined, 'too_small', ['limit']],
    ['a limit given twice', 'GET', '/v0/tags?limit=1&limit=2', undefined, 'invalid_type', ['limit']],
    ['an order', 'GET', '/v0/tags?orderBy=x', undefined, 'invalid_enum_value', ['orderBy']],
    [
      'one of several values',
      'GET',
      '/v0/tags?status=ACTIVE,x',
      undefined,
      'invalid_enum_value',
      ['status', '1'],
    ],
    ['a missing field', 'POST', '/v0/tags', {}, 'invalid_type', ['name']],
    ['an empty text', 'POST', '/v0/tags', { name: '' }, 'too_small', ['name']],
    ['an id in a list', 'POST', '/v0/tasks/trigger', { taskIds: ['x'] }, 'invalid_string', ['taskIds', '0']],
    ['a body of another kind', 'POST', '/v0/tags', [], 'invalid_type', []],
    ['no events', 'POST', '/v0/ingest', { events: [] }, 'too_small', ['events']],
  ])('names %s', async (_definition, method, path, body, code, where) => {
    const reply = await server.call(method, path, { body });
    expect(reply.status).toBe(422);
    expectError(reply, true);
    const { issues } = reply.json as { issues: object[] };
    expect(issues).toHaveLength(1);
    expect(Object.keys(issues[0] ?? {}).toSorted()).toEqual(['code', 'message', 'path']);
    expect(issues[0]).toMatchObject({ code, path: where });
  });
});

describe('the request id', () => {
  it.each([
    ['GET', '/healthz'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/v0/tags'],
    ['HEAD', '/v0/tags'],
    ['OPTIONS', '/v0/tags'],
    ['GET', '/nothing'],
    ['POST', '/v1/traces'],
    ['GET', '/v1/traces'],
    ['POST', '/v0/ingest'],
  ])('is on the response to %s %s', async (method, path) => {
    const { headers } = await server.call(method, path);
    expect(headers.get('x-request-id')).toMatch(REQUEST_ID);
  });

  it('is even on the response to what is not HTTP', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  });
});
