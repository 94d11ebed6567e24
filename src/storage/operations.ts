import type { Database } from './database.ts';

/**
 * Function that a module brings to the store: named, with plain arguments, run where the connection is. A *command*
 * runs in the writer, inside a transaction; a *query* runs in a reader, on one snapshot. A command may have bytes
 * beside its arguments.
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

/** Records that a command may change, which it locks where several commands run at once. */
export type Lock =
  /** The traces that its arguments name, and what hangs on them. */
  | 'trace'
  /** Rows of the application that its arguments name: `application`, or that of one of its fields. */
  | 'application'
  /** Anything. */
  | 'global';

/** Conditions under which a command runs. */
interface Conduct {
  readonly lock: Lock;
  /** Default: true. */
  readonly hasSavepoint?: boolean;
}
export type Commands = Readonly<Record<string, Operation & Conduct>>;

type Locking<T> = { [K in keyof T]: T[K] & Conduct };

/** Declares what commands lock. Of those that lock an application, the arguments or one of their fields name it. */
export const locking = <L extends Lock, T extends Operations>(
  lock: L,
  commands: T & (L extends 'application' ? NamingApplication<T> : unknown),
): Locking<T> =>
  Object.fromEntries(
    Object.entries<Operation>(commands).map(([name, command]) => {
      const run: Operation = (database, args, bytes) => command(database, args, bytes);
      return [name, Object.assign(run, { lock, hasSavepoint: needsSavepoint(command) })];
    }),
  ) as unknown as Locking<T>;

interface OfApplication {
  application: number;
}
/** Commands as they are; those whose arguments name no application are not assignable. */
type NamingApplication<T extends Operations> = {
  [K in keyof T]: Parameters<T[K]>[1] extends OfApplication
    ? T[K]
    : Extract<Parameters<T[K]>[1][keyof Parameters<T[K]>[1]], OfApplication> extends never
      ? never
      : T[K];
};

/**
 * Marks a command that is run without a savepoint of its own. With one, SQLite keeps the old content of every page the
 * command changes, which for a batch of spans costs more than storing it. If such a command throws, the engine rolls the
 * whole transaction back and runs each of its commands again in a transaction of its own.
 */
export const withoutSavepoint = <T extends Operation>(command: T): T =>
  Object.assign(command, { hasSavepoint: false });

export const needsSavepoint = (command: Operation & Partial<Conduct>): boolean =>
  command.hasSavepoint ?? true;
