import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import {
  APPLICATION_ID,
  makeSchema,
  migrate,
  type Migration,
  SCHEMA_VERSION,
  schemaVersion,
} from './migrate.ts';
import { diskFree, type FreeBytes, writeSnapshot } from './snapshot.ts';

const MIB = 1024 * 1024;
const WRITER_PRAGMAS = [
  'journal_mode = WAL',
  // better-sqlite3 is built to default to NORMAL in WAL mode, which may lose acknowledged data with the power.
  'synchronous = FULL',
  'cache_size = -65536',
  'busy_timeout = 5000',
  'secure_delete = ON',
  'foreign_keys = ON',
  // A backstop only: the writer checkpoints by itself between commits.
  `wal_autocheckpoint = ${(512 * MIB) / 4096}`,
  `journal_size_limit = ${16 * MIB}`,
  'temp_store = MEMORY',
];
const READER_PRAGMAS = [
  'query_only = ON',
  'cache_size = -16384',
  'busy_timeout = 5000',
  'temp_store = MEMORY',
];

/**
 * Opens the store for writing; an empty one gets its schema first.
 * Throws StartupError, having changed nothing, when the file is not a store of this version.
 */
export function openForWriting(file: string): Connection {
  return openStore(file, (connection) => {
    const version = schemaVersion(connection);
    if (version === SCHEMA_VERSION) return connection;
    throw new StartupError(
      `${file} was written by an older version of Touchstone (schema ${version}, this one needs ${SCHEMA_VERSION}); start the server or run migrate, which bring it up to date.`,
    );
  });
}

export interface MigrateOptions {
  /** Whether a snapshot is made first. */
  snapshot: boolean;
  freeBytes?: FreeBytes;
}

/**
 * Brings the store to the schema of this version, after a snapshot beside it; null when it has that schema.
 * Throws StartupError, the store being as it was, when the file is no store or its disk has no room for the snapshot.
 */
export function migrateStore(
  file: string,
  { snapshot, freeBytes = diskFree }: MigrateOptions,
): Migration | null {
  return openStore(file, (connection) => {
    const done = migrate(connection, (version) =>
      snapshot ? writeSnapshot(file, version, freeBytes) : null,
    );
    connection.close();
    return done;
  });
}

/** Opens a store of this version or an older one; it is closed again when `use` fails. */
function openStore<T>(file: string, use: (connection: Connection) => T): T {
  const connection = connect(file, {});
  try {
    const isEmpty = tableCount(connection) === 0;
    if (isEmpty) prepareEmpty(connection);
    else checkOwner(connection, file);
    for (const pragma of WRITER_PRAGMAS) connection.pragma(pragma);
    if (isEmpty) makeSchema(connection);
    return use(connection);
  } catch (error) {
    connection.close();
    throw explain(error, file);
  }
}

/** Opens an existing store, already migrated, for reading only. */
export function openForReading(file: string): Connection {
  const connection = connect(file, { readonly: true, fileMustExist: true });
  for (const pragma of READER_PRAGMAS) connection.pragma(pragma);
  return connection;
}

function connect(file: string, options: Sqlite.Options): Connection {
  try {
    return new Sqlite(file, options);
  } catch (error) {
    if (error instanceof TypeError) {
      throw new StartupError(`${file} cannot be opened; its folder does not exist.`);
    }
    throw explain(error, file);
  }
}

/** Both must be set before the first table exists. */
function prepareEmpty(connection: Connection): void {
  connection.pragma('page_size = 4096');
  connection.pragma('auto_vacuum = INCREMENTAL');
}

function tableCount(connection: Connection): number {
  return connection.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
}

function checkOwner(connection: Connection, file: string): void {
  if (connection.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new StartupError(`${file} is a SQLite database of another program; choose another data folder.`);
  }
  const version = schemaVersion(connection);
  if (version > SCHEMA_VERSION) {
    throw new StartupError(
      `${file} was written by a newer version of Touchstone (schema ${version}, this one knows ${SCHEMA_VERSION}); install that version again.`,
    );
  }
}

/** Turns what SQLite says of a file into one sentence for the person who starts the server. */
function explain(error: unknown, file: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (error.code === 'SQLITE_NOTADB')
    return new StartupError(`${file} is not a database; move it away or choose another data folder.`);
  if (error.code === 'SQLITE_CORRUPT')
    return new StartupError(`${file} is damaged (${error.message}); restore a backup.`);
  if (error.code.startsWith('SQLITE_CANTOPEN'))
    return new StartupError(`${file} cannot be opened; check that the folder is writable.`);
  if (error.code.startsWith('SQLITE_READONLY'))
    return new StartupError(`${file} is not writable; check its owner and mode.`);
  if (error.code === 'SQLITE_FULL') return new StartupError(`There is no room left on the disk of ${file}.`);
  return error;
}
