import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';

const REGISTRY = Symbol.for('touchstone.open-stores');

/** A store that is open, and the number of those who opened it. */
interface Opened {
  descriptor: number;
  count: number;
}

/**
 * Stores to which threads of this process have connections, by their paths. All copies of this module share it, such as
 * those of the sources and of the build in a test.
 */
const open: Map<string, Opened> = ((globalThis as { [REGISTRY]?: Map<string, Opened> })[REGISTRY] ??=
  new Map());

/** A store to which this process has connections. */
export interface OpenedStore {
  /** Descriptor of the database for syncs, and for what is below SQLite; -1 if the file cannot be opened, which the first connection reports. */
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
  const opened = open.get(path) ?? { descriptor: openFile(file), count: 0 };
  open.set(path, opened);
  opened.count += 1;
  const end = (): void => {
    opened.count -= 1;
    if (opened.count > 0) return;
    open.delete(path);
    if (opened.descriptor >= 0) closeSync(opened.descriptor);
  };
  return { descriptor: opened.descriptor, end };
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r+');
  } catch {
    return -1;
  }
}

/** Reports whether threads of this process have connections to a store. */
export const isOpenHere = (file: string): boolean => open.has(resolve(file));
