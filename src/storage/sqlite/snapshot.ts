import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';

const MIB = 1024 * 1024;

/** Bytes that may still be written in a folder. */
export type FreeBytes = (folder: string) => number;

export const diskFree: FreeBytes = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Writes what is committed in `file` to `<file>.before-<version>`, in the place of an earlier one of that version, and
 * returns that path. Throws StartupError when the disk has no room. Whatever fails, nothing half-written is left there.
 */
export function writeSnapshot(file: string, version: number, freeBytes: FreeBytes): string {
  const target = `${file}.before-${version}`;
  const fresh = `${target}.new`;
  const source = new Sqlite(file, { readonly: true });
  try {
    // One that a kill left behind.
    rmSync(fresh, { force: true });
    checkRoom(source, file, freeBytes(dirname(file)));
    // SQLite writes into an empty file, and leaves its mode as it is.
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

function checkRoom(source: Connection, file: string, free: number): void {
  const [pages, pageSize] = ['page_count', 'page_size'].map((name) =>
    Number(source.pragma(name, { simple: true })),
  ) as [number, number];
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const needed = pages * pageSize + log;
  if (needed <= free) return;
  throw new StartupError(
    `Before ${file} is migrated a snapshot of it is made, which needs ${Math.ceil(needed / MIB)} MiB where ${Math.floor(free / MIB)} MiB are free; make room, or go without by \`touchstone migrate --no-snapshot\`.`,
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
