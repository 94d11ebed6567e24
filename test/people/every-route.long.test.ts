/** Every call of the API, made by browsers: who may make it. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role, SCOPES_OF_ROLE } from '../../src/people/roles.ts';
import { type ApiCall, apiCalls, EXAMPLE_IDS, exampleOf, isOtlp, sendCall } from '../support/api-calls.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson, type Person } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Headers = Readonly<Record<string, string>>;

let server: TestServer;
const members = new Map<Role, Person>();
let expired: Person;
let stranger: Person;
beforeAll(async () => {
  server = await startServer();
  for (const role of ROLES) members.set(role, addPerson(server, server, { role }));
  expired = addPerson(server, server, { role: 'admin', signedInAt: Date.now() - 12 * 60 * 60_000 });
  stranger = addPerson(server, await server.newTenant({ orgId: 'org-2' }), { role: 'admin' });
});
afterAll(() => server.close());

const admin = (): Headers => (members.get('admin') as Person).headers;
const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

const isIngest = (call: ApiCall): boolean => isOtlp(call) || call.path === '/v0/ingest';
const isForAll = ({ path, method }: ApiCall): boolean =>
  ['/healthz', '/readyz', '/metrics'].includes(path) || (path.startsWith('/v0/login') && method === 'POST');
const named = (calls: readonly ApiCall[]) => calls.map((call) => [call.name, call] as const);
const withCookie = apiCalls.filter((call) => !isIngest(call) && !isForAll(call));
const ofApplications = withCookie.filter(({ scope }) => scope !== null);

/** Status of the call of the document's example. */
async function statusOf(call: ApiCall, headers: Headers): Promise<number> {
  return (await sendCall(server.url, exampleOf(call, EXAMPLE_IDS), headers)).status;
}

/** The same with headers that fetch does not let a page set. */
function rawStatusOf(call: ApiCall, headers: Headers): Promise<number> {
  const { path, query, body, isForm } = exampleOf(call, EXAMPLE_IDS);
  const text = body === undefined || isForm ? undefined : JSON.stringify(body);
  const { hostname, port } = new URL(server.url);
  const type = isForm ? 'multipart/form-data; boundary=x' : 'application/json';
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method: call.method,
        path: `${path}?${String(query)}`,
        headers: { ...(text !== undefined || isForm ? { 'content-type': type } : {}), ...headers },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on('error', reject).end(text);
  });
}

it('there are calls of each kind', () => {
  expect(apiCalls.filter(isIngest).length).toBeGreaterThan(3);
  expect(withCookie.length - ofApplications.length).toBe(6);
  expect(ofApplications.length).toBeGreaterThan(100);
});

describe.each(named(withCookie))('%s', (_name, call) => {
  it.each<[who: string, headers: () => Headers, status: number]>([
    ['nobody', () => ({}), 401],
    [
      'a cookie that nobody was given',
      () => ({ ...admin(), cookie: `touchstone_login=${'A'.repeat(43)}` }),
      401,
    ],
    ['an expired login', () => expired.headers, 401],
    ['a login without x-csrf', () => without(admin(), 'x-csrf'), 403],
    [
      'a login with the x-csrf of another',
      () => ({ ...admin(), 'x-csrf': stranger.headers['x-csrf'] ?? '' }),
      403,
    ],
  ])('is rejected to %s', async (_who, headers, status) => {
    expect(await statusOf(call, headers())).toBe(status);
  });

  it.each<[what: string, headers: Headers, status: number]>([
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another origin of the site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a name that was pointed at this machine', { host: 'evil.example' }, 421],
  ])('is rejected to %s', async (_what, headers, status) => {
    expect(await rawStatusOf(call, { ...admin(), ...headers })).toBe(status);
  });

  it('with a key ignores the cookie, and what a browser must prove', async () => {
    const { cookie = '' } = stranger.headers;
    const headers = {
      ...server.headers,
      cookie,
      host: 'touchstone.internal',
      origin: 'https://evil.example',
    };
    const status = await rawStatusOf(call, headers);
    // The login of a browser is no matter of keys.
    expect([401, 403, 421].includes(status)).toBe(call.scope === null);
  });
});

describe.each(named(ofApplications))('%s', (_name, call) => {
  it.each<[who: string, headers: () => Headers, status: number]>([
    ['a login that names no application', () => without(admin(), 'x-application-id'), 401],
    [
      'a login that names an application of others',
      () => ({ ...stranger.headers, 'x-application-id': server.applicationId }),
      403,
    ],
  ])('is rejected to %s', async (_who, headers, status) => {
    expect(await statusOf(call, headers())).toBe(status);
  });

  it.each(ROLES)('is for %s as far as the role has its scope', async (role) => {
    const { scope } = call;
    // Whoever chooses where deliveries go needs both scopes.
    const needed = call.operation.operationId === 'saveWebhook' ? 'admin' : scope;
    const isAllowed = needed !== null && SCOPES_OF_ROLE[role].includes(needed);
    const status = await statusOf(call, (members.get(role) as Person).headers);
    expect([401, 403, 421].includes(status) ? 403 : 'allowed').toBe(isAllowed ? 'allowed' : 403);
  });
});

describe.each(named(apiCalls.filter(isIngest)))('%s', (_name, call) => {
  it('takes no cookie', async () => {
    expect(await statusOf(call, admin())).toBe(401);
  });
});

describe('signing in', () => {
  const calls = apiCalls.filter(({ path, method }) => path.startsWith('/v0/login') && method === 'POST');

  it.each(named(calls))('by %s is for pages of this server', async (_name, call) => {
    expect(await rawStatusOf(call, { origin: 'https://evil.example' })).toBe(403);
    expect(await rawStatusOf(call, { 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await rawStatusOf(call, { host: 'evil.example' })).toBe(421);
  });
});

it('no call changed who is a member', () => {
  const found = besideServer(server.folder, (database) =>
    database.all<{ role: string }>(
      'SELECT role FROM membership WHERE application = (SELECT min(application) FROM application)',
    ),
  );
  expect(found.map(({ role }) => role).toSorted()).toEqual([...ROLES, 'admin'].toSorted());
});
