import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describeBackup } from '../../src/storage/sqlite/backup-file.ts';
import { makeOldStore } from '../support/old-store.ts';
import { type Folder, openDatabase } from '../support/storage.ts';

/** Makes a backup of a store that these statements have changed. */
export function makeBackup(
  folder: Folder,
  { sql = '', isOld = false, version = '1.0.0' }: { sql?: string; isOld?: boolean; version?: string },
): string {
  const file = folder.file('touchstone.backup');
  if (isOld) makeOldStore(file).close();
  else openDatabase(file).connection.close();
  const connection = new Sqlite(file);
  connection.unsafeMode(true);
  connection.exec(sql);
  connection.pragma('journal_mode = DELETE');
  const userVersion = Number(connection.pragma('user_version', { simple: true }));
  connection.close();
  const bytes = readFileSync(file);
  const descriptor = openSync(file, 'r+');
  describeBackup(descriptor, {
    version,
    schema: userVersion,
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

/** A statement that makes a trigger whose name has an escape sequence. */
export const TRIGGER = `CREATE TRIGGER "evil\u001b[2J" AFTER INSERT ON tag BEGIN DELETE FROM trace; END`;

/** A statement that makes a table of Litestream. */
export const REPLICATION = 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)';

/** Parts that no version of Touchstone makes: the statements that make them, and their name in messages. */
export const FOREIGN: [what: string, sql: string, part: string][] = [
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
