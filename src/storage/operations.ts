import type { Database } from './sqlite/database.ts';

/**
 * What rooms above bring to the store: named functions with plain arguments, run where the connection is.
 * A *command* runs in the writer, inside a transaction; a *query* runs in a reader, on one snapshot. A command may have
 * bytes beside its arguments.
 */
export type Operation = (database: Database, args: never, bytes?: Uint8Array) => unknown;
/** An operation whose arguments came as a message: their type is the caller's promise. */
export type AnyOperation = (database: Database, args: unknown, bytes?: Uint8Array) => unknown;
export type Operations = Readonly<Record<string, Operation>>;

/** Calls operations of a set by name from another thread. Values cross by structured clone; `bytes` may move. */
export type Call<T extends Operations> = <K extends keyof T & string>(
  name: K,
  args: Parameters<T[K]>[1],
  bytes?: Uint8Array,
) => Promise<ReturnType<T[K]>>;

type Merged<Sets extends readonly Operations[]> = Sets extends readonly [
  infer First extends Operations,
  ...infer Rest extends readonly Operations[],
]
  ? First & Merged<Rest>
  : unknown;

/** Merges sets of operations into one. Throws if two operations have the same name. */
export function mergeOperations<const Sets extends readonly Operations[]>(...sets: Sets): Merged<Sets> {
  const merged = new Map<string, Operation>();
  for (const [name, operation] of sets.flatMap((set) => Object.entries(set))) {
    if (merged.has(name)) throw new Error(`Two operations are named ${name}`);
    merged.set(name, operation);
  }
  return Object.fromEntries(merged) as Merged<Sets>;
}

/** Returns the operation of that name, to be called with unchecked arguments. */
export function findOperation(operations: Operations, name: string): AnyOperation | undefined {
  return Object.hasOwn(operations, name) ? (operations[name] as AnyOperation) : undefined;
}

const withoutSavepoints = new WeakSet<Operation>();

/**
 * Marks a command that is run without a savepoint of its own. With one, SQLite keeps the old content of every page the
 * command changes, which for a batch of spans costs more than storing it. If such a command throws, the engine rolls the
 * whole transaction back and runs each of its commands again in a transaction of its own.
 */
export function withoutSavepoint<T extends Operation>(command: T): T {
  withoutSavepoints.add(command);
  return command;
}

export const needsSavepoint = (command: Operation): boolean => !withoutSavepoints.has(command);
