import { afterAll, beforeAll, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { insertLogin } from '../../src/people/login-store.ts';
import type { OwnLogin } from '../../src/people/own-login-contract.ts';
import { csrfOf, newCsrfKey, newToken } from '../../src/people/tokens.ts';
import { addPerson, type Person } from '../support/people.ts';
import { type Reply, sharedServer, type TestServer } from '../support/server.ts';

const NO_KEY = { 'x-api-key': null, 'x-application-id': null };
type Headers = Readonly<Record<string, string>>;

let server: TestServer;
let person: Person;
let other: Person;
beforeAll(async () => {
  server = await sharedServer();
  person = addPerson(server, server, { role: 'viewer' });
  other = addPerson(server, server, { role: 'admin' });
});
afterAll(() => server.close());

const as = (headers: Headers, method: string, path: string): Promise<Reply> =>
  server.call(method, path, { headers: { ...NO_KEY, ...headers } });
const loginsOf = async (headers: Headers): Promise<OwnLogin[]> =>
  ((await as(headers, 'GET', '/v0/logins')).json as { data: OwnLogin[] }).data;

/** Another browser in which a person is signed in. */
function anotherBrowser({ id, headers }: Person, { at = Date.now() } = {}): Headers {
  const { text, hash } = newToken();
  const csrfKey = newCsrfKey();
  withStore(server.folder, (database) =>
    insertLogin(
      database,
      { userId: id },
      { tokenHash: hash, csrfKey, address: '203.0.113.7', userAgent: 'Firefox/140.0' },
      at,
    ),
  );
  return { ...headers, cookie: `touchstone_login=${text}`, 'x-csrf': csrfOf(csrfKey, text) };
}

it('a person sees the own logins that have not expired, and which one is in use', async () => {
  const second = anotherBrowser(person);
  anotherBrowser(person, { at: Date.now() - 13 * 3_600_000 });
  const logins = await loginsOf(second);
  expect(logins.map(({ isCurrent, address, userAgent }) => [isCurrent, address, userAgent])).toEqual(
    expect.arrayContaining([
      [true, '203.0.113.7', 'Firefox/140.0'],
      [false, null, null],
    ]),
  );
  expect(logins).toHaveLength(2);
});

it('a person ends one of the own logins, and none of others', async () => {
  const second = anotherBrowser(person);
  const current = (await loginsOf(second)).find(({ isCurrent }) => isCurrent)?.id ?? '';
  expect((await as(other.headers, 'DELETE', `/v0/logins/${current}`)).status).toBe(404);
  expect((await as(person.headers, 'DELETE', `/v0/logins/${current}`)).status).toBe(204);
  expect((await as(second, 'GET', '/v0/login')).status).toBe(401);
  expect((await as(person.headers, 'GET', '/v0/login')).status).toBe(200);
  expect((await as(person.headers, 'DELETE', `/v0/logins/${current}`)).status).toBe(404);
  expect((await as(person.headers, 'DELETE', '/v0/logins/x')).status).toBe(404);
});

it('a person ends all other logins', async () => {
  const second = anotherBrowser(person);
  const before = (await loginsOf(second)).length;
  const { status, json } = await as(second, 'DELETE', '/v0/logins');
  expect([status, json]).toEqual([200, { ended: before - 1 }]);
  expect((await as(person.headers, 'GET', '/v0/login')).status).toBe(401);
  expect((await loginsOf(second)).map(({ isCurrent }) => isCurrent)).toEqual([true]);
  const [entry] = (
    (await server.call('GET', '/v0/audit?action=endOtherLogins')).json as {
      data: { actor: { id: string } }[];
    }
  ).data;
  expect(entry?.actor.id).toBe(person.id);
});

it('the login of a key has no list, as others may use the key too', async () => {
  const { headers, json } = await server.call('POST', '/v0/login', {
    headers: NO_KEY,
    body: { apiKey: server.apiKey },
  });
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const own = { cookie, 'x-csrf': (json as { csrf: string }).csrf };
  expect((await as(own, 'GET', '/v0/logins')).status).toBe(409);
});
