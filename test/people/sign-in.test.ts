import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Login } from '../../src/people/login-contract.ts';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { besideServer } from '../support/beside-store.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery';
const ADA = { name: 'Ada', email: 'ada@example.com' };
const NO_KEY = { 'x-api-key': null, 'x-application-id': null };

let server: TestServer;
let setupToken: string;
beforeAll(async () => {
  server = await startServer();
  setupToken = newLink(null);
});
afterAll(() => server.close());

const newLink = (userId: string | null): string =>
  besideServer(server.folder, (database) => createSetupLink(database, { userId, at: Date.now() }));

const post = (path: string, body: unknown, headers = {}): Promise<Reply> =>
  server.call('POST', path, { headers: { ...NO_KEY, ...headers }, body });

/** Headers of calls from the browser that received this response. */
function browserOf({ status, headers, text, json }: Reply) {
  expect(status, text).toBe(200);
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  const { csrf } = json as Login;
  return { ...NO_KEY, cookie, 'x-csrf': csrf };
}
const signIn = async (body: object = { email: ADA.email, password: PASSWORD }) =>
  browserOf(await post('/v0/login', body));
const getLogin = (headers: Readonly<Record<string, string | null>>): Promise<Reply> =>
  server.call('GET', '/v0/login', { headers });

describe('the first user', () => {
  it('is created by the link of the first start, as admin of every application', async () => {
    const { applicationId } = await server.newTenant({ orgId: 'org-2' });
    const reply = await post('/v0/login/setup', { token: setupToken, password: PASSWORD, ...ADA });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toMatchObject({
      user: ADA,
      apiKey: null,
      applications: [
        { id: server.applicationId, name: 'Default', role: 'admin' },
        { id: applicationId, role: 'admin' },
      ],
    });
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^touchstone_login=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800$/,
      ),
      expect.stringMatching(
        /^touchstone_browser=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=7776000$/,
      ),
    ]);
    const browser = browserOf(reply);
    const headers = { ...browser, 'x-application-id': applicationId };
    expect((await server.call('GET', '/v0/tags', { headers })).status).toBe(200);
  });

  it('is created once: the link and later ones are void', async () => {
    for (const token of [setupToken, newLink(null)]) {
      const reply = await post('/v0/login/setup', { token, password: PASSWORD, name: 'B', email: 'b@b.de' });
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('has expired')]);
    }
  });
});

describe('signing in', () => {
  it('gives a cookie that works together with the csrf text alone', async () => {
    const browser = await signIn();
    expect(await getLogin(browser)).toMatchObject({ status: 200, json: { user: ADA } });
    const { 'x-csrf': csrf, ...cookieOnly } = browser;
    expect((await getLogin({ ...NO_KEY, 'x-csrf': csrf })).status).toBe(401);
    expect((await getLogin(cookieOnly)).status).toBe(403);
  });

  it('is rejected in the same words for a wrong password and an unknown account', async () => {
    const wrong = await post('/v0/login', { email: ADA.email, password: 'wrong' });
    const unknown = await post('/v0/login', { email: 'nobody@example.com', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(unknown.json).toEqual(wrong.json);
  });

  it('with an API key gives the scopes of the key, and ends with it', async () => {
    const { id, key } = (await server.ok('POST', '/v0/api-keys', { body: { name: 'CI', scopes: ['read'] } }))
      .data;
    const browser = await signIn({ apiKey: key });
    expect((await getLogin(browser)).json).toMatchObject({
      user: null,
      apiKey: { id, name: 'CI' },
      applications: [{ id: server.applicationId, name: 'Default', role: null, scopes: ['read'] }],
    });
    const headers = { ...browser, 'x-application-id': server.applicationId };
    expect((await server.call('GET', '/v0/tags', { headers })).status).toBe(200);
    const write = await server.call('POST', '/v0/tags', { headers, body: { name: 'A' } });
    expect([write.status, write.json]).toEqual([403, { message: 'The API key lacks the scope "write"' }]);
    await server.call('DELETE', `/v0/api-keys/${id}`);
    expect((await getLogin(browser)).status).toBe(401);
  });

  it('ends when signing out', async () => {
    const browser = await signIn();
    const reply = await server.call('DELETE', '/v0/login', { headers: browser });
    expect([reply.status, reply.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^touchstone_login=; .*Max-Age=0$/),
    ]);
    expect((await getLogin(browser)).status).toBe(401);
  });
});
