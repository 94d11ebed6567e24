import { closeSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

it('the hold of a store is lost when the process closes the file', () => {
  const hold = new StoreHold(file);
  closeSync(openSync(file, 'r'));
  expect(hold.fault()).toMatch(/The lock on \S+touchstone\.db is gone/);
});

it('the hold of a store was never there when the lock of the folder is all that shows', () => {
  const lock = new Sqlite(folder.file('lock.db'));
  lock.pragma('locking_mode = EXCLUSIVE');
  lock.exec('BEGIN EXCLUSIVE');
  closeSync(openSync(file, 'r'));
  expect(new StoreHold(file).fault()).toMatch(/The lock on \S+touchstone\.db is gone/);
  lock.close();
});
