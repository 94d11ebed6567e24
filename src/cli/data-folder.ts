import { randomUUID } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import type { StoreConnection } from '../storage/database.ts';
import { explainFault } from '../storage/postgres/explain.ts';
import { checkDatabaseSchema, connectForCommands, inspectDatabase } from '../storage/postgres/prepare.ts';
import type { DatabaseTarget } from '../storage/postgres/target.ts';
import { SqliteDatabase } from '../storage/sqlite/database.ts';
import { inspectStore } from '../storage/sqlite/inspect.ts';
import { isFolderLocked, lockDataFolder } from '../storage/sqlite/lock.ts';
import type { Migration } from '../storage/sqlite/migrate.ts';
import { emptyStoreText, NoStoreError } from '../storage/sqlite/no-store-error.ts';
import {
  explainSqliteError,
  type MigrateOptions,
  migrateStore,
  openForWriting,
} from '../storage/sqlite/open.ts';
import { databaseOf, type StorePlace } from './database.ts';
import { folderFailure } from './failure.ts';

export const storeFile = (folder: string): string => join(folder, 'touchstone.db');
export const setupLinkFile = (folder: string): string => join(folder, 'setup-link');
export const secretKeyFile = (folder: string): string => join(folder, 'secret.key');
/** File in which a server leaves the address of its links to the commands beside it. */
export const addressFile = (folder: string): string => join(folder, 'address');
export const firstKeyFile = (folder: string): string => join(folder, 'first-key');

/** Creates the folder if necessary, and locks it for one server. Returns the function that unlocks it. */
export function takeDataFolder(folder: string): () => void {
  try {
    makeFolder(folder, 0o700);
    checkWritable(folder);
    return lockDataFolder(folder);
  } catch (error) {
    throw folderFailure(error, folder);
  }
}

/** Throws StartupError if no file can be written to the folder. */
function checkWritable(folder: string): void {
  const probe = join(folder, `.probe-${randomUUID()}`);
  try {
    writeFileSync(probe, 'probe', { mode: 0o600 });
    rmSync(probe);
  } catch (error) {
    rmSync(probe, { force: true });
    throw folderFailure(error, folder);
  }
}

/** Migrates the store; only the holder of the folder's lock may do so. Returns null when the store is up to date. */
export function migrateFolder(folder: string, options: MigrateOptions): Migration | null {
  try {
    return migrateStore(storeFile(folder), options);
  } catch (error) {
    throw folderFailure(error, folder);
  }
}

/** Opens the store for a large number of commits, possibly next to a running server. The caller closes it. */
export function openForLongRun(place: StorePlace): StoreConnection {
  const target = databaseOf(place);
  return target === null ? openFolderForLongRun(place.dataDir) : openDatabase(target);
}

/** Opens a database whose tables this version can use, possibly next to running servers. */
function openDatabase(target: DatabaseTarget): StoreConnection {
  const database = connectForCommands(target);
  try {
    checkDatabaseSchema(inspectDatabase(database, target), target);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the store of a folder as `openForLongRun` does. */
export function openFolderForLongRun(folder: string): SqliteDatabase {
  const database = openStore(folder);
  // A power failure may lose the last commits, which the next run repeats; the server still syncs its own.
  database.connection.pragma('synchronous = NORMAL');
  // A server under full load releases the write lock only briefly.
  database.connection.pragma('busy_timeout = 30000');
  // Queries of the server end after a time; those of a command do not.
  database.connection.function('in_time', (_key: unknown) => 1);
  return database;
}

/** Opens the store, possibly next to a running server. The caller closes it. */
function openStore(folder: string): SqliteDatabase {
  try {
    inspectStore(storeFile(folder));
    // A server that has just been started may not have made the tables yet.
    const mustExist = !isFolderLocked(folder);
    return new SqliteDatabase(openForWriting(storeFile(folder), { mustExist }));
  } catch (error) {
    throw folderFailure(error, folder);
  }
}

/** Opens the store, and closes it after `work`. */
export function withStoreOf<T>(place: StorePlace, work: (database: StoreConnection) => T): T {
  const target = databaseOf(place);
  return target === null ? withStore(place.dataDir, work) : withDatabase(target, work);
}

function withDatabase<T>(target: DatabaseTarget, work: (database: StoreConnection) => T): T {
  const database = openDatabase(target);
  try {
    return work(database);
  } catch (error) {
    throw explainFault(error, target);
  } finally {
    database.close();
  }
}

export function withStore<T>(folder: string, work: (database: StoreConnection) => T): T {
  const database = openStore(folder);
  try {
    return work(database);
  } catch (error) {
    throw folderFailure(explainSqliteError(error, storeFile(folder)), folder);
  } finally {
    database.close();
  }
}

/** Describes in one sentence why a store cannot be used; returns other errors unchanged. */
export function storeFailure(error: unknown, place: StorePlace): unknown {
  const target = databaseOf(place);
  return target === null ? folderFailure(error, place.dataDir) : explainFault(error, target);
}

/** Throws StartupError when there is no store, or an empty file in its place, because most commands do not create one. */
export function checkStoreExists(place: StorePlace): void {
  // A database is checked when it is opened.
  if (databaseOf(place) !== null) return;
  const folder = place.dataDir;
  const file = storeFile(folder);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) {
    // A log without its store says more than that there is no store.
    inspectStore(file);
    throw new StartupError(noStoreText(folder));
  }
  // A server that has just been started may not have written to the file yet.
  if (found.size === 0 && !isFolderLocked(folder)) throw new NoStoreError(emptyStoreText(file));
}

export const noStoreText = (folder: string): string =>
  `There is no store in ${folder}; start the server once, or set its folder with --data-dir.`;

/** Opens an existing store, for commands that must not create one, and closes it after `work`. */
export function withExistingStore<T>(place: StorePlace, work: (database: StoreConnection) => T): T {
  checkStoreExists(place);
  return withStoreOf(place, work);
}
