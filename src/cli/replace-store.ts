import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { secretKeyFile } from './data-folder.ts';

/** Files that belong to one state of a store. */
export const STORE_FILES = /^touchstone\.db(-wal|-shm)?$/;

/** Moves the present store, and the key if it is replaced too, to a folder of their own; returns that folder. */
export function moveAside(folder: string, withKey: boolean): string | null {
  const isOld = (name: string): boolean =>
    STORE_FILES.test(name) || (withKey && name === basename(secretKeyFile(folder)));
  const old = readdirSync(folder).filter(isOld);
  if (old.length === 0) return null;
  const aside = join(folder, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of old) renameSync(join(folder, name), join(aside, name));
  return aside;
}

/** Syncs the names of the files to disk. Windows does not open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
