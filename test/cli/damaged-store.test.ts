import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServing } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { run, start, startServer } from '../support/process.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let data: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = folder.file('data');
  file = `${data}/touchstone.db`;
  mkdirSync(data);
});
afterEach(() => folder[Symbol.dispose]());

/** A store whose last change is in its write-ahead log alone, as after `kill -9`. */
function storeWithLog(): void {
  const { connection } = openDatabase(file);
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.exec(`INSERT INTO organisation VALUES ('last', 1)`);
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, `${file}${suffix}.copy`);
  connection.close();
  for (const suffix of ['', '-wal']) {
    copyFileSync(`${file}${suffix}.copy`, file + suffix);
    rmSync(`${file}${suffix}.copy`);
  }
}

function store(): void {
  openDatabase(file).connection.close();
}

const change = (edit: (connection: Sqlite.Database) => void): void => {
  store();
  const connection = new Sqlite(file);
  connection.unsafeMode(true);
  edit(connection);
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
};
const overwrite = (byte: number, from: number, to: number): void => {
  store();
  const bytes = readFileSync(file);
  bytes.fill(byte, from, to);
  writeFileSync(file, bytes);
};

/** Every file of the folder with its content, but for the lock. */
const digests = (): [string, string][] =>
  readdirSync(data)
    .filter((name) => name !== 'lock.db')
    .sort()
    .map((name) => [
      name,
      statSync(`${data}/${name}`).isFile()
        ? createHash('sha256')
            .update(readFileSync(`${data}/${name}`))
            .digest('hex')
        : 'no file',
    ]);

/** Why a server does not start here. */
async function failure(): Promise<Error> {
  const config = { ...readConfig(new Map(), {}).config, dataDir: data, port: 0 };
  const log = createLog({ level: 'error', write: () => undefined, forPeople: false });
  const onDeath = (error: Error): never => {
    throw error;
  };
  const started = startServing(config, { log, onDeath });
  const error: unknown = await started.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  await (await started).close();
  throw new Error('the server started');
}

type Case = [what: string, make: () => void, sentence: RegExp];

describe('a start over', () => {
  it.each<Case>([
    [
      'a log whose store is missing',
      () => {
        storeWithLog();
        rmSync(file);
      },
      /touchstone\.db is missing, but its write-ahead log \S+-wal \(\d+ bytes\) exists; restore the file or a backup, or move the log away/,
    ],
    [
      'a log whose store is empty',
      () => {
        storeWithLog();
        truncateSync(file, 0);
      },
      /touchstone\.db is empty, but its write-ahead log/,
    ],
    [
      'a log of something else',
      () => {
        storeWithLog();
        writeFileSync(`${file}-wal`, 'no log at all, '.repeat(1_000));
      },
      /-wal is not a write-ahead log/,
    ],
    [
      'a folder in place of the log',
      () => {
        store();
        mkdirSync(`${file}-wal`);
      },
      /-wal is a folder; move it away/,
    ],
    ['a folder in place of the store', () => mkdirSync(file), /touchstone\.db is a folder; move it away/],
    [
      'a pipe in place of the store',
      () => {
        execFileSync('sh', ['-c', `mkfifo "$0"`, file]);
      },
      /touchstone\.db is not a regular file; move it away/,
    ],
    ['a text', () => writeFileSync(file, 'a text\n'.repeat(2_000)), /is not a database; move it away/],
    ['a short text', () => writeFileSync(file, 'x'), /is not a database; move it away/],
    [
      'a store of zeros',
      () => {
        store();
        writeFileSync(file, Buffer.alloc(statSync(file).size));
      },
      /is damaged: its first bytes are zeros; restore a backup/,
    ],
    [
      'a store without its header',
      () => overwrite(0, 0, 100),
      /is damaged: its first bytes are zeros; restore/,
    ],
    [
      'a store that ends within its header',
      () => {
        store();
        truncateSync(file, 60);
      },
      /is damaged: it ends after 60 bytes; restore/,
    ],
    [
      'a store that ends early',
      () => {
        store();
        truncateSync(file, 40_960);
      },
      /is damaged: it ends after 40960 of \d+ bytes; restore/,
    ],
    [
      'a store that ends within a page',
      () => {
        store();
        truncateSync(file, statSync(file).size - 1);
      },
      /is damaged: it ends after/,
    ],
    [
      'a store with a broken first page',
      () => overwrite(0xff, 100, 4_096),
      /is damaged: .*malformed.*; restore/,
    ],
    [
      'a store with broken pages',
      () => overwrite(0xff, 4_096, 200_000),
      /is damaged: .*malformed.*; restore/,
    ],
    [
      'a store with a page of zeros for its schema',
      () => overwrite(0, 100, 4_096),
      /is damaged: .*; restore/,
    ],
    [
      'a store without tables',
      () =>
        change((db) => {
          for (const name of db
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            .pluck()
            .all() as string[]) {
            db.pragma('foreign_keys = OFF');
            db.exec(`DROP TABLE IF EXISTS "${name}"`);
          }
        }),
      /is damaged: .*; restore/,
    ],
    [
      'a store that lacks a table',
      () =>
        change((db) => {
          db.pragma('foreign_keys = OFF');
          db.exec('DROP TABLE api_key');
        }),
      /is damaged: tables are missing \(api_key\); restore/,
    ],
    [
      'a store without a schema version',
      () => change((db) => db.pragma('user_version = 0')),
      /is damaged: its schema has the version 0, which no store has; restore/,
    ],
    [
      'a store with a negative schema version',
      () => change((db) => db.pragma('user_version = -7')),
      /is damaged: its schema has the version -7/,
    ],
    [
      'a store that says it is older than it is',
      () => change((db) => db.pragma('user_version = 34')),
      /is damaged: its tables are not those of its version \(duplicate column name: .*\); restore/,
    ],
    [
      'a store of a newer version',
      () => change((db) => db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)),
      /was written by a newer version/,
    ],
    [
      'a store of another program',
      () => change((db) => db.pragma('application_id = 7')),
      /is a SQLite database of another program/,
    ],
  ])('%s ends with one sentence, and changes nothing', async (_what, make, sentence) => {
    make();
    const before = digests();
    const error = await failure();
    const { message } = error;
    expect([error.name, message]).toEqual(['StartupError', expect.stringMatching(sentence)]);
    expect(message).not.toMatch(/\n|owner/);
    const after = digests();
    // SQLite makes these where there is none, and a migration that fails has made its snapshot before.
    const made = /-(?:shm|wal)$|\.before-\d+$/;
    expect(after.filter(([name]) => !made.test(name) || before.some(([known]) => known === name))).toEqual(
      before,
    );
  });

  it('a log and an index of it that are torn or garbage loses nothing that was committed', async () => {
    storeWithLog();
    writeFileSync(`${file}-shm`, Buffer.alloc(32_768, 0xee));
    writeFileSync(`${file}-wal`, Buffer.concat([readFileSync(`${file}-wal`), Buffer.alloc(500, 0xee)]));
    await using server = await startServer(data);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
    const connection = new Sqlite(file, { readonly: true });
    expect(connection.prepare("SELECT id FROM organisation WHERE id = 'last'").pluck().get()).toBe('last');
    connection.close();
  });

  it('a store that ends early exits with 1 and no more than its sentence', async () => {
    store();
    truncateSync(file, 40_960);
    const { code, stdout, stderr } = await run(['--port', '0', '--data-dir', data]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\S+ is damaged: [^\n]+\n$/);
  });

  it('a lock that is none says so', async () => {
    writeFileSync(`${data}/lock.db`, 'no lock at all, '.repeat(100));
    const { code, stderr } = await run(['--port', '0', '--data-dir', data]);
    expect([code, stderr]).toEqual([1, `${data}/lock.db is not a lock file of Touchstone; delete it.\n`]);
  });
});

describe('a data folder that cannot be created', () => {
  it.each(['/proc/touchstone', '/sys/touchstone/data', '/dev/null/data'])(
    '%s ends the start at once',
    async (path) => {
      await using program = start(['--port', '0', '--data-dir', path]);
      const { code, stderr } = await program.ended;
      expect(stderr).toMatch(
        /^The data folder \S+ cannot be written \([^)]+\); choose another with --data-dir\.\n$/,
      );
      expect([code, existsSync(path)]).toEqual([1, false]);
    },
  );
});
