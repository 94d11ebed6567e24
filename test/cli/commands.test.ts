import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { programName } from '../../src/cli/program-name.ts';
import { type Ended, run, type Server, startServer } from '../support/process.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

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

const here = (...args: string[]): Promise<Ended> => run([...args, '--data-dir', folder.file('data')]);

async function status(path: string, key: string, applicationId = server.applicationId): Promise<number> {
  const headers = { 'x-api-key': key, 'x-application-id': applicationId };
  return (await fetch(server.url + path, { headers })).status;
}

describe('keys, while a server runs', () => {
  it('are made, work at once, are listed without their secret, and stop when revoked', async () => {
    const created = await here(
      'keys',
      'create',
      '--name',
      'reader',
      '--scopes',
      'read',
      '--expires-at',
      '2999-01-31',
    );
    expect(created.code).toBe(0);
    const key = created.stdout.trim();
    expect(created.stdout).toMatch(/^sk_[A-Za-z\d]{12}_[A-Za-z\d]{43}\n$/);
    expect(created.stderr).toContain('(read)');
    expect(created.stderr).not.toContain(key.slice(16));
    expect(await status('/v0/traces', key)).toBe(200);
    expect(await status('/v0/api-keys', key)).toBe(403);

    const listed = await here('keys', 'list', '--application-id', server.applicationId);
    expect(listed.stdout).toMatch(
      new RegExp(`^${key.slice(3, 15)} .* reader +read +\\S+ +2999-01-31 +-$`, 'm'),
    );
    expect(listed.stdout).not.toContain(key.slice(16));

    expect(await here('keys', 'revoke', key.slice(3, 15))).toMatchObject({
      code: 0,
      stdout: `Revoked ${key.slice(3, 15)}.\n`,
    });
    await expect.poll(() => status('/v0/traces', key)).toBe(401);
    expect(await here('keys', 'revoke', key)).toMatchObject({
      code: 0,
      stdout: `${key.slice(3, 15)} is already revoked.\n`,
    });
  });

  it('get all scopes but admin by default', async () => {
    const { stdout } = await here('keys', 'create');
    expect(await status('/v0/traces', stdout.trim())).toBe(200);
    expect(await status('/v0/api-keys', stdout.trim())).toBe(403);
    const admin = await here('keys', 'create', '--scopes=admin');
    expect(await status('/v0/api-keys', admin.stdout.trim())).toBe(200);
  });

  it.each([
    [
      ['keys', 'create', '--scopes', 'read,all'],
      '--scopes must be a comma-separated list of ingest, read, annotate, write, admin, not "read,all".',
    ],
    [
      ['keys', 'create', '--expires-at', '2020-01-01'],
      '--expires-at must be a time in the future, such as 2031-01-31 or 2031-01-31T12:00:00Z, not "2020-01-01".',
    ],
    [
      ['keys', 'create', '--expires-at', 'soon'],
      '--expires-at must be a time in the future, such as 2031-01-31 or 2031-01-31T12:00:00Z, not "soon".',
    ],
    [['keys', 'create', '--application-id', 'x'], 'There is no application "x"; see applications list.'],
    [['keys', 'create', '--port', '1'], 'Unknown flag --port.'],
    [['keys', 'create', 'more'], 'keys create takes no "more".'],
    [['keys', 'revoke'], 'keys revoke takes one key: its id, or the 12 characters after sk_.'],
    [['keys', 'revoke', 'AAAAAAAAAAAA'], 'There is no such API key; see keys list.'],
    [
      ['keys', 'crate'],
      'keys is followed by create, first, list, revoke, not "crate"; did you mean create? See help keys.',
    ],
    [['help', 'kyes'], 'Unknown command "kyes"; did you mean keys? See help.'],
    [['keys'], 'keys is followed by create, first, list, revoke. See help keys.'],
    [['applications', 'create'], '--title must be given, 1 to 256 characters long.'],
    [['applications', 'create', '--title', 'x', '--type', 'BOT'], '--type must be CHATBOT or AGENT.'],
    [['remap', 'now'], 'remap takes no "now".'],
    [['remap', '--limit', '0'], '--limit must be a number of traces from 1 to 999999999, not "0".'],
    [['remap', '--limit', 'all'], '--limit must be a number of traces from 1 to 999999999, not "all".'],
    [['migrate', 'now'], 'migrate takes no "now".'],
    [['server'], 'Unknown command "server"; did you mean serve? See help.'],
    [['frobnicate'], 'Unknown command "frobnicate". See help.'],
    [['constructor'], 'Unknown command "constructor". See help.'],
  ])('%j fails in one sentence', async (args, sentence) => {
    expect(await here(...args)).toEqual({ code: 1, signal: null, stdout: '', stderr: `${sentence}\n` });
  });
});

describe('applications, while a server runs', () => {
  it('are made with an admin key that sees no other application', async () => {
    const { code, stdout } = await here('applications', 'create', '--title', 'Second', '--type', 'AGENT');
    expect(code).toBe(0);
    const [, id = '', key = ''] = /^application +(\S+)\nAPI key +(\S+) /.exec(stdout) ?? [];
    expect(await status('/v0/api-keys', key, id)).toBe(200);
    expect(await status('/v0/api-keys', key)).toBe(403);

    const other = await here('applications', 'create', '--title', 'Elsewhere', '--new-organisation');
    expect(other.code).toBe(0);
    const rows = (await here('applications', 'list')).stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(/ {2,}/));
    expect(rows.map(([, , type, title]) => [type, title])).toEqual([
      ['CHATBOT', 'Default'],
      ['AGENT', 'Second'],
      ['CHATBOT', 'Elsewhere'],
    ]);
    const [first, second, third] = rows.map(([, organisation]) => organisation);
    expect(second).toBe(first);
    expect(third).not.toBe(first);

    expect(await here('keys', 'create')).toMatchObject({
      code: 1,
      stderr: 'There are several applications; choose one with --application-id (see applications list).\n',
    });
    expect(await here('keys', 'create', '--application-id', id.toUpperCase())).toMatchObject({ code: 0 });
  });
});

describe('the command line', () => {
  it.each([['help'], ['--help'], ['-h']])('responds to %s with a line for each command', async (...args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: node ');
    for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^  ${name} {2,}\\S`, 'm'));
    expect(stdout).not.toContain('TOUCHSTONE_MAX_CONNECTIONS');
  });

  it.each([
    ['keys', ['help', 'keys'], ['keys create', 'keys first', 'keys list', 'keys revoke']],
    ['keys create', ['keys', 'create', '--help'], ['keys create']],
    ['keys create', ['help', 'keys', 'create'], ['keys create']],
    ['test', ['test', '--tasks', 'all', '-h'], ['test --tasks']],
  ])('shows %s alone for %j', async (_what, args, shown) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const usages = stdout.split('\n').filter((line) => line.startsWith('node '));
    for (const usage of shown) expect(usages.some((line) => line.includes(`main.js ${usage}`))).toBe(true);
    const others = Object.keys(COMMANDS).filter((name) => !shown.some((usage) => usage.startsWith(name)));
    for (const other of others) expect(usages.some((line) => line.includes(`main.js ${other} `))).toBe(false);
    expect(stdout).toContain('  Examples:\n');
  });

  it('shows the settings with serve', async () => {
    expect((await run(['serve', '-h'])).stdout).toContain('TOUCHSTONE_MAX_CONNECTIONS');
  });

  it('has an example for each command that begins with its name and has known flags', () => {
    for (const [name, { usage, examples }] of Object.entries(COMMANDS)) {
      expect(examples, name).not.toEqual([]);
      for (const example of examples) {
        expect(example).toMatch(new RegExp(`^${name}(?: |$)`));
        if (name === 'serve' || name === 'restore') continue;
        for (const [flag] of example.matchAll(/--[a-z-]+/g)) expect(usage, example).toContain(flag);
      }
    }
  });

  it.each(['version', '--version', '-v'])('responds to %s', async (word) => {
    const { code, stdout } = await run([word]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Touchstone \d+\.\d+\.\d+\n$/);
  });

  it('makes no store for a command that only uses one', async () => {
    using empty = temporaryFolder();
    expect(await run(['keys', 'list', '--data-dir', empty.path])).toMatchObject({
      code: 1,
      stderr: `There is no store in ${empty.path}; start the server once, or set its folder with --data-dir.\n`,
    });
  });

  it.each([
    ['/a/dist/main.js', {}, 'node dist/main.js'],
    ['/a/dist/main.js', { npm_lifecycle_event: 'start' }, 'npm start --'],
    ['/usr/bin/touchstone', {}, 'touchstone'],
  ])('of %s with %j is called again as %s', (script, env, expected) => {
    expect(programName(script, env as Record<string, string>, '/a')).toBe(expected);
  });
});
