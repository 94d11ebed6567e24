import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../src/storage/sqlite/copy-store.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { makeOldStore } from '../support/old-store.ts';
import { run } from '../support/process.ts';
import { temporaryFolder } from '../support/storage.ts';
import { FOREIGN, makeBackup, REPLICATION } from './foreign-parts.ts';

type PlantedPart = [what: string, sql: string, part: string];

describe('restore', () => {
  it.each<PlantedPart>([...FOREIGN, ['an index', 'CREATE INDEX spy ON tag (color)', 'the index "spy"']])(
    'rejects a backup with %s, and leaves no file',
    async (_what, sql, part) => {
      using folder = temporaryFolder();
      const file = makeBackup(folder, { sql });
      const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain(`has ${part}, which no version of Touchstone made`);
      expect(ended.stderr).not.toContain('\u001b[2J');
      expect(existsSync(folder.file('data/touchstone.db'))).toBe(false);
      expect(existsSync(folder.file('data/touchstone.db.restored'))).toBe(false);
    },
  );

  /** Replaces a text in the statement of a table, an index or a trigger. */
  const edit = (name: string, from: string, to: string): string =>
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${name}';
     PRAGMA writable_schema = OFF;`;

  const OTHER_FOREIGN_KEY: PlantedPart = [
    'another foreign key',
    edit('membership', 'REFERENCES user_account (id)', 'REFERENCES user_account (id) ON DELETE CASCADE'),
    'another set of foreign keys of the table "membership"',
  ];
  const OTHER_CHECK: PlantedPart = [
    'another CHECK constraint',
    edit('tag', 'color TEXT', 'color TEXT CHECK (length(color) < 99)'),
    'another set of CHECK constraints of the table "tag"',
  ];

  it.each<PlantedPart>([
    OTHER_FOREIGN_KEY,
    [
      'no foreign key',
      edit('membership', 'REFERENCES user_account (id)', ''),
      'another set of foreign keys of the table "membership"',
    ],
    OTHER_CHECK,
    [
      'another type of a column',
      edit('membership', 'role TEXT NOT NULL', 'role ANY NOT NULL'),
      'another set of columns, with their types and defaults, of the table "membership"',
    ],
    [
      'another default of a column',
      edit('test', 'trace_deleted INTEGER NOT NULL DEFAULT 0', 'trace_deleted INTEGER NOT NULL DEFAULT 1'),
      'another set of columns, with their types and defaults, of the table "test"',
    ],
    [
      'another key',
      edit('user_account', 'email TEXT NOT NULL UNIQUE', 'email TEXT NOT NULL COLLATE NOCASE UNIQUE'),
      'another set of unique keys of the table "user_account"',
    ],
    ['no trigger', 'DROP TRIGGER last_topic_ends_scope', 'lacks the trigger "last_topic_ends_scope"'],
    [
      'another index of a known name',
      'DROP INDEX membership_by_user; CREATE UNIQUE INDEX membership_by_user ON membership (user_id)',
      'the index "membership_by_user" in another form',
    ],
  ])('rejects a backup whose own tables have %s, and names it', async (_what, sql, part) => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(part);
    expect(ended.stderr).toContain('this version of Touchstone makes; choose another backup.');
    expect(existsSync(folder.file('data/touchstone.db'))).toBe(false);
  });

  it('accepts a backup without one of the indexes, which verify --repair builds', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql: 'DROP INDEX membership_by_user' });
    expect(await run(['restore', file, '--data-dir', folder.file('data')])).toMatchObject({ code: 0 });
  });

  it('accepts a store of an older version after its migrations', async () => {
    using folder = temporaryFolder();
    const file = folder.file('touchstone.db');
    makeOldStore(file).close();
    expect(await run(['migrate', '--data-dir', dirname(file)])).toMatchObject({ code: 0 });
    expect(() => checkSchema(file, 'backup')).not.toThrow();
  });

  it('names a backup whose schema SQLite cannot read', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, {
      sql: edit('user_account', 'email TEXT NOT NULL UNIQUE', 'email TEXT NOT NULL, UNIQUE (x)'),
    });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^The schema of \S+ cannot be read \(malformed .*\); choose another backup\.\n$/,
    );
  });

  it('accepts a backup with a table of a program that replicates the file', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql: REPLICATION });
    expect(await run(['restore', file, '--data-dir', folder.file('data')])).toMatchObject({ code: 0 });
  });

  it('accepts a backup of an older schema, and the server migrates it', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { isOld: true });
    const data = folder.file('data');
    expect(await run(['restore', file, '--data-dir', data])).toMatchObject({ code: 0 });
    expect(await run(['migrate', '--data-dir', data])).toMatchObject({ code: 0 });
  });

  it.each<PlantedPart>([
    ...FOREIGN,
    ['a column', 'ALTER TABLE tag ADD COLUMN spy TEXT', 'the column "spy" of the table "tag"'],
    ['an index', 'CREATE INDEX spy ON tag (color)', 'the index "spy"'],
    OTHER_FOREIGN_KEY,
    OTHER_CHECK,
  ])('rejects a backup of an older schema with %s, and names it', async (_what, sql, part) => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { sql, isOld: true });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`has ${part}`);
    expect(existsSync(folder.file('data/touchstone.db'))).toBe(false);
  });

  it('prints no escape sequence of a description', async () => {
    using folder = temporaryFolder();
    const file = makeBackup(folder, { version: '\u001b]0;owned\u0007\u009b2J' });
    const ended = await run(['restore', file, '--data-dir', folder.file('data')]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(`schema ${SCHEMA_VERSION}`);
    expect(ended.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
