import { dirname } from 'node:path';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import { checkHeader, requireTables } from './check-store.ts';
import { foreignPart } from './foreign-schema.ts';
import { makeSchema, migrate, type Migration, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { damaged, inspectStore } from './inspect.ts';
import { emptyDatabaseText, NoStoreError } from './no-store-error.ts';
import { tableNames } from './schema.ts';
import { keepTemporaryFilesBeside } from './temporary-files.ts';
import { diskFree, type FreeBytes, writeSnapshot } from './snapshot.ts';

const MIB = 1024 * 1024;
/** Free bytes below which a disk counts as full: the index of a log alone has 32 KiB. */
const FULL_BYTES = 64 * 1024;
const WRITER_PRAGMAS = [
  'journal_mode = WAL',
  // better-sqlite3 is compiled with NORMAL as the default in WAL mode, which may lose acknowledged data on a power
  // failure.
  'synchronous = FULL',
  'cache_size = -65536',
  'busy_timeout = 5000',
  'secure_delete = ON',
  'foreign_keys = ON',
  // A backstop only: the server runs its own checkpoints.
  `wal_autocheckpoint = ${(512 * MIB) / 4096}`,
  // Up to this size, the log is reused from its beginning without being truncated.
  `journal_size_limit = ${128 * MIB}`,
  // A statement journal in memory is searched from its start, so the time of a large command would grow with the
  // square of its rows. In a file, only data beyond 64 KiB leaves memory.
  'temp_store = FILE',
];
const READER_PRAGMAS = [
  'query_only = ON',
  'cache_size = -16384',
  'busy_timeout = 5000',
  'temp_store = MEMORY',
];

interface OpenOptions {
  /** True if a database without tables is rejected. Default: it becomes an empty store. */
  mustExist?: boolean;
}

/**
 * Opens the store for writing; an empty one gets its schema first, unless it must exist. Throws StartupError, without any change, when the
 * file is not a store of this version. The files must have been inspected; this does not, because another thread may have
 * a connection, whose locks a plain read of the file would release.
 */
export function openForWriting(file: string, options: OpenOptions = {}): Connection {
  return openStore(file, options, (connection) => {
    const version = schemaVersion(connection);
    if (version === SCHEMA_VERSION) return connection;
    throw new StartupError(
      `${file} was written by an older version of Touchstone (schema ${version}, this version needs ${SCHEMA_VERSION}); start the server or run migrate to update it.`,
    );
  });
}

/** Milliseconds for which a migration waits for one that another process has begun, which may take minutes. */
const MIGRATION_MS = 600_000;

export interface MigrateOptions extends OpenOptions {
  /** True if a snapshot is made first. */
  snapshot: boolean;
  freeBytes?: FreeBytes;
}

/**
 * Migrates the store to the schema of this version, after a snapshot next to it; returns null when it has that
 * schema. Throws StartupError, without any change, when the file is not a store or its disk has no space for the
 * snapshot.
 */
export function migrateStore(
  file: string,
  { snapshot, freeBytes = diskFree, ...options }: MigrateOptions,
): Migration | null {
  inspectStore(file);
  return openStore(file, options, (connection) => {
    connection.pragma(`busy_timeout = ${MIGRATION_MS}`);
    checkTables(connection, file);
    const done = migrate(connection, (version) =>
      snapshot ? writeSnapshot(file, version, freeBytes) : null,
    );
    connection.close();
    return done;
  });
}

/** Opens a store of this version or an older one, and closes it again when `use` fails. */
function openStore<T>(
  file: string,
  { mustExist = false }: OpenOptions,
  use: (connection: Connection) => T,
): T {
  keepTemporaryFilesBeside(file);
  const connection = connect(file, {});
  try {
    const isEmpty = tableCount(connection) === 0;
    if (isEmpty && mustExist) throw new NoStoreError(emptyDatabaseText(file));
    if (isEmpty) prepareEmpty(connection, file);
    else checkOwner(connection, file);
    rejectForeign(connection, file);
    for (const pragma of WRITER_PRAGMAS) connection.pragma(pragma);
    if (isEmpty) makeSchema(connection);
    return use(connection);
  } catch (error) {
    connection.close();
    throw explainSqliteError(error, file);
  }
}

/** Opens an existing store, already migrated, for reading only. */
export function openForReading(file: string): Connection {
  const connection = connect(file, { readonly: true, fileMustExist: true });
  for (const pragma of READER_PRAGMAS) connection.pragma(pragma);
  return connection;
}

/** Opens an existing store only to copy its write-ahead log into it. */
export function openForCheckpoints(file: string): Connection {
  const connection = connect(file, { fileMustExist: true });
  // A small cache is sufficient, because a checkpoint reads the log and not pages.
  for (const pragma of ['synchronous = FULL', 'cache_size = -1024']) connection.pragma(pragma);
  return connection;
}

function connect(file: string, options: Sqlite.Options): Connection {
  try {
    return new Sqlite(file, options);
  } catch (error) {
    if (error instanceof TypeError) {
      throw new StartupError(
        `${file} cannot be opened because its folder does not exist; create the folder.`,
      );
    }
    throw explainSqliteError(error, file);
  }
}

/** Prepares an empty file; both pragmas must be set before the first table exists. */
function prepareEmpty(connection: Connection, file: string): void {
  const version = schemaVersion(connection);
  if (version !== 0) throw damaged(file, `its schema has the version ${version} but no tables`);
  connection.pragma('page_size = 4096');
  connection.pragma('auto_vacuum = INCREMENTAL');
}

function tableCount(connection: Connection): number {
  return connection.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
}

function checkOwner(connection: Connection, file: string): void {
  checkHeader(file, {
    applicationId: Number(connection.pragma('application_id', { simple: true })),
    schema: schemaVersion(connection),
  });
}

/** Throws StartupError when the schema has parts that Touchstone did not make, before anything of them could run. */
function rejectForeign(connection: Connection, file: string): void {
  const part = foreignPart(connection, { isStrict: false });
  if (part === null) return;
  throw new StartupError(`${file} ${part}; restore a backup, or remove it with the program that made it.`);
}

/** Throws StartupError when a table of this version is missing. Older stores get their tables by migration. */
function checkTables(connection: Connection, file: string): void {
  if (schemaVersion(connection) === SCHEMA_VERSION) requireTables(file, tableNames(connection));
}

/** Turns an SQLite error about a store into a sentence for the operator who starts the server. */
export function explainSqliteError(error: unknown, file: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  const { code, message } = error;
  if (code === 'SQLITE_NOTADB')
    return new StartupError(`${file} is not a database; move it away or choose another data folder.`);
  if (code.startsWith('SQLITE_CORRUPT')) return damaged(file, message);
  if (code === 'SQLITE_ERROR') return damaged(file, `its tables are not those of its version (${message})`);
  // A file that SQLite maps into memory fails in this way when it cannot grow.
  if (code.startsWith('SQLITE_IOERR') && !hasSpace(file)) return fullDisk(file);
  if (code.startsWith('SQLITE_IOERR'))
    return new StartupError(`${file} cannot be read or written (${message}); check its disk.`);
  if (code.startsWith('SQLITE_CANTOPEN'))
    return new StartupError(`${file} cannot be opened; check that the folder is writable.`);
  if (code.startsWith('SQLITE_READONLY'))
    return new StartupError(`${file} is not writable; check its owner and mode.`);
  if (code === 'SQLITE_FULL') return fullDisk(file);
  return error;
}

const fullDisk = (file: string): StartupError =>
  new StartupError(`The disk of ${file} is full; free some space.`);

/** Reports whether the disk of a file has space for some pages; true if that is unknown. */
function hasSpace(file: string): boolean {
  try {
    return diskFree(dirname(file)) >= FULL_BYTES;
  } catch {
    return true;
  }
}
