import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and those it lies in, each with `mode`, unless they exist. Throws when one cannot be created, or when
 * something else has its name. `mkdirSync` with `recursive` never returns on a file system that rejects folders with ENOENT
 * (`/proc/x`): it goes on creating the parent, which exists.
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

/** Another process may create it at the same time. */
function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder(path);
    if (!isThere) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
