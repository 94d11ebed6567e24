import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import type { CopiedTable } from '../copy/copied-table.ts';
import { PROGRESS_TABLE } from '../copy/copy-progress.ts';
import type { CopySource, CopyTarget } from '../copy/copy-store.ts';
import { checkStore } from './check-store.ts';
import { SqliteDatabase } from './database.ts';
import { fileSize } from './file-size.ts';
import { schemaStatements } from './copied-tables.ts';
import { inspectStore } from './inspect.ts';
import { APPLICATION_ID, SCHEMA_VERSION, UNFINISHED_COPY_ID } from './migrate.ts';
import { explainSqliteError, openForReading } from './open.ts';
import { keepTemporaryFilesBeside } from './temporary-files.ts';

/** Place of the id in the header of a database. */
const ID_AT = 68;
const LOG_FILES = ['-wal', '-shm'];

export interface OpenSource extends CopySource {
  close: () => void;
}

export interface OpenTarget extends CopyTarget {
  close: () => void;
}

/**
 * Opens the store of a folder, which the caller has locked, to copy one state of it; changes nothing in it. Throws StartupError if it is
 * not a store of this version.
 */
export function openSourceFile(file: string): OpenSource {
  inspectStore(file);
  const identity = identityOf(file);
  const missing = LOG_FILES.filter((suffix) => fileSize(file + suffix) === 0);
  const database = new SqliteDatabase(openForReading(file));
  const close = (): void => {
    database.close();
    // What the connection has made; the lock of the folder keeps others from using it.
    for (const suffix of missing)
      if (suffix === '-shm' || fileSize(`${file}-wal`) === 0) rmSync(file + suffix, { force: true });
  };
  try {
    const schema = checkStore(database, file);
    if (schema !== SCHEMA_VERSION)
      throw new StartupError(
        `${file} has schema ${schema}, and this version of Touchstone copies schema ${SCHEMA_VERSION}; run migrate first.`,
      );
    database.connection.exec('BEGIN');
    return { database, identity, lastCount: (table) => lastCountOf(database, table), requireAlone, close };
  } catch (error) {
    close();
    throw explainSqliteError(error, file);
  }
}

/** The lock of the folder lasts as long as this process. */
const requireAlone = (): void => undefined;

/** Returns what changes with a commit to a store. */
const identityOf = (file: string): string =>
  JSON.stringify(
    ['', '-wal'].map((suffix) => {
      const stat = statSync(file + suffix, { bigint: true, throwIfNoEntry: false });
      return stat && stat.size > 0n ? [String(stat.size), String(stat.mtimeNs)] : null;
    }),
  );

const lastCountOf = (database: SqliteDatabase, { name }: CopiedTable): bigint | null =>
  database.getExact<{ seq: bigint }>('SELECT seq FROM sqlite_sequence WHERE name = ?', name)?.seq ?? null;

/**
 * Opens the file of a folder, which the caller has locked, to copy a store into it: an empty one, or the unfinished target of a copy.
 * Throws StartupError for any other.
 */
export function openTargetFile(file: string): OpenTarget {
  inspectStore(file);
  if (fileSize(file) > 0 && idInHeader(file) !== UNFINISHED_COPY_ID) throw notEmpty(file);
  keepTemporaryFilesBeside(file);
  const connection = new Sqlite(file);
  try {
    if (tableCount(connection) === 0) prepareTarget(connection);
    else if (idOf(connection) !== UNFINISHED_COPY_ID) throw notEmpty(file);
    // A kill loses nothing then; a loss of power may lose the last rows with the progress, and the copy continues before them.
    for (const pragma of ['synchronous = NORMAL', 'foreign_keys = ON', 'cache_size = -65536'])
      connection.pragma(pragma);
    connection.pragma('temp_store = FILE');
  } catch (error) {
    connection.close();
    throw explainSqliteError(error, file);
  }
  const database = new SqliteDatabase(connection);
  return {
    database,
    place: file,
    requireAlone,
    complete: (counts) => complete(connection, counts),
    close: () => database.close(),
  };
}

const notEmpty = (file: string): StartupError =>
  new StartupError(
    `${file} is a store already; if a copy made it, it is complete, otherwise choose a data folder without one for the copy.`,
  );

/** Reads the id without SQLite, which would copy the log of a store into it. */
function idInHeader(file: string): number {
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, ID_AT);
  } finally {
    closeSync(descriptor);
  }
  return bytes.readInt32BE();
}

const idOf = (connection: Connection): number =>
  Number(connection.pragma('application_id', { simple: true }));

const tableCount = (connection: Connection): number =>
  connection.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;

/** Makes the tables of an empty file, which is marked first, in the file itself and not in its log. */
function prepareTarget(connection: Connection): void {
  connection.pragma('page_size = 4096');
  connection.pragma('auto_vacuum = INCREMENTAL');
  connection.pragma(`application_id = ${UNFINISHED_COPY_ID}`);
  connection.pragma('journal_mode = WAL');
  connection
    .transaction(() => {
      for (const statement of [...schemaStatements().tables, PROGRESS_TABLE]) connection.exec(statement);
    })
    .immediate();
}

function complete(connection: Connection, counts: ReadonlyMap<string, bigint>): void {
  connection
    .transaction(() => {
      for (const statement of schemaStatements().rest) connection.exec(statement);
      const has = connection
        .prepare<[string], number>('SELECT count(*) FROM sqlite_sequence WHERE name = ?')
        .pluck();
      const raise = connection.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?');
      const add = connection.prepare('INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)');
      for (const name of namesOfCounters(connection)) {
        const count = counts.get(name);
        if (count !== undefined) (has.get(name) === 0 ? add : raise).run(count, name);
      }
      connection.exec('DROP TABLE touchstone_copy');
      connection.pragma(`application_id = ${APPLICATION_ID}`);
      connection.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
  connection.pragma('wal_checkpoint(TRUNCATE)');
}

/** Returns the tables that never use a key twice. */
const namesOfCounters = (connection: Connection): string[] =>
  connection
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    .pluck()
    .all();
