import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import { checkApplicationId } from './check-store.ts';
import { copyFiles } from './copy-files.ts';
import { foreignPart } from './foreign-schema.ts';
import { inspectStore } from './inspect.ts';
import { isFolderLocked } from './lock.ts';
import { schemaVersion } from './migrate.ts';
import { emptyDatabaseText, NoStoreError } from './no-store-error.ts';
import { fileSize } from './file-size.ts';

/** Pages that are copied at once, 8 MiB: Ctrl-C is noticed in between. */
const PAGES_AT_ONCE = 2_000;
/** Pages after which the copy is synced to disk. Otherwise the commits of the server wait for all of it at the end. */
const PAGES_BETWEEN_SYNCS = 8_000;

const PAGE_BYTES = 4096;
/** Codes of SQLite for an index of a log that cannot be made. */
const NO_INDEX = ['SQLITE_CANTOPEN', 'SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR_SHM'];

type OnProgress = (done: number, total: number) => void;

export interface CopiedStore {
  /** Unix milliseconds of the state that was copied. */
  at: number;
  schema: number;
  traces: number;
  applications: number;
}

/**
 * Copies the committed state of a store to `target`, which exists and is empty, while a server writes to the store. The
 * copy reads one snapshot, so that no commit makes it begin again; until it ends, the write-ahead log of the server
 * cannot be emptied. `onProgress` receives the pages copied and all pages. Throws StartupError for a damaged log, because the
 * copy would lack what is behind the damage.
 */
export async function copyStore(file: string, target: string, onProgress: OnProgress): Promise<CopiedStore> {
  inspectStore(file);
  const source = openToCopy(file);
  return source === null
    ? copyStopped(file, target, onProgress)
    : copyByPages(file, source, target, onProgress);
}

/** Opens a store; null where SQLite cannot make the index of its log, because the disk is full or takes no files. */
function openToCopy(file: string): Connection | null {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    connection.pragma('schema_version');
    return connection;
  } catch (error) {
    connection.close();
    const hasNoIndex =
      error instanceof Sqlite.SqliteError && NO_INDEX.some((code) => error.code.startsWith(code));
    // A server has the index already, so that it is not the reason then.
    if (!hasNoIndex || isFolderLocked(dirname(file))) throw error;
    return null;
  }
}

async function copyByPages(
  file: string,
  source: Connection,
  target: string,
  onProgress: OnProgress,
): Promise<CopiedStore> {
  const descriptor = openSync(target, 'r+');
  try {
    source.exec('BEGIN');
    const described = describe(source, file);
    let synced = 0;
    await source.backup(target, {
      progress: ({ totalPages, remainingPages }) => {
        const done = totalPages - remainingPages;
        if (done - synced >= PAGES_BETWEEN_SYNCS) {
          fdatasyncSync(descriptor);
          synced = done;
        }
        onProgress(done, totalPages);
        return PAGES_AT_ONCE;
      },
    });
    return described;
  } finally {
    source.close();
    closeSync(descriptor);
  }
}

/** Copies the files of a store that no server has open, with its log. Throws StartupError if a program changed them meanwhile. */
async function copyStopped(file: string, target: string, onProgress: OnProgress): Promise<CopiedStore> {
  const total = Math.ceil((fileSize(file) + fileSize(`${file}-wal`)) / PAGE_BYTES);
  let done = 0;
  await copyFiles(file, target, {
    isNew: false,
    beforePiece: () => setImmediate(),
    onCopied: (bytes) => onProgress((done += bytes / PAGE_BYTES), total),
  });
  const copy = new Sqlite(target, { fileMustExist: true });
  try {
    return describe(copy, file);
  } finally {
    // SQLite copies the log into the copy, and removes it.
    copy.close();
  }
}

/** Describes a store. Throws StartupError for a file that is none. */
function describe(connection: Connection, file: string): CopiedStore {
  // Reads, because a snapshot begins with the first read.
  if (count(connection, 'sqlite_schema') === 0) throw new NoStoreError(emptyDatabaseText(file));
  checkApplicationId(file, Number(connection.pragma('application_id', { simple: true })));
  return {
    schema: schemaVersion(connection),
    at: Date.now(),
    traces: count(connection, 'trace'),
    applications: count(connection, 'application'),
  };
}

/** Throws StartupError when the schema of a copied store is not the one of its version. Nothing of the store runs before. */
export function checkSchema(copy: string, file: string): void {
  const connection = new Sqlite(copy, { readonly: true, fileMustExist: true });
  try {
    const part = foreignPart(connection, { isStrict: true });
    if (part !== null) throw new StartupError(`${file} ${part}; choose another backup.`);
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    throw new StartupError(`The schema of ${file} cannot be read (${error.message}); choose another backup.`);
  } finally {
    connection.close();
  }
}

/** Checks every page of a copied store, and makes it a single file without a write-ahead log. Throws StartupError. */
export function checkCopy(file: string): void {
  const connection = new Sqlite(file, { fileMustExist: true });
  try {
    connection.pragma('journal_mode = DELETE');
    const found = connection.pragma('quick_check(1)', { simple: true });
    if (found !== 'ok') {
      throw new StartupError(
        `The copy of the store is damaged (${String(found)}); run verify on the data folder.`,
      );
    }
  } finally {
    connection.close();
  }
}

const count = (connection: Connection, table: 'trace' | 'application' | 'sqlite_schema'): number =>
  connection.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
