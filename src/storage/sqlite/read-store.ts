/**
 * Opens a store for commands that only look at it. SQLite changes the folder of a stopped store even to read it: it
 * makes a log and its index, or copies the log into the database. So a stopped store is read as a file that no program
 * changes, or as a private copy if its log has commits that the database lacks.
 */
import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import type { StoreConnection } from '../database.ts';
import { checkUnchanged, copyFiles, LOGS, stateOf } from './copy-files.ts';
import { SqliteDatabase } from './database.ts';
import { ImmutableDatabase } from './immutable-database.ts';
import { inspectStore } from './inspect.ts';
import { isFolderLocked } from './lock.ts';
import { emptyStoreText, NoCopyError, NoStoreError } from './no-store-error.ts';
import { openForReading } from './open.ts';
import { fileSize } from './file-size.ts';

const MIB = 1024 * 1024;

export interface ReadStore {
  database: StoreConnection;
  /** True if a server or another program has the store open. */
  isServed: boolean;
  close: () => void;
}

export interface ReadOptions {
  /** Folder that receives a copy if one is needed. Default: that of temporary files. */
  copyFolder?: string;
  /** Reports whether the command is to end. */
  isStopped: () => boolean;
}

/**
 * Opens a store of any version and leaves its folder as it is, whether or not a server uses it. Throws StartupError if
 * the files cannot be a store, and if it was stopped meanwhile.
 */
export async function openToRead(
  file: string,
  { copyFolder = tmpdir(), isStopped }: ReadOptions,
): Promise<ReadStore> {
  // Before any connection, because to close the file would release the locks of this process.
  inspectStore(file);
  const isServed = isFolderLocked(dirname(file));
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new NoStoreError(
      `${file} does not exist; start the server once, or set its folder with --data-dir.`,
    );
  if (statSync(file).size === 0 && !isServed) throw new NoStoreError(emptyStoreText(file));
  if (isServed) {
    const database = withoutLimit(openForReading(file));
    return { database, isServed, close: () => database.close() };
  }
  return LOGS.some((log) => fileSize(file + log) > 0)
    ? openCopy(file, copyFolder, isStopped)
    : openAsItIs(file);
}

/** Queries of the server end after a time; those of a command do not. */
function withoutLimit(connection: Connection): SqliteDatabase {
  connection.function('in_time', (_key: unknown) => 1);
  return new SqliteDatabase(connection);
}

function openAsItIs(file: string): ReadStore {
  const before = stateOf(file);
  const database = new ImmutableDatabase(file);
  const close = (): void => {
    database.close();
    checkUnchanged(file, before);
  };
  return { database, isServed: false, close };
}

/**
 * Copies the database with its log. The copy has no name any more once it is open, so that nothing of it remains however the
 * command ends.
 */
async function openCopy(file: string, copyFolder: string, isStopped: () => boolean): Promise<ReadStore> {
  const folder = makeCopyFolder(file, copyFolder);
  let connection: Connection | null = null;
  try {
    const copy = join(folder, 'copy.db');
    await copyFiles(file, copy, { isNew: true, beforePiece: () => checkStopped(isStopped) });
    connection = new Sqlite(copy, { fileMustExist: true });
    connection.pragma('query_only = ON');
    // The first read opens the log, too.
    connection.pragma('schema_version');
    rmSync(folder, { recursive: true, force: true });
    await checkStopped(isStopped);
    const database = withoutLimit(connection);
    return { database, isServed: false, close: () => database.close() };
  } catch (error) {
    connection?.close();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets signals arrive, and throws StartupError after one of them. */
async function checkStopped(isStopped: () => boolean): Promise<void> {
  await setImmediate();
  if (isStopped()) throw new StartupError('Interrupted; nothing was changed.');
}

function makeCopyFolder(file: string, copyFolder: string): string {
  const needed = ['', ...LOGS].reduce((sum, suffix) => sum + fileSize(file + suffix), 0);
  const why = `${file} was not stopped: its log has commits that it lacks, so it is read as a copy of ${Math.ceil(needed / MIB)} MiB`;
  const way = 'set TMPDIR to a folder with more space, or start the server and repeat this beside it';
  let free: number;
  let folder: string;
  try {
    const { bavail, bsize } = statfsSync(copyFolder);
    free = bavail * bsize;
    if (needed <= free) folder = mkdtempSync(join(copyFolder, 'touchstone-read-'));
    else folder = '';
  } catch (error) {
    throw new NoCopyError(
      `${why}, and ${copyFolder} does not take it (${(error as NodeJS.ErrnoException).code}); ${way}.`,
    );
  }
  if (folder !== '') return folder;
  throw new NoCopyError(`${why}, and ${Math.floor(free / MIB)} MiB are free in ${copyFolder}; ${way}.`);
}
