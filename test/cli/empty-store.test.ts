/** Commands on a folder with something else in place of the store, which they leave as it is. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['backup', 'BACKUP'],
  ['migrate'],
  ['prune'],
  ['remap'],
  ['mappings'],
  ['prices', 'gpt-4o'],
  ['prices', 'apply'],
  ['keys', 'list'],
  ['keys', 'create', '--name', 'CI'],
  ['users', 'list'],
  ['users', 'link'],
  ['applications', 'list'],
  ['erase', '--user', 'u-1'],
];

async function outcome(folder: Folder, args: readonly string[]): Promise<{ code: number; err: string }> {
  let err = '';
  const code = await runCommandLine(
    args
      .map((arg) => (arg === 'BACKUP' ? folder.file('out.backup') : arg))
      .concat('--data-dir', folder.file('data')),
    {
      env: {},
      out: () => true,
      err: (text) => Boolean((err += text)),
      isTerminal: false,
      program: 'touchstone',
    },
  );
  return { code, err };
}

describe.each(COMMANDS.map((args) => [args.join(' '), args] as const))('%s', (_command, args) => {
  it('makes no store of an empty file', async () => {
    using folder = temporaryFolder();
    const data = folder.file('data');
    mkdirSync(data);
    writeFileSync(join(data, 'touchstone.db'), '');
    expect(await outcome(folder, args)).toEqual({
      code: 1,
      err: `${join(data, 'touchstone.db')} is empty, so a server would begin with an empty store; restore a backup, or delete the file to begin again.\n`,
    });
    expect(readFileSync(join(data, 'touchstone.db'))).toHaveLength(0);
    expect(readdirSync(data)).toEqual(['touchstone.db']);
  });

  it.each([
    ['as SQLite makes one', ''],
    ['with a write-ahead log', 'PRAGMA journal_mode = WAL'],
    ['that had a table of another program', 'CREATE TABLE t (a); DROP TABLE t'],
  ])('makes no store of a database without tables %s', async (_what, sql) => {
    using folder = temporaryFolder();
    const data = folder.file('data');
    const file = join(data, 'touchstone.db');
    mkdirSync(data);
    new Sqlite(file).exec(`${sql}; VACUUM`).close();
    const before = readFileSync(file);
    expect(before.length).toBeGreaterThan(0);
    const { code, err } = await outcome(folder, args);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`${file} is an empty database, so a server would begin with an empty store;`),
    ]);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(data).filter((name) => name !== 'lock.db')).toEqual(['touchstone.db']);
    expect(readdirSync(folder.file('.'))).toEqual(['data']);
  });

  it('rejects a link to the store of another folder, which has its log and its lock', async () => {
    using folder = temporaryFolder();
    const data = folder.file('data');
    const other = folder.file('other.db');
    mkdirSync(data);
    openDatabase(other).connection.close();
    symlinkSync(other, join(data, 'touchstone.db'));
    const before = readFileSync(other);
    const { code, err } = await outcome(folder, args);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        `${join(data, 'touchstone.db')} is a symbolic link; move the file itself here, or set --data-dir to the folder that contains it.`,
      ),
    ]);
    expect(readFileSync(other).equals(before)).toBe(true);
  });

  it('names a log whose store is missing', async () => {
    using folder = temporaryFolder();
    const data = folder.file('data');
    mkdirSync(data);
    writeFileSync(join(data, 'touchstone.db-wal'), 'log');
    const { code, err } = await outcome(folder, args);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('touchstone.db is missing, but its write-ahead log '),
    ]);
    expect(readdirSync(data)).toEqual(['touchstone.db-wal']);
  });
});

it('a backup of the database of another program is rejected with its reason', async () => {
  using folder = temporaryFolder();
  const file = folder.file('data/touchstone.db');
  mkdirSync(folder.file('data'));
  new Sqlite(file).exec('CREATE TABLE t (a)').close();
  const before = readFileSync(file);
  const { code, err } = await outcome(folder, ['backup', 'BACKUP']);
  expect(code).toBe(1);
  expect(err).toContain(`${file} is a SQLite database of another program; choose another data folder.`);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(folder.file('.'))).toEqual(['data']);
});
