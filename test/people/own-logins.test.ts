import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rememberBrowser } from '../../src/people/browser-store.ts';
import { endLogins, insertLogin, loginCommands, type User } from '../../src/people/login-store.ts';
import type { OwnLogin } from '../../src/people/own-login-contract.ts';
import { endLoginOf, listOwnLogins, ownLoginCommands } from '../../src/people/own-login-store.ts';
import { csrfOf, newCsrfKey, newToken } from '../../src/people/tokens.ts';
import type { Database } from '../../src/storage/database.ts';
import { besideServer } from '../support/beside-store.ts';
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
  besideServer(server.folder, (database) =>
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
  const [entry] = (await server.ok('GET', '/v0/audit?action=endOtherLogins')).data;
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

describe('a browser that is known', () => {
  const when = { at: Date.now(), requestId: 'r' };
  const PASSWORD_HASH = 'scrypt$2$AA$AA';

  /** A person who is signed in with three browsers; returns those that are known after a change. */
  function knownAfter(
    change: (
      database: Database,
      given: { user: User; own: Uint8Array; idOf: (i: number) => string },
    ) => unknown,
    { hasBrowsers = true } = {},
  ): string[] {
    const { id, name, email } = addPerson(server, server, { role: 'viewer' });
    const tokens = ['own', 'second', 'third'].map((browser) => ({ browser, ...newToken() }));
    const browsers = new Map(tokens.map(({ browser }) => [newToken().hash, browser]));
    besideServer(server.folder, (database) => {
      database.run('DELETE FROM user_login WHERE user_id = :id', { id });
      for (const [i, [browserHash]] of [...browsers].entries()) {
        const { hash: tokenHash } = tokens[i] as { hash: Uint8Array };
        const login = { tokenHash, csrfKey: newCsrfKey(), browserHash: hasBrowsers ? browserHash : null };
        insertLogin(database, { userId: id }, login, when.at - i);
        rememberBrowser(database, { userId: id, browserHash, at: when.at });
      }
    });
    const logins = besideServer(server.folder, (database) =>
      listOwnLogins(database, { userId: id, tokenHash: new Uint8Array(), at: when.at }),
    );
    return besideServer(server.folder, (database) => {
      change(database, {
        user: { id, name, email },
        own: tokens[0]?.hash ?? new Uint8Array(),
        idOf: (i) => logins[i]?.id ?? '',
      });
      const rows = database.all<{ hash: Uint8Array }>(
        'SELECT token_hash AS hash FROM known_browser WHERE user_id = :id',
        { id },
      );
      return rows
        .map(({ hash }) => [...browsers].find(([one]) => Buffer.compare(one, hash) === 0)?.[1] ?? '?')
        .sort();
    });
  }

  it.each<[string, Parameters<typeof knownAfter>[0], string[]]>([
    [
      'after the own password was changed in it, and no other',
      (database, { user, own: tokenHash }) =>
        loginCommands.changePassword(database, { user, from: PASSWORD_HASH, to: 'x', tokenHash, ...when }),
      ['own'],
    ],
    [
      'after all other logins were ended in it, and no other',
      (database, { user, own: tokenHash }) =>
        ownLoginCommands.endOtherLogins(database, { user, tokenHash, ...when }),
      ['own'],
    ],
    [
      'unless its own login was ended',
      (database, { user, own: tokenHash, idOf }) =>
        ownLoginCommands.endOwnLogin(database, { user, id: idOf(1), tokenHash, ...when }),
      ['own', 'third'],
    ],
    [
      'unless the operator ended its login',
      (database, { user, idOf }) => endLoginOf(database, { userId: user.id, id: idOf(0), at: when.at }),
      ['second', 'third'],
    ],
    [
      'not after the operator ended all logins',
      (database, { user }) => endLogins(database, { userId: user.id }),
      [],
    ],
    [
      'after a sign-out in it',
      (database, { user, own: tokenHash }) => loginCommands.signOut(database, { user, tokenHash, ...when }),
      ['own', 'second', 'third'],
    ],
  ])('stays known %s', (_when, change, known) => expect(knownAfter(change)).toEqual(known));

  it('is forgotten with any login of a store in which logins had no browser', () => {
    const known = knownAfter(
      (database, { user, idOf }) => endLoginOf(database, { userId: user.id, id: idOf(0), at: when.at }),
      { hasBrowsers: false },
    );
    expect(known).toEqual([]);
  });
});
