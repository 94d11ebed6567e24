import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';

const REGISTRY = Symbol.for('touchstone.open-stores');

/**
 * Paths of the stores to which threads of this process have connections, with the number of those who opened them. All
 * copies of this module share it, such as those of the sources and of the build in a test.
 */
const open = ((globalThis as { [REGISTRY]?: Map<string, number> })[REGISTRY] ??= new Map());

/** A store to which this process has connections. */
interface OpenedStore {
  /** Descriptor of the database for syncs; -1 if the file cannot be opened, which the first connection reports. */
  descriptor: number;
  /** Called after the last connection of the process was closed. */
  end: () => void;
}

/**
 * Records that this process has a store open; called before its first connection. From then on nothing of the process may
 * open the files of the store except SQLite: to close any descriptor of a file releases all POSIX locks that the process
 * has on it, and the next program that opens and closes the store would delete its log.
 */
export function markOpen(file: string): OpenedStore {
  const path = resolve(file);
  const descriptor = openFile(file);
  open.set(path, (open.get(path) ?? 0) + 1);
  const end = (): void => {
    if (descriptor >= 0) closeSync(descriptor);
    const left = (open.get(path) ?? 1) - 1;
    if (left > 0) open.set(path, left);
    else open.delete(path);
  };
  return { descriptor, end };
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch {
    return -1;
  }
}

/** Reports whether threads of this process have connections to a store. */
export const isOpenHere = (file: string): boolean => open.has(resolve(file));
