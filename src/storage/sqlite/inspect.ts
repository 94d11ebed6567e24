import { closeSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { StartupError } from '../../errors.ts';
import { findLogDamage, logDamageText } from './log-damage.ts';
import { LOG_MAGIC } from './log-frames.ts';
import { isOpenHere } from './open-stores.ts';

const SQLITE_HEADER = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/**
 * Inspects the files of a store before SQLite does, which would treat a missing file as an empty store and delete its
 * log. Only reads. Throws StartupError when the files cannot be a store. Looks at nothing in a process that has the store
 * open: it was inspected then, and to close the file would release the locks of all connections of the process.
 */
export function inspectStore(file: string): void {
  if (isOpenHere(file)) return;
  const [store, log] = [file, `${file}-wal`].map(statOf) as [Stats | undefined, Stats | undefined];
  statOf(`${file}-shm`);
  const logBytes = log?.size ?? 0;
  if (store === undefined || store.size === 0) {
    if (logBytes === 0) return;
    throw new StartupError(
      `${file} is ${store ? 'empty' : 'missing'}, but its write-ahead log ${file}-wal (${logBytes} bytes) exists; restore the file or a backup, or move the log away to start with an empty store.`,
    );
  }
  inspectHeader(file, store.size, logBytes > 0);
  const magic = magicOf(`${file}-wal`);
  // A loss of power may leave zeros, before anything was committed to the log.
  if (magic !== 0 && magic !== LOG_MAGIC && magic !== LOG_MAGIC + 1) {
    throw new StartupError(
      `${file}-wal is not a write-ahead log, so the last commits in it are lost; restore a backup, or move it away to start without it.`,
    );
  }
  const damage = findLogDamage(file);
  if (damage) throw new StartupError(logDamageText(damage));
}

function statOf(file: string): Stats | undefined {
  let stat: Stats | undefined;
  try {
    stat = lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new StartupError(
      `${file} cannot be opened; check the permissions of its folders (${(error as Error).message}).`,
    );
  }
  if (stat === undefined || stat.isFile()) return stat;
  // SQLite keeps the log beside the file that the link leads to, and the lock of this folder does not keep other servers from it.
  if (stat.isSymbolicLink())
    throw new StartupError(
      `${file} is a symbolic link; move the file itself here, or set --data-dir to the folder that contains it.`,
    );
  throw new StartupError(
    `${file} is ${stat.isDirectory() ? 'a folder' : 'not a regular file'}; move it away or choose another data folder.`,
  );
}

function inspectHeader(file: string, size: number, hasLog: boolean): void {
  const header = beginningOf(file, HEADER_BYTES);
  const name = header.toString('latin1', 0, SQLITE_HEADER.length);
  if (header.every((byte) => byte === 0)) throw damaged(file, 'its first bytes are zeros');
  if (!SQLITE_HEADER.startsWith(name)) {
    throw new StartupError(`${file} is not a database; move it away or choose another data folder.`);
  }
  if (header.length < HEADER_BYTES) throw damaged(file, `it ends after ${header.length} bytes`);
  const needed = bytesNeeded(header);
  // A log may contain the pages that the file lacks.
  if (!hasLog && size < needed) throw damaged(file, `it ends after ${size} of ${needed} bytes`);
}

/** Returns the bytes of all pages by the header of a database; 0 when the header does not count them. */
function bytesNeeded(header: Buffer): number {
  const pageSize = header.readUInt16BE(16);
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  return isCounted ? (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28) : 0;
}

/** Returns the first number of a log; 0 if it is shorter, or there is none: another program that closes the store deletes it. */
function magicOf(log: string): number {
  try {
    const bytes = beginningOf(log, 4);
    return bytes.length < 4 ? 0 : bytes.readUInt32BE();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Returns the first bytes of a file; fewer when the file is shorter. */
function beginningOf(file: string, bytes: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns an error for a damaged file; `what` completes "<file> is damaged: …". */
export const damaged = (file: string, what: string): StartupError =>
  new StartupError(`${file} is damaged: ${what}; restore a backup.`);
