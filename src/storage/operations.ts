import type { Database } from './database.ts';

/**
 * Named function that a module adds to the store. It takes plain arguments and runs where the connection is. A
 * *command* runs in the writer, inside a transaction; a *query* runs in a reader, on one snapshot. A command may take
 * bytes besides its arguments.
 */
export type Operation = (database: Database, args: never, bytes?: Uint8Array) => unknown;
/** An operation whose arguments arrived in a message, so that their type is the caller's responsibility. */
export type AnyOperation = (database: Database, args: unknown, bytes?: Uint8Array) => unknown;
export type Operations = Readonly<Record<string, Operation>>;

/** All sets in one. Recursive at its end, because the compiler limits the depth of other recursions to 50. */
type Merged<Sets extends readonly Operations[], Before = unknown> = Sets extends readonly [
  infer First extends Operations,
  ...infer Rest extends readonly Operations[],
]
  ? Merged<Rest, Before & First>
  : Before;

/** Merges sets of operations into one. Throws if two operations have the same name. */
export function mergeOperations<const Sets extends readonly Operations[]>(...sets: Sets): Merged<Sets> {
  const merged = new Map<string, Operation>();
  for (const [name, operation] of sets.flatMap((set) => Object.entries(set))) {
    if (merged.has(name)) throw new Error(`Two operations are named ${name}`);
    merged.set(name, operation);
  }
  return Object.fromEntries(merged) as Merged<Sets>;
}

/** Hooks of features by name: what a command of one feature calls in others. All of a name are called, one after another. */
type HookLists = Readonly<Record<string, readonly unknown[]>>;
type MergedHooks<Sets extends readonly object[]> = Sets extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & MergedHooks<Rest>
  : unknown;

/** Merges hooks of features in the order of the arguments. */
export function mergeHooks<const Sets extends readonly object[]>(...sets: Sets): MergedHooks<Sets> {
  const merged: Record<string, unknown[]> = {};
  for (const [name, hooks] of sets.flatMap((set) => Object.entries(set as HookLists)))
    (merged[name] ??= []).push(...hooks);
  return merged as MergedHooks<Sets>;
}

/** Returns a function that turns functions that call hooks into commands. */
export const withHooks =
  <Hooks>(hooks: Hooks) =>
  <Args, Result>(command: (database: Database, args: Args, hooks: Hooks) => Result) =>
  (database: Database, args: Args): Result =>
    command(database, args, hooks);

/** Returns the operation with that name, to be called with unchecked arguments. */
export function findOperation(operations: Operations, name: string): AnyOperation | undefined {
  return Object.hasOwn(operations, name) ? (operations[name] as AnyOperation) : undefined;
}

/** Records that a command may change, and locks where several commands run at once. */
export type Lock =
  /** Traces in its arguments, with their spans and other data. */
  | 'trace'
  /** Rows of the application in its arguments: in `application`, or in that of one of its fields. */
  | 'application'
  /** Jobs and leases of processes. */
  | 'jobs'
  /** Accounts with their logins and memberships, and the list of applications. */
  | 'people'
  /** Failed attempts to sign in. */
  | 'attempts'
  /** Any record. Of all processes only one, the leader, runs such commands: schedules, completion, monitoring, maintenance. */
  | 'leader'
  /** The lock of the command that it runs, whose name and arguments are in its own: see `lockOf`. */
  | 'inner';

/** Conditions under which a command runs. */
interface Conduct {
  readonly lock: Lock;
  /** True if the command runs in a savepoint of its own. Default: true. */
  readonly hasSavepoint?: boolean;
}
export type Commands = Readonly<Record<string, Operation & Conduct>>;

type Locking<T> = { [K in keyof T]: T[K] & Conduct };

/**
 * Declares what commands lock. The arguments of those that lock an application, or one of their fields, contain it.
 */
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

/** Arguments of a command that runs another one. */
interface OfInner {
  command: string;
  args: unknown;
}
type RunningOthers = Readonly<
  Record<string, (database: Database, args: never, bytes?: Uint8Array) => unknown>
>;

/** Declares commands that run others: each locks what the command locks that it runs. */
export const lockingAsInner = <T extends RunningOthers>(
  commands: T & { [K in keyof T]: Parameters<T[K]>[1] extends OfInner ? T[K] : never },
): Locking<T> => locking('inner', commands);

/** Returns what a command locks, and the arguments that name it. Throws if there is no such command. */
export function lockOf(
  commands: Commands,
  name: string,
  args: unknown,
): { lock: Exclude<Lock, 'inner'>; args: unknown } {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error(`no command ${name}`);
  const { lock } = command;
  if (lock !== 'inner') return { lock, args };
  const inner = args as OfInner;
  return lockOf(commands, inner.command, inner.args);
}

interface OfApplication {
  application: number;
}
/** Set of commands, each of whose arguments contain an application. */
type NamingApplication<T extends Operations> = {
  [K in keyof T]: Parameters<T[K]>[1] extends OfApplication
    ? T[K]
    : Extract<Parameters<T[K]>[1][keyof Parameters<T[K]>[1]], OfApplication> extends never
      ? never
      : T[K];
};

/**
 * Marks a command that runs without a savepoint of its own. With one, SQLite copies the old content of every page
 * that the command changes, which costs more than storing a batch of spans. If such a command throws, the engine
 * rolls back the complete transaction and runs each of its commands again in a transaction of its own.
 */
export const withoutSavepoint = <T extends Operation>(command: T): T =>
  Object.assign(command, { hasSavepoint: false });

/**
 * Marks a query that builds its result in typed arrays. V8 accounts for their memory and frees it in time, so that the reader
 * need not collect garbage after a large result, which would cost as much as the query.
 */
export const withoutGarbage = <T extends Operation>(query: T): T =>
  Object.assign(query, { leavesGarbage: false });

/** Reports whether a large result of a query leaves garbage that V8 would collect much later. */
export const leavesGarbage = (query: Operation): boolean =>
  (query as { leavesGarbage?: boolean }).leavesGarbage ?? true;

export const needsSavepoint = (command: Operation & Partial<Conduct>): boolean =>
  command.hasSavepoint ?? true;
