import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, each with `mode`. Throws when one cannot be created, or when a file has
 * its name. `mkdirSync` with `recursive` never returns on a file system that rejects folders with ENOENT (`/proc/x`):
 * it keeps creating the parent, which exists.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !statSync(path, { throwIfNoEntry: false }); path = dirname(path)) {
    missing.push(path);
    if (path === dirname(path)) break;
  }
  if (missing.length === 0) {
    makeOne(resolve(folder), mode);
    return;
  }
  for (const path of missing.reverse()) makeOne(path, mode);
}

/** Creates one folder, which another process may create at the same time. */
function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(path);
    if (!isThere) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
