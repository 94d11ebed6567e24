import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type RejectedRequest, RejectedRequests } from '../../src/server/rejected-requests.ts';
import { startServer, type TestServer } from '../support/server.ts';

interface Line {
  message: string;
  [field: string]: unknown;
}

function recorded(): { rejected: RejectedRequests; lines: Line[] } {
  const lines: Line[] = [];
  const log = createLog({
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Line),
    forPeople: false,
  });
  return { rejected: new RejectedRequests({ log, now: () => 7 }), lines };
}

const rejection = (more: Partial<RejectedRequest> = {}): RejectedRequest => ({
  requestId: 'request-1',
  method: 'POST',
  path: '/v1/traces',
  address: '192.0.2.1',
  status: 401,
  reason: 'The API key is not valid',
  keyId: null,
  ...more,
});

describe('the log of rejected requests', () => {
  it('has five lines of a sender in a turn, and then the number of the rest', () => {
    const { rejected, lines } = recorded();
    for (let i = 0; i < 12; i++) rejected.rejectCredentials(rejection(), []);
    for (let i = 0; i < 3; i++) rejected.rejectCredentials(rejection({ keyId: 'abcdefabcdef' }), []);
    expect(lines).toHaveLength(8);
    rejected.endTurn();
    expect(lines.at(-1)).toMatchObject({ cause: 'credentials', address: '192.0.2.1', requests: 7 });
    expect(lines).toHaveLength(9);
    rejected.rejectCredentials(rejection(), []);
    expect(lines).toHaveLength(10);
  });

  it('is bounded however many senders there are', () => {
    const { rejected, lines } = recorded();
    for (let i = 0; i < 3_000; i++) rejected.rejectPath(rejection({ address: `192.0.2.${i}` }));
    rejected.endTurn();
    expect(lines).toHaveLength(100 + 20 + 1);
    expect(lines.at(-1)).toMatchObject({ requests: 3_000 - 100 - 20 });
  });

  it('keeps the last request of each application, of a bounded number', () => {
    const { rejected } = recorded();
    rejected.rejectCredentials(rejection(), ['first']);
    rejected.rejectCredentials(rejection({ requestId: 'request-2' }), ['first', 'second']);
    expect(rejected.lastOf('first')).toMatchObject({ at: 7, requestId: 'request-2', status: 401 });
    for (let i = 0; i < 1_000; i++) rejected.rejectCredentials(rejection(), [`application-${i}`]);
    expect(rejected.lastOf('first')).toBeNull();
    expect(rejected.lastOf('application-999')).not.toBeNull();
  });
});

describe('a running server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  const lineOf = (requestId: string | null): Line | undefined =>
    server.logged.map((line) => JSON.parse(line) as Line).find((line) => line['requestId'] === requestId);

  interface Health {
    data: {
      checks: { name: string; level: string; message: string; advice: string | null }[];
      lastUnauthorized: Record<string, unknown> | null;
      lastSpan: { at: string } | null;
    };
  }
  const health = async (headers = server.headers): Promise<Health['data']> => {
    return (
      await server.ok('GET', `/v0/applications/${headers['x-application-id']}/health`, {
        headers,
      })
    ).data;
  };

  it.each<[what: string, change: () => Record<string, string | null>, status: number, reason: RegExp]>([
    ['a wrong key', () => ({ 'x-api-key': generateKey().text }), 401, /^The API key is not valid/],
    ['a text that is no key', () => ({ 'x-api-key': 'secret-text' }), 401, /^The API key is not valid/],
    ['no key', () => ({ 'x-api-key': null }), 401, /x-api-key is missing/],
    ['no application', () => ({ 'x-application-id': null }), 401, /x-application-id is missing/],
  ])('logs %s and shows it in the health of the application', async (_what, change, status, reason) => {
    const tenant = await server.newTenant();
    const headers = { ...tenant.headers, 'content-type': 'application/json', ...change() };
    const { headers: got, status: given } = await server.call('POST', '/v1/traces?secret=1', {
      headers,
      body: {},
    });
    expect(given).toBe(status);
    const requestId = got.get('x-request-id');
    const line = lineOf(requestId);
    expect(line).toMatchObject({ level: 'warn', method: 'POST', path: '/v1/traces', status });
    expect(line?.['reason']).toMatch(reason);
    expect(JSON.stringify(line)).not.toMatch(/secret-text|secret=1/);
    const { lastUnauthorized, checks } = await health(tenant.headers);
    expect(lastUnauthorized).toMatchObject({ requestId, status });
    expect(checks.find(({ name }) => name === 'API keys')?.level).toBe('problem');
  });

  it('logs a key that lacks the scope for spans', async () => {
    const headers = await server.newKey(['read']);
    const { status } = await server.call('POST', '/v1/traces', { headers });
    expect(status).toBe(403);
    expect((await health()).lastUnauthorized).toMatchObject({
      status: 403,
      keyId: headers['x-api-key']?.split('_')[1],
    });
  });

  it('does not show an application the keys of others', async () => {
    const [mine, other] = [await server.newTenant(), await server.newTenant()];
    await server.call('POST', '/v1/traces', {
      headers: { ...mine.headers, 'x-api-key': generateKey().text },
    });
    expect((await health(mine.headers)).lastUnauthorized).not.toBeNull();
    expect((await health(other.headers)).lastUnauthorized).toBeNull();
  });

  it('logs an unknown path', async () => {
    const { headers } = await server.call('POST', '/v1/trace?token=x');
    const line = lineOf(headers.get('x-request-id'));
    expect(line).toMatchObject({ level: 'warn', path: '/v1/trace', status: 404 });
  });
});

describe('an unknown path', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  it.each<[request: string, message: RegExp]>([
    ['POST /v1/trace', /Did you mean POST \/v1\/traces\? .*OTEL_EXPORTER_OTLP_ENDPOINT/],
    ['POST /v1/v1/traces', /Did you mean POST \/v1\/traces\?/],
    ['POST /v1/traces/v1/traces', /Did you mean POST \/v1\/traces\?/],
    ['POST /api/otlp/v1/logs', /Did you mean POST \/v1\/logs\?/],
    ['POST /traces', /Did you mean POST \/v1\/traces\?/],
    ['GET /health', /Did you mean GET \/healthz\?/],
    ['GET /ready', /Did you mean GET \/readyz\?/],
    ['GET /swagger', /Did you mean GET \/docs\?/],
    ['GET /openapi.yaml', /Did you mean GET \/openapi\.json\?/],
    ['GET /v0/tasks/', /Did you mean GET \/v0\/tasks\?/],
    ['GET /v0//tasks', /Did you mean GET \/v0\/tasks\?/],
    ['GET /tasks', /Did you mean GET \/v0\/tasks\?/],
    ['GET /api/v0/tasks', /Did you mean GET \/v0\/tasks\?/],
    ['GET /v1/tasks', /Did you mean GET \/v0\/tasks\?/],
    ['GET /v0/task', /Did you mean GET \/v0\/tasks\?/],
    ['GET /v0/style_guides', /Did you mean GET \/v0\/style-guides\?/],
    ['GET /v0/defnitions', /Did you mean \/v0\/definitions\?/],
    ['POST /', /POST is not allowed on this path\..* \/v1\/traces\.$/],
    ['GET /v1/traces', /GET is not allowed on this path\..* GET \/v0\/traces lists traces\.$/],
    ['GET /nothing/like/this', /^Not found$/],
  ])('%s says what was probably meant', async (request, message) => {
    const [method = '', path = ''] = request.split(' ');
    const { status, json } = await server.call(method, path, { headers: { accept: 'application/json' } });
    expect([404, 405]).toContain(status);
    expect((json as { message: string }).message).toMatch(message);
  });
});
