import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderFailure, listenFailure } from '../../src/cli/failure.ts';
import { StartupError } from '../../src/errors.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { type Ended, run, start, startServer } from '../support/process.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = folder.file('data');
});
afterEach(() => folder[Symbol.dispose]());

const serve = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  run(['--port', '0', '--data-dir', data, ...args], { env });

function expectSentence(ended: Ended, sentence: string): void {
  expect(ended).toEqual({ code: 1, signal: null, stdout: '', stderr: `${sentence}\n` });
}

describe('a start that cannot be', () => {
  it('because the port is taken leaves no folder behind', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as AddressInfo;
    try {
      expectSentence(
        await serve(['--port', String(port)]),
        `Port ${port} of 127.0.0.1 is in use by another program; choose another with --port (0 = any free port).`,
      );
    } finally {
      other.close();
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1 is not an address of this machine; choose another with --host.'],
    [
      'no.such.host.invalid',
      'The host name no.such.host.invalid cannot be resolved; choose another with --host.',
    ],
  ])('because %s cannot be listened on', async (host, sentence) => {
    expectSentence(await serve(['--host', host]), sentence);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('because a file of the running server cannot be written ends, although its threads have started', async () => {
    mkdirSync(`${data}/address/of-another-program`, { recursive: true, mode: 0o700 });
    const ended = await serve();
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 1,
      stderr: `The data folder ${data} cannot be written (a folder has the name of a file); choose another with --data-dir.\n`,
    });
  });

  it('because the folder is a file', async () => {
    writeFileSync(data, 'mine');
    expectSentence(
      await serve(),
      `The data folder ${data} cannot be written (it is a file); choose another with --data-dir.`,
    );
    expectSentence(
      await serve(['--data-dir', `${data}/below`]),
      `The data folder ${data}/below cannot be written (part of its path is a file); choose another with --data-dir.`,
    );
    expect(readFileSync(data, 'utf8')).toBe('mine');
  });

  it('because another server has the folder, which continues', async () => {
    await using server = await startServer(data);
    expectSentence(
      await serve(),
      `${data} is in use by another Touchstone server; stop it or choose another data folder.`,
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it.each<[what: string, make: (file: string) => void, sentence: (file: string) => string]>([
    [
      'no database',
      (file) => writeFileSync(file, 'this is a text and no database at all\n'.repeat(100)),
      (file) => `${file} is not a database; move it away or choose another data folder.`,
    ],
    [
      'the database of another program',
      (file) => {
        const other = new Sqlite(file);
        other.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
        other.close();
      },
      (file) => `${file} is a SQLite database of another program; choose another data folder.`,
    ],
    [
      'from a newer version',
      (file) => {
        const { connection } = openDatabase(file);
        connection.pragma('user_version = 999');
        connection.close();
      },
      (file) =>
        `${file} was written by a newer version of Touchstone (schema 999, this one knows ${SCHEMA_VERSION}); install that version again.`,
    ],
  ])('because the store is %s leaves it as it is', async (_what, make, sentence) => {
    mkdirSync(data);
    const file = `${data}/touchstone.db`;
    make(file);
    const before = digest(file);
    expectSentence(await serve(), sentence(file));
    expect(digest(file)).toBe(before);
    expect(readdirSync(data).sort()).toEqual(['lock.db', 'touchstone.db']);
  });

  it.each<[args: string[], env: Record<string, string>, sentence: string]>([
    [
      [],
      { TOUCHSTONE_BOOTSTRAP_API_KEY: 'sk_short_secret' },
      'TOUCHSTONE_BOOTSTRAP_API_KEY must be `sk_`, 12 letters or digits, `_` and 43 letters or digits.',
    ],
    [
      [],
      { TOUCHSTONE_LOG_LEVEL: 'loud' },
      'TOUCHSTONE_LOG_LEVEL must be one of debug, info, warn, error, not "loud".',
    ],
    [['--datadir', 'x'], {}, 'Unknown flag --datadir; did you mean --data-dir?'],
    [['stray'], {}, 'serve takes no "stray".'],
  ])('because of %j %j makes nothing', async (args, env, sentence) => {
    expectSentence(await serve(args, env), sentence);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('because a thread dies ends the server with 1', async () => {
    // Every worker that is started in this process fails at once.
    const poison = `data:text/javascript,${encodeURIComponent(
      "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) throw new Error('poisoned');",
    )}`;
    await using program = start(['--port', '0', '--data-dir', data], {
      env: { NODE_OPTIONS: `--import ${poison}` },
    });
    const { code, stdout } = await program.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/"level":"error".*threads ended.*poisoned/);
  });
});

describe('a failure is reported in one sentence', () => {
  it.each([
    ['EACCES', 'The data folder /d cannot be written (permission denied); choose another with --data-dir.'],
    [
      'EROFS',
      'The data folder /d cannot be written (its file system is read-only); choose another with --data-dir.',
    ],
    ['ENOSPC', 'The disk of /d is full; free some space.'],
    ['SQLITE_FULL', 'The disk of /d is full; free some space.'],
    ['SQLITE_BUSY', 'The store in /d is busy; retry later.'],
    ['SQLITE_CANTOPEN', 'The data folder /d cannot be used (x); check its owner, mode and disk.'],
  ])('%s of the data folder', (code, sentence) => {
    expect(folderFailure(Object.assign(new Error('x'), { code }), '/d')).toEqual(new StartupError(sentence));
  });

  const address = { host: '::9', port: 80, hostFlag: '--host', portFlag: '--grpc-port' } as const;

  it.each([
    ['EACCES', 'Port 80 requires more rights than this user has; choose one above 1023 with --grpc-port.'],
    ['EADDRNOTAVAIL', '::9 is not an address of this machine; choose another with --host.'],
  ])('%s of the address', (code, sentence) => {
    expect(listenFailure(Object.assign(new Error('x'), { code }), address)).toEqual(
      new StartupError(sentence),
    );
  });

  it('and a fault of ours stays one', () => {
    const bug = new TypeError('x is not a function');
    expect(folderFailure(bug, '/d')).toBe(bug);
    expect(listenFailure(bug, address)).toBe(bug);
  });
});

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
