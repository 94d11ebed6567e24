import { resolve } from 'node:path';

/** Paths of the stores to which threads of this process have connections, with the number of those who opened them. */
const open = new Map<string, number>();

/**
 * Records that this process has a store open, and returns the function that ends it. From then on nothing of the process
 * may open the files of the store except SQLite: to close any descriptor of a file releases all POSIX locks that the
 * process has on it, and the next program that opens and closes the store would delete its log.
 */
export function markOpen(file: string): () => void {
  const path = resolve(file);
  open.set(path, (open.get(path) ?? 0) + 1);
  return () => {
    const left = (open.get(path) ?? 1) - 1;
    if (left > 0) open.set(path, left);
    else open.delete(path);
  };
}

/** Reports whether threads of this process have connections to a store. */
export const isOpenHere = (file: string): boolean => open.has(resolve(file));
