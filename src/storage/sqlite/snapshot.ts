import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';

const MIB = 1024 * 1024;

/** Returns the free bytes of the disk of a folder. */
export type FreeBytes = (folder: string) => number;

export const diskFree: FreeBytes = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Writes the committed contents of `file` to `<file>.before-<version>`, replacing an earlier snapshot of that
 * version, and returns that path. Throws StartupError when the disk has too little space. A failure leaves no partial
 * file.
 */
export function writeSnapshot(file: string, version: number, freeBytes: FreeBytes): string {
  const target = `${file}.before-${version}`;
  const fresh = `${target}.new`;
  const source = new Sqlite(file, { readonly: true });
  try {
    // Removes the partial file of a killed process.
    rmSync(fresh, { force: true });
    checkFreeSpace(source, file, freeBytes(dirname(file)));
    // SQLite writes into the empty file and keeps its mode.
    closeSync(openSync(fresh, 'wx', 0o600));
    source.prepare('VACUUM INTO ?').run(fresh);
    flush(fresh);
    renameSync(fresh, target);
    return target;
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    source.close();
  }
}

function checkFreeSpace(source: Connection, file: string, free: number): void {
  const [pages, pageSize] = ['page_count', 'page_size'].map((name) =>
    Number(source.pragma(name, { simple: true })),
  ) as [number, number];
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const needed = pages * pageSize + log;
  if (needed <= free) return;
  throw new StartupError(
    `The snapshot of ${file} before its migration needs ${Math.ceil(needed / MIB)} MiB; ${Math.floor(free / MIB)} MiB are free. Free some space, or migrate without a snapshot: \`touchstone migrate --no-snapshot\`.`,
  );
}

/** Syncs the snapshot to disk before the migration begins. */
function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
