import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Bytes of the database file on which each connection of SQLite has a shared lock (sqliteInt.h: SHARED_FIRST). */
const SHARED_FIRST = 1_073_741_826;
const SHARED_LAST = SHARED_FIRST + 509;
/** Files of a store that exist as long as a connection does, by what follows its name. */
const SUFFIXES = ['', '-wal', '-shm'] as const;
const MAX_INFO_BYTES = 16_384;

/** Error of a server whose store is no longer its own; it must end at once, without closing any connection. */
export class StoreLostError extends Error {
  override readonly name = 'StoreLostError';
}

/** Identity of a file; null if there is none. */
type FileId = string | null;
const UNKNOWN = 'unknown';

/**
 * Watches that a store still belongs to the connections of this process: that its files are those in the folder, and, on
 * Linux, that the kernel still has their lock. Without the lock, the next program that opens and closes the store deletes
 * the log, and what is committed to the deleted file is lost. What was committed before a check that found no fault is safe.
 */
export class StoreHold {
  private readonly paths: readonly string[];
  private readonly ids: readonly FileId[];
  private readonly lock: LockInfo;
  /** Number of checks that found no fault. */
  checks = 0;

  /** Creates the watch. A connection must be open, which has read the store. */
  constructor(file: string) {
    const real = realpathSync(file);
    this.paths = SUFFIXES.map((suffix) => real + suffix);
    this.ids = this.paths.map(fileId);
    this.lock = new LockInfo(real);
  }

  /** True if the system shows the lock; otherwise only the files are compared. */
  get seesLock(): boolean {
    return this.lock.state !== 'unknown';
  }

  /** Returns why the store is no longer that of this process, as a sentence; null while it is. */
  fault(): string | null {
    for (const [index, path] of this.paths.entries()) {
      const id = fileId(path);
      if (id === this.ids[index] || id === UNKNOWN) continue;
      return `${path} was ${id === null ? 'deleted' : 'replaced'} while the server had it open.`;
    }
    if (!this.lock.isHeld()) return `The lock on ${this.paths[0]} is gone.`;
    this.checks += 1;
    return null;
  }
}

/** Returns what identifies a file by its path, without opening it: to close a file would release locks. */
function fileId(path: string): FileId {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.dev}:${stat.ino}` : null;
  } catch {
    // Such as a folder that may not be read for a while: the files are what they were.
    return UNKNOWN;
  }
}

/** Reads from the kernel whether this process has SQLite's lock on a file. */
class LockInfo {
  private readonly id: FileId;
  private readonly buffer = Buffer.alloc(MAX_INFO_BYTES);
  /** Open descriptor of what the kernel reports about the descriptor that has the lock. */
  private info: number | null = null;
  readonly state: 'held' | 'lost' | 'unknown';

  constructor(file: string) {
    this.id = fileId(file);
    if (this.find()) this.state = 'held';
    // The lock of the folder, which this process has: where it is not shown either, no lock is.
    else this.state = showsLocks(join(dirname(file), 'lock.db')) ? 'lost' : 'unknown';
  }

  isHeld(): boolean {
    if (this.state !== 'held') return this.state === 'unknown';
    return (this.info !== null && this.showsShared(this.info)) || this.find();
  }

  /** Looks for the descriptor that has the lock: the one of the connection that was opened first. */
  private find(): boolean {
    if (this.info !== null) closeSync(this.info);
    this.info = null;
    for (const descriptor of descriptorsOf(this.id)) {
      const info = openInfo(descriptor);
      if (info === null) continue;
      if (this.showsShared(info)) {
        this.info = info;
        return true;
      }
      closeSync(info);
    }
    return false;
  }

  private showsShared(info: number): boolean {
    return locksIn(info, this.buffer).some(([first, last]) => first <= SHARED_FIRST && last >= SHARED_LAST);
  }
}

const DESCRIPTORS = '/proc/self/fd';

/** Returns the open descriptors of a file; none where the system does not list them. */
function descriptorsOf(id: FileId): string[] {
  if (id === null) return [];
  try {
    return readdirSync(DESCRIPTORS).filter((descriptor) => fileId(`${DESCRIPTORS}/${descriptor}`) === id);
  } catch {
    return [];
  }
}

function openInfo(descriptor: string): number | null {
  try {
    return openSync(`/proc/self/fdinfo/${descriptor}`, 'r');
  } catch {
    return null;
  }
}

/** Returns the ranges of the POSIX locks that a descriptor has. */
function locksIn(info: number, buffer: Buffer): [first: number, last: number][] {
  try {
    const text = buffer.toString('latin1', 0, readSync(info, buffer, 0, buffer.length, 0));
    return [...text.matchAll(/^lock:.* POSIX .* (\d+) (\d+|EOF)$/gm)].map(([, first, last]) => [
      Number(first),
      last === 'EOF' ? Infinity : Number(last),
    ]);
  } catch {
    return [];
  }
}

const showsLocks = (file: string): boolean =>
  descriptorsOf(fileId(file)).some((descriptor) => {
    const info = openInfo(descriptor);
    if (info === null) return false;
    const isShown = locksIn(info, Buffer.alloc(MAX_INFO_BYTES)).length > 0;
    closeSync(info);
    return isShown;
  });
