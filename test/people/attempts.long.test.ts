/** Guessing passwords: who has to wait, who does not, and what is recorded of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/people/audit-contract.ts';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { besideServer } from '../support/beside-store.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'correct horse battery';
const NO_KEY = { 'x-api-key': null, 'x-application-id': null };
const PROXIED = { config: { trustedProxies: ['127.0.0.1'] } };

let server: TestServer;
/** Cookie of the browser with which the owner signed in first. */
let browser: string;
beforeAll(async () => {
  server = await startServer(PROXIED);
  const token = besideServer(server.folder, (database) =>
    createSetupLink(database, { userId: null, at: Date.now() }),
  );
  const body = { token, name: 'Owner', email: EMAIL, password: PASSWORD };
  const { headers } = await server.call('POST', '/v0/login/setup', { headers: NO_KEY, body });
  browser = headers.getSetCookie()[1]?.split(';', 1)[0] ?? '';
});
afterAll(() => server.close());

const signIn = (
  from: string,
  { password = 'wrong', email = EMAIL, cookie }: { password?: string; email?: string; cookie?: string } = {},
): Promise<Reply> =>
  server.call('POST', '/v0/login', {
    headers: { ...NO_KEY, 'x-forwarded-for': from, ...(cookie !== undefined && { cookie }) },
    body: { email, password },
  });
async function failFrom(from: string, times: number, email = EMAIL): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push((await signIn(from, { email })).status);
  return statuses;
}
const entries = async (query: string): Promise<AuditEntry[]> =>
  (await server.ok('GET', `/v0/audit?${query}`)).data;

describe('five wrong passwords', () => {
  it('make their network wait, with an unknown browser too, and neither others nor a browser of the owner', async () => {
    expect(await failFrom('203.0.113.7', 6)).toEqual([401, 401, 401, 401, 401, 429]);
    const limited = await signIn('203.0.113.7', { password: PASSWORD });
    expect([limited.status, Number(limited.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const unknown = `touchstone_browser=${'A'.repeat(43)}`;
    expect((await signIn('203.0.113.7', { password: PASSWORD, cookie: unknown })).status).toBe(429);
    expect((await signIn('198.51.100.1', { password: PASSWORD })).status).toBe(200);
    expect((await signIn('203.0.113.7', { password: PASSWORD, cookie: browser })).status).toBe(200);
  });

  it('count together from all addresses of one IPv6 network', async () => {
    for (let i = 1; i <= 5; i += 1) expect((await signIn(`2001:db8:1:2::${i}`)).status).toBe(401);
    expect((await signIn('2001:db8:1:2::99')).status).toBe(429);
    expect((await signIn('2001:db8:1:3::1')).status).toBe(401);
  });

  it('by a known browser make that browser wait', async () => {
    for (let i = 0; i < 5; i += 1) expect((await signIn('192.0.2.1', { cookie: browser })).status).toBe(401);
    expect((await signIn('192.0.2.1', { cookie: browser })).status).toBe(429);
    expect((await signIn('192.0.2.1', { password: PASSWORD })).status).toBe(200);
  });
});

it('a flood of made-up accounts makes its network wait, and no other', async () => {
  const made = await Promise.all(
    Array.from({ length: 40 }, (_, i) => signIn('203.0.113.99', { email: `u${i}@example.com` })),
  );
  const statuses = new Set(made.map(({ status }) => status));
  expect([...statuses].every((status) => [401, 429, 503].includes(status))).toBe(true);
  expect((await signIn('198.51.100.2', { password: PASSWORD })).status).toBe(200);
});

it('attempts are in the log, the audit and the metrics, without a password', async () => {
  await expect
    .poll(async () => (await entries('action=signInFailed')).map(({ detail }) => detail))
    .toContain('from 203.0.113.7');
  const [entry] = await entries('action=signInFailed');
  expect(entry).toMatchObject({ actor: { type: 'user', name: 'Owner' } });
  await expect.poll(async () => (await entries('action=signInLimited')).length).toBeGreaterThan(0);
  const log = server.logged.join('\n');
  expect(log).toContain('a sign-in failed: the credentials are wrong');
  expect(log).toContain('a sign-in was rejected without a check, after too many failures');
  expect(log).toContain('someone signed in');
  expect(log).not.toContain(PASSWORD);
  const { text } = await server.call('GET', '/metrics');
  expect(text).toMatch(/touchstone_sign_ins_total\{method="password",outcome="failed"\} \d+/);
});

it('a sign-in by key is an entry of the audit, and one that fails too', async () => {
  const made = await server.call('POST', '/v0/api-keys', { body: { name: 'CI', scopes: ['read'] } });
  const { id, key } = (made.json as { data: { id: string; key: string } }).data;
  const by = (apiKey: string): Promise<Reply> =>
    server.call('POST', '/v0/login', { headers: NO_KEY, body: { apiKey } });
  expect((await by(key)).status).toBe(200);
  expect(await entries('action=signInWithKey')).toMatchObject([{ actor: { type: 'key', name: 'CI' } }]);
  await server.call('DELETE', `/v0/api-keys/${id}`);
  expect((await by(key)).status).toBe(401);
  await expect
    .poll(() => entries('action=signInWithKeyFailed'))
    .toMatchObject([
      { actor: { type: 'key', name: 'CI' }, detail: expect.stringMatching(/^from /) as string },
    ]);
  expect(server.logged.join('\n')).not.toContain(key);
});

it('a forwarding header counts only if a trusted proxy has set it', async () => {
  const open = await startServer();
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    const headers = { ...NO_KEY, 'x-forwarded-for': `203.0.113.${i}` };
    const body = { email: EMAIL, password: 'wrong' };
    statuses.push((await open.call('POST', '/v0/login', { headers, body })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  await open.close();
});
