import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

const MIB = 1024 * 1024;
const SIZE_MIB = 4_096;
/** Space that is left when the disk is full: SQLite writes a little, then fails in the middle. */
const LEFT_BYTES = 256 * 1024;
const MAX_TRIES = 20;
/** No file may grow beyond this size while writes fail; the store and its log are larger. */
const FILE_LIMIT_BYTES = MIB;

/** The disk of the store, which can be full. */
export interface Disk {
  folder: string;
  /** Leaves hardly any space; null if this machine allows no file system of its own. */
  fill: (() => void) | null;
  free: () => void;
  remove: () => void;
}

/** Mounts a small file system in memory where that is allowed. */
export function openDisk(folder: string): Disk {
  mkdirSync(folder, { recursive: true });
  const none: Disk = { folder, fill: null, free: () => undefined, remove: () => undefined };
  if (process.platform !== 'linux') return none;
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'touchstone-chaos', folder);
  } catch {
    return none;
  }
  const resize = (bytes: number): void => run('mount', '-o', `remount,size=${bytes}`, folder);
  return {
    folder,
    fill: () => {
      for (let tries = 1; ; tries++) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        try {
          return resize((blocks - bfree) * bsize + tries * LEFT_BYTES);
        } catch (error) {
          // The server has written more in the meantime.
          if (tries === MAX_TRIES) throw error;
        }
      }
    },
    free: () => resize(SIZE_MIB * MIB),
    remove: () => run('umount', '--lazy', folder),
  };
}

/** Makes the kernel reject writes of a process beyond the first MiB of a file, or allows them again. Returns whether it could. */
export function limitFileSize(pid: number, isLimited: boolean): boolean {
  try {
    // Only the soft limit, which needs no privilege to be raised again.
    run('prlimit', '--pid', String(pid), `--fsize=${isLimited ? FILE_LIMIT_BYTES : 'unlimited'}:`);
    return true;
  } catch {
    return false;
  }
}

const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { stdio: 'ignore' });
};
