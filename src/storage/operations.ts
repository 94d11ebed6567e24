import type { Transferable } from 'node:worker_threads';
import type { Database } from './sqlite/database.ts';

/**
 * What rooms above bring to the store: named functions with plain arguments, run where the connection is.
 * A *command* runs in the writer, inside a transaction; a *query* runs in a reader, on one snapshot.
 */
export type Operation = (database: Database, args: never) => unknown;
export type Operations = Readonly<Record<string, Operation>>;

/** Calls operations of a set by name from another thread. Values cross by structured clone. */
export type Call<T extends Operations> = <K extends keyof T & string>(
  name: K,
  args: Parameters<T[K]>[1],
  transfer?: readonly Transferable[],
) => Promise<ReturnType<T[K]>>;

/** The operation of that name, to be called with whatever came for it. */
export function findOperation(
  operations: Operations,
  name: string,
): ((database: Database, args: unknown) => unknown) | undefined {
  return Object.hasOwn(operations, name)
    ? (operations[name] as (database: Database, args: unknown) => unknown)
    : undefined;
}
