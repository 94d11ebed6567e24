import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import { checkApplicationId } from './check-store.ts';
import { foreignPart } from './foreign-schema.ts';
import { inspectStore } from './inspect.ts';
import { schemaVersion } from './migrate.ts';
import { emptyDatabaseText, NoStoreError } from './no-store-error.ts';

/** Pages that are copied at once, 8 MiB: Ctrl-C is noticed in between. */
const PAGES_AT_ONCE = 2_000;
/** Pages after which the copy is synced to disk. Otherwise the commits of the server wait for all of it at the end. */
const PAGES_BETWEEN_SYNCS = 8_000;

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
export async function copyStore(
  file: string,
  target: string,
  onProgress: (done: number, total: number) => void,
): Promise<CopiedStore> {
  inspectStore(file);
  const source = new Sqlite(file, { readonly: true, fileMustExist: true });
  const descriptor = openSync(target, 'r+');
  try {
    source.exec('BEGIN');
    // Reads, because the snapshot begins with the first read.
    if (count(source, 'sqlite_schema') === 0) throw new NoStoreError(emptyDatabaseText(file));
    checkApplicationId(file, Number(source.pragma('application_id', { simple: true })));
    const schema = schemaVersion(source);
    const described = {
      at: Date.now(),
      schema,
      traces: count(source, 'trace'),
      applications: count(source, 'application'),
    };
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
