import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { errorCode, StartupError } from '../errors.ts';
import { inspectStore } from '../storage/sqlite/inspect.ts';
import { NoStoreError } from '../storage/sqlite/no-store-error.ts';
import { explainSqliteError } from '../storage/sqlite/open.ts';
import { openToRead, type ReadStore } from '../storage/sqlite/read-store.ts';
import { noStoreText, storeFile } from './data-folder.ts';
import { folderFailure } from './failure.ts';
import { watchInterrupt } from './interrupt.ts';

/** Files that an interrupted command leaves beside the store, and what they are. */
const LEFTOVERS: readonly (readonly [name: RegExp, what: string])[] = [
  [/^touchstone\.db\.before-\d+\.new$/, 'the unfinished snapshot of a migration'],
  [/^touchstone\.db\.restored$/, 'the unfinished copy of a restore'],
  [/\.backup\.part$/, 'an unfinished backup'],
];

export interface Leftover {
  name: string;
  what: string;
}

/** Returns the files in a data folder that an interrupted command has left. */
export const leftovers = (folder: string): Leftover[] =>
  readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const what = LEFTOVERS.find(([pattern]) => pattern.test(name))?.[1];
      return what === undefined ? [] : [{ name, what }];
    });

/**
 * Opens the store of a folder for a command that changes nothing. The caller closes it. Throws StartupError, with one
 * sentence, when a server could not use it either.
 */
export async function openToLook(folder: string): Promise<ReadStore> {
  try {
    // Ends while the store is copied would leave the copy.
    using interrupt = watchInterrupt();
    checkReadable(folder);
    // A log without its store says more than that there is no store.
    inspectStore(storeFile(folder));
    checkPresent(folder);
    return await openToRead(storeFile(folder), { isStopped: interrupt.came });
  } catch (error) {
    throw lookFailure(error, folder);
  }
}

/** Throws when this user may not read the folder or the store. */
function checkReadable(folder: string): void {
  for (const [path, mode] of [
    [folder, constants.R_OK | constants.X_OK],
    [storeFile(folder), constants.R_OK],
  ] as const)
    if (statSync(path, { throwIfNoEntry: false })) accessSync(path, mode);
}

/** Throws NoStoreError when there is no store, and names what looks like one. */
function checkPresent(folder: string): void {
  if (statSync(storeFile(folder), { throwIfNoEntry: false })) return;
  const moved = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).filter((name) => /^replaced-|\.restored$/.test(name))
    : [];
  throw new NoStoreError(
    moved.length === 0
      ? noStoreText(folder)
      : `There is no store in ${folder}, but ${moved.toSorted().join(', ')}: a restore was interrupted; repeat it, or move touchstone.db back from the folder replaced-….`,
  );
}

/** Turns an error of a command that reads a data folder into one sentence; returns unknown errors unchanged. */
export function lookFailure(error: unknown, folder: string): unknown {
  const explained = explainSqliteError(error, storeFile(folder));
  if (explained instanceof StartupError) return explained;
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM')
    return new StartupError(
      `The data folder ${folder} cannot be read (permission denied); run the command as the user who owns it.`,
    );
  return folderFailure(explained, folder);
}
