import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Login } from '../../src/people/login-contract.ts';
import { type Ended, run, type Server, startServer } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

const PASSWORD = 'correct horse battery';
const ADA = { name: 'Ada', email: 'ada@example.com' };

let folder: Folder;
let server: Server;
beforeAll(async () => {
  folder = temporaryFolder();
  server = await startServer(folder.file('data'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const users = (...args: string[]): Promise<Ended> =>
  run(['users', ...args, '--data-dir', folder.file('data')]);
const tokenIn = (text: string): string => /=([\w-]{43})\n$/.exec(text)?.[1] ?? '';

async function post(path: string, body: object): Promise<{ status: number; login: Login; headers: Headers }> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, login: (await response.json()) as Login, headers: response.headers };
}

async function isSignedIn({ login, headers }: Awaited<ReturnType<typeof post>>): Promise<boolean> {
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  const { status } = await fetch(`${server.url}/v0/login`, { headers: { cookie, 'x-csrf': login.csrf } });
  return status === 200;
}

describe('users, while a server runs', () => {
  it('begin with the link that the first start wrote to a file for its user alone', async () => {
    const file = folder.file('data/setup-link');
    expect(existsSync(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = readFileSync(file, 'utf8');
    expect(link.startsWith(`${server.url}/#setup=`)).toBe(true);

    const next = await users('link');
    expect(next).toMatchObject({
      code: 0,
      stderr: 'Whoever opens the link becomes admin of every application. Works once, within 15 minutes:\n',
    });
    const account = { ...ADA, password: PASSWORD };
    expect((await post('/v0/login/setup', { token: tokenIn(link), ...account })).status).toBe(403);
    expect(next.stdout.startsWith(`${server.url}/#setup=`)).toBe(true);
    const made = await post('/v0/login/setup', { token: tokenIn(next.stdout), ...account });
    expect([made.status, made.login.applications[0]?.role]).toEqual([200, 'admin']);
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  it('choose a new password by a link, which ends their other logins', async () => {
    const before = await post('/v0/login', { email: ADA.email, password: PASSWORD });
    const { stdout, stderr } = await users('link', ADA.email, '--public-url', 'https://t.example.com');
    expect(stderr).toMatch(
      /^The account ada@example\.com \(Ada, id [\w-]+\) was created on [\d-]+ and is admin of /,
    );
    expect(stderr).toContain('Whoever opens the link gets this account in all of them, with a new password.');
    expect(stdout).toMatch(/^https:\/\/t\.example\.com\/#setup=/);
    const other = { token: tokenIn(stdout), name: 'Eve', email: 'eve@example.com', password: PASSWORD };
    expect((await post('/v0/login/setup', other)).status).toBe(422);
    const after = await post('/v0/login/setup', { ...other, ...ADA, password: 'another long password' });
    expect(after.status).toBe(200);
    await expect.poll(() => isSignedIn(before)).toBe(false);
    expect(await isSignedIn(after)).toBe(true);
    expect((await post('/v0/login', { email: ADA.email, password: PASSWORD })).status).toBe(401);
  });

  it('are invited, listed, given roles, signed out and removed', async () => {
    const invited = await users('invite', 'Grace@Example.com', '--role', 'annotator');
    const token = tokenIn(invited.stdout);
    const grace = await post('/v0/login/invitation', { token, name: 'Grace', password: PASSWORD });
    expect(grace.login).toMatchObject({
      user: { email: 'grace@example.com' },
      applications: [{ role: 'annotator', scopes: ['read', 'annotate'] }],
    });
    expect((await users('list')).stdout).toMatch(/^grace@example\.com +Grace +[\w-]{36} +annotator /m);
    expect(await users('role', 'grace@example.com', 'editor')).toMatchObject({
      code: 0,
      stdout: `grace@example.com is now editor of application ${server.applicationId}.\n`,
    });
    const listed = JSON.parse((await users('logins', 'grace@example.com', '--json')).stdout) as {
      logins: { id: string; address: string }[];
    };
    expect(listed.logins).toMatchObject([{ address: '127.0.0.1' }]);
    const missing = await users('sign-out', 'grace@example.com', '--login', '0'.repeat(32));
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('see users logins') as string });
    expect((await users('sign-out', 'grace@example.com')).stdout).toBe(
      'Ended 1 login of grace@example.com.\n',
    );
    await expect.poll(() => isSignedIn(grace)).toBe(false);
    const again = await post('/v0/login', { email: 'grace@example.com', password: PASSWORD });
    expect(again.login.applications[0]?.role).toBe('editor');
    await users('remove', 'grace@example.com', '--application-id', server.applicationId);
    expect((await users('list')).stdout).toMatch(/^grace@example\.com +Grace +- +- /m);
    expect((await users('remove', 'grace@example.com')).stdout).toBe(
      'Deleted the account grace@example.com.\n',
    );
    expect((await users('list')).stdout).not.toContain('grace');
  });

  it.each<[args: readonly string[], message: string]>([
    [['link'], 'There are users already: name one to choose a new password, or use users invite.\n'],
    [['link', 'nobody@example.com'], 'There is no user nobody@example.com; see users list.\n'],
    [['invite'], 'users invite needs EMAIL.\n'],
    [['invite', 'nonsense'], '"nonsense" is not an email address.\n'],
    [['invite', ADA.email], `${ADA.email} is a member of the application already.\n`],
    [['role', ADA.email, 'king'], 'The role must be one of viewer, annotator, editor, admin, not "king".\n'],
    [['list', 'all'], 'users list takes no "all".\n'],
  ])('%j fails in one sentence', async (args, message) => {
    expect(await users(...args)).toMatchObject({ code: 1, stdout: '', stderr: message });
  });

  it('whom another organisation invited get no role before someone says that the account is the right one', async () => {
    const made = await run([
      'applications',
      'create',
      '--title',
      'Theirs',
      '--new-organisation',
      '--json',
      '--data-dir',
      folder.file('data'),
    ]);
    const { applicationId: theirs } = JSON.parse(made.stdout) as { applicationId: string };
    const link = await users('invite', 'ceo@example.com', '--role', 'admin', '--application-id', theirs);
    const account = { token: tokenIn(link.stdout), name: 'Mallory', password: PASSWORD };
    const mallory = await post('/v0/login/invitation', account);
    expect(mallory.status).toBe(200);
    const role = ['role', 'ceo@example.com', 'editor', '--application-id', server.applicationId];
    const rejected = await users(...role);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/^The account ceo@example\.com \(Mallory, id [\w-]+\) was created on /);
    expect(rejected.stderr).toContain(`admin of Theirs (${theirs}, organisation `);
    expect(rejected.stderr).toContain('users invite ceo@example.com');
    const invited = await users('invite', 'ceo@example.com', '--application-id', server.applicationId);
    expect(invited).toMatchObject({ code: 0, stdout: expect.stringContaining('#invitation=') as string });
    expect(invited.stderr).toMatch(/^The account ceo@example\.com \(Mallory, id [\w-]+\) was created on /);
    expect(invited.stderr).toContain(`admin of Theirs (${theirs}, organisation `);
    expect((await users(...role, '--yes')).code).toBe(0);
    expect(
      (await users('role', 'ceo@example.com', 'viewer', '--application-id', server.applicationId)).code,
    ).toBe(0);
    await users('remove', 'ceo@example.com');
  });
});
