import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openForWriting } from '../../src/storage/sqlite/open.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';
import { FOREIGN, REPLICATION } from './foreign-parts.ts';

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
