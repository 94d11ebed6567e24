import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, which only this user may enter. Throws when one cannot be created. The
 * recursion of `mkdir` never ends in a file system that rejects folders with ENOENT, as `/proc` does.
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !statSync(path, { throwIfNoEntry: false }); path = dirname(path)) {
    missing.push(path);
    if (path === dirname(path)) break;
  }
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Another process may create it at the same time.
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    }
  }
}
