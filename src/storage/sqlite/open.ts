import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import { readAsset } from '../../runtime/assets.ts';

/** Marks a file as ours in its header ("Tchs"); 0 in a file nobody has marked yet. */
const APPLICATION_ID = 0x54636873;

/** Forward only, in this order, each in a transaction of its own. */
const MIGRATIONS = ['0001-initial.sql'];

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
 * Opens the store for writing, making or migrating it first.
 * Throws StartupError, having changed nothing, when the file is not a store this version can use.
 */
export function openForWriting(file: string): Connection {
  const connection = connect(file, {});
  try {
    if (tableCount(connection) === 0) prepareEmpty(connection);
    checkOwner(connection, file);
    for (const pragma of WRITER_PRAGMAS) connection.pragma(pragma);
    migrate(connection);
    return connection;
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
  const owner = connection.pragma('application_id', { simple: true });
  if (owner !== APPLICATION_ID && tableCount(connection) > 0) {
    throw new StartupError(`${file} is a SQLite database of another program; choose another data folder.`);
  }
  const version = schemaVersion(connection);
  if (version > MIGRATIONS.length) {
    throw new StartupError(
      `${file} was written by a newer version of Touchstone (schema ${version}, this one knows ${MIGRATIONS.length}); install that version again.`,
    );
  }
}

function schemaVersion(connection: Connection): number {
  return Number(connection.pragma('user_version', { simple: true }));
}

function migrate(connection: Connection): void {
  for (
    let version = schemaVersion(connection);
    version < MIGRATIONS.length;
    version = schemaVersion(connection)
  ) {
    const sql = readAsset(`storage/sqlite/migrations/${MIGRATIONS[version]}`);
    connection
      .transaction(() => {
        if (schemaVersion(connection) !== version) return;
        connection.exec(sql);
        connection.pragma(`application_id = ${APPLICATION_ID}`);
        connection.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
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
