import { commands, queries } from '../operations.ts';
import type { Read, Write } from '../storage/calls.ts';
import type { StoreConnection } from '../storage/database.ts';
import { type AnyOperation } from '../storage/operations.ts';

/** Calls of the commands and queries of the server on a connection of this process; each command is a transaction. */
export interface DirectCalls {
  read: Read;
  write: Write;
}

export const directCalls = (database: StoreConnection): DirectCalls => ({
  read: (async (name: keyof typeof queries, args: unknown) =>
    (queries[name] as AnyOperation)(database, args)) as unknown as Read,
  write: (async (name: keyof typeof commands, args: unknown, bytes?: Uint8Array) =>
    database.transaction(() => (commands[name] as AnyOperation)(database, args, bytes))) as unknown as Write,
});
