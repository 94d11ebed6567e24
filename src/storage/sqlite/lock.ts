import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';

/** References to open locks: a connection without references is closed, which releases its lock. */
const held = new Set<Connection>();

/**
 * Locks the data folder for one server and returns the release. The lock is the kernel's, on `<folder>/lock.db`, so
 * it is released as soon as the process ends, however it ends.
 */
export function lockDataFolder(folder: string): () => void {
  let connection: Connection | undefined;
  try {
    connection = new Sqlite(join(folder, 'lock.db'), { timeout: 0 });
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection?.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StartupError(
        `${folder} is in use by another Touchstone server; stop it or choose another data folder.`,
      );
    }
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw foreignLock(join(folder, 'lock.db'));
    }
    if (error instanceof Sqlite.SqliteError) {
      throw new StartupError(`${folder} cannot be locked (${error.code}); check that it is writable.`);
    }
    throw error;
  }
  const locked = connection;
  held.add(locked);
  return () => {
    held.delete(locked);
    locked.close();
  };
}

const foreignLock = (file: string): StartupError =>
  new StartupError(`${file} is not a lock file of Touchstone; delete it.`);

/** Reports whether a server or a migration has locked the data folder. Changes nothing, and holds no lock afterwards. */
export function isFolderLocked(folder: string): boolean {
  const file = join(folder, 'lock.db');
  if (!statSync(file, { throwIfNoEntry: false })) return false;
  let connection: Connection | undefined;
  try {
    connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 });
    connection.pragma('schema_version');
    return false;
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    if (error.code === 'SQLITE_NOTADB') throw foreignLock(file);
    return error.code.startsWith('SQLITE_BUSY');
  } finally {
    connection?.close();
  }
}
