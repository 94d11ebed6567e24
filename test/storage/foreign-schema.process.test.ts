import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { run } from '../support/process.ts';
import { temporaryFolder } from '../support/storage.ts';
import { FOREIGN, makeBackup, REPLICATION, TRIGGER } from './foreign-parts.ts';

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
});
