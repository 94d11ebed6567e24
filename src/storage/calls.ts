import type { Operation, Operations } from './operations.ts';

declare const QUERY: unique symbol;
declare const COMMAND: unique symbol;

/** Name of a query, with the type of its function. Whoever imports it does not load the function (ADR 24). */
export type Query<F extends Operation = Operation> = string & { readonly [QUERY]: F };
/** Name of a command, with the type of its function. */
export type Command<F extends Operation = Operation> = string & { readonly [COMMAND]: F };

/** Calls a query in a reader. Values are passed by structured clone. */
export type Read = <F extends Operation>(query: Query<F>, args: Parameters<F>[1]) => Promise<ReturnType<F>>;

/** Calls a command in the writer. Values are passed by structured clone; `bytes` may be moved. */
export type Write = <F extends Operation>(
  command: Command<F>,
  args: Parameters<F>[1],
  bytes?: Uint8Array,
) => Promise<ReturnType<F>>;

/** Calls of the routes of a resource: queries, commands, and the clock. */
export interface StoreCalls {
  read: Read;
  write: Write;
  now: () => number;
}

type QueriesOf<T extends Operations> = { readonly [K in keyof T]: Query<T[K]> };
type CommandsOf<T extends Operations> = { readonly [K in keyof T]: Command<T[K]> };

/** Returns the names of a set of queries, to be destructured. */
export const queriesOf = <T extends Operations>(): QueriesOf<T> => namesOf as QueriesOf<T>;
/** Returns the names of a set of commands, to be destructured. */
export const commandsOf = <T extends Operations>(): CommandsOf<T> => namesOf as CommandsOf<T>;

/** Object whose properties have their own names as values. The names of properties survive bundling, unlike those of functions. */
const namesOf: object = new Proxy({}, { get: (_, name) => name });
