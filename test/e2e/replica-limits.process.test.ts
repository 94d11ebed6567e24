/** Limits that hold for two replicas together, over a real PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { connectForCommands } from '../../src/storage/postgres/prepare.ts';
import { parseTarget } from '../../src/storage/postgres/target.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'correct horse battery';

let postgres: PostgresServer;
let folder: string;
let one: ChildServer;
let other: ChildServer;
const presets = newPresets();
const start = (env = {}): Promise<ChildServer> =>
  ChildServer.start({
    dataDir: join(folder, 'unused'),
    presets,
    env: {
      TOUCHSTONE_SECRET_KEY: 'a text that all replicas share',
      TOUCHSTONE_TRUSTED_PROXIES: '127.0.0.1',
      TOUCHSTONE_RATE_LIMIT: '600',
      TOUCHSTONE_DATABASE_URL: postgres.url,
      ...env,
    },
  });
const inDatabase = <T>(work: (database: ReturnType<typeof connectForCommands>) => T): T => {
  const database = connectForCommands(parseTarget(postgres.url, 'URL'));
  try {
    return work(database);
  } finally {
    database.close();
  }
};
const post = (server: ChildServer, path: string, from: string, body: object): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
const signIn = (server: ChildServer, from: string, password = 'wrong password'): Promise<Response> =>
  post(server, '/v0/login', from, { email: EMAIL, password });
const metric = async (server: ChildServer, name: string): Promise<number> => {
  const { text } = await server.call('GET', '/metrics');
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
};

beforeAll(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-limits-'));
  one = await start();
  other = await start();
  const token = inDatabase((database) => createSetupLink(database, { userId: null, at: Date.now() }));
  const body = { token, name: 'Owner', email: EMAIL, password: PASSWORD };
  await until(async () => (await post(one, '/v0/login/setup', '203.0.113.1', body)).status === 200);
});
afterAll(async () => {
  await Promise.all([one, other].map((server) => server.stop('SIGKILL')));
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

it('five wrong passwords at two replicas make their network wait at both, also after a restart of the database', async () => {
  const from = '203.0.113.7';
  const statuses: number[] = [];
  for (const server of [one, other, one, other, one, other, one])
    statuses.push((await signIn(server, from)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  for (const server of [one, other]) {
    const limited = await signIn(server, from, PASSWORD);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(30);
    expect((await signIn(server, '198.51.100.1', PASSWORD)).status).toBe(200);
  }
  await postgres.restart('SIGQUIT');
  await until(async () => (await signIn(one, '198.51.100.2', PASSWORD)).status === 200);
  await until(async () => (await signIn(other, '198.51.100.2', PASSWORD)).status === 200);
  for (const server of [one, other]) expect((await signIn(server, from, PASSWORD)).status).toBe(429);
});

it('of many guesses at once at both, five are checked', async () => {
  const from = '203.0.113.8';
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => signIn(index % 2 === 0 ? one : other, from)),
  );
  const statuses = replies.map(({ status }) => status);
  // 503: more passwords of one network wait for their check than may; those do not count.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  expect(statuses.every((status) => [401, 429, 503].includes(status))).toBe(true);
});

it('a replica that is killed while it checks a password forgets no attempt', async () => {
  const from = '203.0.113.9';
  const third = await start();
  const pending = Array.from({ length: 3 }, () => signIn(third, from).catch(() => null));
  const counted = (): number =>
    inDatabase(
      (database) =>
        database.get<{ n: number }>('SELECT max(failures) AS n FROM sign_in_failure WHERE failures < 5')?.n ??
        0,
    );
  await until(() => counted() === 3);
  await third.stop('SIGKILL');
  await Promise.all(pending);
  expect((await signIn(one, from)).status).toBe(401);
  expect((await signIn(other, from)).status).toBe(401);
  expect((await signIn(one, from, PASSWORD)).status).toBe(429);
});

it('keeps no address and no account of attempts in the clear', () => {
  const rows = inDatabase((database) =>
    database.all<{ subject: Uint8Array }>('SELECT subject, failures FROM sign_in_failure'),
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const { subject } of rows) expect(subject).toHaveLength(32);
});

it('calls of a key at two replicas count together', async () => {
  const { data } = await one.ok('POST', '/v0/api-keys', {
    body: { name: 'busy', scopes: ['read'] } as never,
  });
  const headers = { ...one.headers, 'x-api-key': (data as unknown as { key: string }).key };
  const callsOf = async (server: ChildServer, count: number): Promise<number> => {
    const replies = await Promise.all(
      Array.from({ length: count }, () => fetch(`${server.url}/v0/tags`, { headers })),
    );
    return replies.filter(({ status }) => status === 200).length;
  };
  // A hundred are possible at once, ten a second after that.
  const first = await callsOf(one, 90);
  expect(first).toBe(90);
  await until(async () => (await metric(other, 'touchstone_foreign_calls_total')) >= 80);
  const since = performance.now();
  const second = await callsOf(other, 90);
  const seconds = (performance.now() - since) / 1_000;
  expect(second).toBeLessThan(90);
  expect(second).toBeLessThanOrEqual(10 + 10 * (seconds + 10));
});
