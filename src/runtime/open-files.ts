import { readdirSync, readFileSync } from 'node:fs';

/** Last known limit: without a free descriptor it cannot be read. */
let knownMaxOpenFiles: number | null = null;

/** Returns the limit of open file descriptors; null where the system does not report it. */
export function maxOpenFiles(): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (limit !== undefined) knownMaxOpenFiles = Number(limit);
  } catch {
    // The last known limit is returned.
  }
  return knownMaxOpenFiles;
}

/** Returns the number of open file descriptors; null where the system does not report it. */
export function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EMFILE' ? knownMaxOpenFiles : null;
  }
}
