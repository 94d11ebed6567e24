import { createHash } from 'node:crypto';
import { chownSync, closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { describeBackup } from '../../src/storage/sqlite/backup-file.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { makeOldStore } from '../support/old-store.ts';
import { run } from '../support/process.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

/** Makes a backup of a store that these statements have changed. */
function makeBackup(
  folder: Folder,
  { sql = '', isOld = false, version = '1.0.0' }: { sql?: string; isOld?: boolean; version?: string },
): string {
  const file = folder.file('touchstone.backup');
  if (isOld) makeOldStore(file).close();
  else openDatabase(file).connection.close();
  const connection = new Sqlite(file);
  connection.exec(sql);
  connection.pragma('journal_mode = DELETE');
  const schema = Number(connection.pragma('user_version', { simple: true }));
  connection.close();
  const bytes = readFileSync(file);
  const descriptor = openSync(file, 'r+');
  describeBackup(descriptor, {
    version,
    schema,
    createdAt: '2026-11-26T00:00:00.000Z',
    databaseBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    traces: 0,
    applications: 0,
    keyMark: null,
    secretKey: null,
  });
  closeSync(descriptor);
  return file;
}

const TRIGGER = `CREATE TRIGGER "evil\u001b[2J" AFTER INSERT ON tag BEGIN DELETE FROM trace; END`;

const REPLICATION = 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)';

const FOREIGN: [what: string, sql: string, part: string][] = [
  ['a trigger', TRIGGER, 'the trigger "evil [2J"'],
  ['a view', 'CREATE VIEW spy AS SELECT * FROM api_key', 'the view "spy"'],
  [
    'a table that keeps rows of another',
    'CREATE TABLE spy (a INTEGER REFERENCES trace (tkey))',
    'the table "spy"',
  ],
  [
    'a generated column',
    'ALTER TABLE tag ADD COLUMN spy TEXT GENERATED ALWAYS AS (abs(1)) VIRTUAL',
    'the column "spy" of the table "tag"',
  ],
  ['a virtual table', 'CREATE VIRTUAL TABLE spy USING fts5(a)', 'the table "spy"'],
  [
    'a known trigger that does something else',
    `DROP TRIGGER last_topic_ends_scope;
     CREATE TRIGGER last_topic_ends_scope AFTER DELETE ON definition_link BEGIN DELETE FROM trace; END`,
    'the trigger "last_topic_ends_scope"',
  ],
];

describe('a store with a part that Touchstone did not make', () => {
  it.each(FOREIGN)('is rejected with its name: %s', (_what, sql, part) => {
    using folder = temporaryFolder();
    const file = folder.file('touchstone.db');
    openDatabase(file).connection.close();
    const connection = new Sqlite(file);
    connection.exec(sql);
    connection.close();
    expect(() => openForWriting(file)).toThrow(`${file} has ${part}, which no version of Touchstone made`);
  });

  it.each([
    ['an index of the operator', 'CREATE INDEX mine ON tag (color)'],
    ['a table of a program that replicates the file', REPLICATION],
  ])('may have %s', (_what, sql) => {
    using folder = temporaryFolder();
    const file = folder.file('touchstone.db');
    openDatabase(file).connection.close();
    const connection = new Sqlite(file);
    connection.exec(sql);
    connection.close();
    const opened = openForWriting(file);
    expect(opened.open).toBe(true);
    opened.close();
  });
});

describe('restore', () => {
  it.each<[what: string, sql: string, part: string]>([
    ...FOREIGN,
    ['an index', 'CREATE INDEX spy ON tag (color)', 'the index "spy"'],
  ])('rejects a backup with %s, and leaves no file', async (_what, sql, part) => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`has ${part}, which no version of Touchstone made`);
    expect(ended.stderr).not.toContain('\u001b[2J');
    expect(existsSync(folder.file('data/touchstone.db'))).toBe(false);
    expect(existsSync(folder.file('data/touchstone.db.restored'))).toBe(false);
  });

  it('accepts a backup with a table of a program that replicates the file', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql: REPLICATION });
    expect(await run(['restore', file, '--data-dir', folder.file('data')])).toMatchObject({ code: 0 });
  });

  it('rejects a trigger in a store of an older schema', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql: TRIGGER, isOld: true });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended.stderr).toContain('has the trigger');
  });

  it('prints no escape sequence of a description', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { version: '\u001b]0;owned\u0007\u009b2J' });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(`schema ${SCHEMA_VERSION}`);
    expect(ended.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it.runIf(process.getuid?.() === 0)('as root keeps the owner of the folder', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, {});
    const data = folder.file('data');
    await run(['restore', file, '--data-dir', data]);
    chownSync(data, 65_532, 65_532);
    chownSync(`${data}/touchstone.db`, 65_532, 65_532);
    const ended = await run(['restore', file, '--data-dir', data, '--replace']);
    expect(ended).toMatchObject({ code: 0 });
    expect(statSync(`${data}/touchstone.db`)).toMatchObject({ uid: 65_532, gid: 65_532 });
  });
});
