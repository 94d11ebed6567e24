/**
 * Opens a store for commands that only look at it. SQLite changes the folder of a stopped store even to read it: it
 * makes a log and its index, or copies the log into the database. So a stopped store is read as a file that no program
 * changes, or as a private copy if its log has commits that the database lacks.
 */
import { constants, copyFileSync, mkdtempSync, rmSync, type Stats, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import type { StoreConnection } from '../database.ts';
import { SqliteDatabase } from './database.ts';
import { ImmutableDatabase } from './immutable-database.ts';
import { inspectStore } from './inspect.ts';
import { isFolderLocked } from './lock.ts';
import { NoCopyError, NoStoreError } from './no-store-error.ts';
import { openForReading } from './open.ts';

const MIB = 1024 * 1024;
/** Files with commits that the database may lack. */
const LOGS = ['-wal', '-journal'];

export interface ReadStore {
  database: StoreConnection;
  /** True if a server or another program has the store open. */
  isServed: boolean;
  close: () => void;
}

/**
 * Opens a store of any version and leaves its folder as it is, whether or not a server uses it. `copyFolder` receives a
 * copy if one is needed. Throws StartupError if the files cannot be a store.
 */
export function openToRead(file: string, copyFolder = tmpdir()): ReadStore {
  // Before any connection, because to close the file would release the locks of this process.
  inspectStore(file);
  const isServed = isFolderLocked(dirname(file));
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new NoStoreError(
      `${file} does not exist; start the server once, or set its folder with --data-dir.`,
    );
  if (statSync(file).size === 0 && !isServed)
    throw new NoStoreError(
      `${file} is empty, so a server would begin with an empty store; restore a backup, or delete the file to begin again.`,
    );
  if (isServed) {
    const database = withoutLimit(openForReading(file));
    return { database, isServed, close: () => database.close() };
  }
  return LOGS.some((log) => sizeOf(file + log) > 0) ? openCopy(file, copyFolder) : openAsItIs(file);
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

/** Copies the database with its log. The copy is deleted when it is closed. */
function openCopy(file: string, copyFolder: string): ReadStore {
  const folder = makeCopyFolder(file, copyFolder);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const before = stateOf(file);
    const copy = join(folder, 'copy.db');
    for (const suffix of ['', ...LOGS])
      if (statSync(file + suffix, { throwIfNoEntry: false }))
        copyFileSync(file + suffix, copy + suffix, constants.COPYFILE_FICLONE);
    checkUnchanged(file, before);
    const connection = new Sqlite(copy, { fileMustExist: true });
    connection.pragma('query_only = ON');
    const database = withoutLimit(connection);
    const close = (): void => {
      database.close();
      remove();
    };
    return { database, isServed: false, close };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeCopyFolder(file: string, copyFolder: string): string {
  const needed = ['', ...LOGS].reduce((sum, suffix) => sum + sizeOf(file + suffix), 0);
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

type State = (number | undefined)[];

const stateOf = (file: string): State =>
  ['', ...LOGS].flatMap((suffix) => {
    const stat: Stats | undefined = statSync(file + suffix, { throwIfNoEntry: false });
    return [stat?.size, stat?.mtimeMs];
  });

/** Throws StartupError if a server was started meanwhile, so that what was read may not fit together. */
function checkUnchanged(file: string, before: State): void {
  if (stateOf(file).join() === before.join()) return;
  throw new StartupError(`${file} was changed by another program while it was read; repeat the command.`);
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
