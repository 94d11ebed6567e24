import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreHold } from '../../src/storage/sqlite/store-hold.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let file: string;
let connection: Sqlite.Database;
beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('touchstone.db');
  ({ connection } = openDatabase(file));
});
afterEach(() => {
  connection.close();
  folder[Symbol.dispose]();
});

describe('the hold of a store', () => {
  it('is kept through commits, checkpoints and other connections that come and go', () => {
    const hold = new StoreHold(file);
    expect(hold.seesLock).toBe(process.platform === 'linux');
    for (let round = 0; round < 3; round++) {
      connection.exec(`INSERT INTO organisation VALUES ('org-${round}', 1)`);
      const other = new Sqlite(file, { readonly: round === 1 });
      other.prepare('SELECT count(*) FROM organisation').get();
      other.close();
      connection.pragma(`wal_checkpoint(${['PASSIVE', 'RESTART', 'TRUNCATE'][round]})`);
      expect(hold.fault()).toBeNull();
    }
    expect(hold.checks).toBe(3);
  });

  it('is kept when the connection that took the lock closes before others', () => {
    const other = new Sqlite(file);
    other.prepare('SELECT count(*) FROM organisation').get();
    const hold = new StoreHold(file);
    connection.close();
    expect(hold.fault()).toBeNull();
    connection = other;
  });

  it.each<[what: string, take: () => void, why: RegExp]>([
    ['its log is deleted', () => rmSync(`${file}-wal`), /-wal was deleted/],
    ['its index is deleted', () => rmSync(`${file}-shm`), /-shm was deleted/],
    ['the database is moved away', () => renameSync(file, `${file}.old`), /touchstone\.db was deleted/],
    [
      'its log is replaced',
      () => {
        writeFileSync(`${file}.new`, '');
        renameSync(`${file}.new`, `${file}-wal`);
      },
      /-wal was replaced/,
    ],
  ])('is lost when %s', (_what, take, why) => {
    const hold = new StoreHold(file);
    expect(hold.fault()).toBeNull();
    take();
    expect(hold.fault()).toMatch(why);
  });

  it('is unknown without any lock that shows, and then the files are compared', () => {
    closeSync(openSync(file, 'r'));
    const hold = new StoreHold(file);
    expect([hold.seesLock, hold.fault()]).toEqual([false, null]);
    rmSync(`${file}-wal`);
    expect(hold.fault()).toMatch(/-wal was deleted/);
  });
});
