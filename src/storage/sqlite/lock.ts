import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { StartupError } from '../../errors.ts';

/**
 * Holds the data folder for one server. The lock is the kernel's, on `<folder>/lock.db`, so it is free again the moment
 * the process is gone, however it went. Returns the release.
 */
export function lockDataFolder(folder: string): () => void {
  const connection = new Sqlite(join(folder, 'lock.db'), { timeout: 0 });
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StartupError(
        `${folder} is in use by another Touchstone server; stop it or choose another data folder.`,
      );
    }
    throw error;
  }
  return () => connection.close();
}
