import { createClient } from '../api/client.ts';
import { type Flags, readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { Io } from './io.ts';
import { type Api, once } from './test-calls.ts';
import { countText } from '../runtime/count-text.ts';

const MAX_ROWS = 100;
const DEFAULT_ROWS = '20';

export interface ServerReader {
  flags: Flags;
  words: readonly string[];
  /** Makes one call and returns its result; throws StartupError. */
  read: <T>(
    call: (api: Api, init: { signal: AbortSignal; redirect: 'manual' }) => CallResult<T>,
  ) => Promise<T>;
}

type CallResult<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Parses the arguments of a command that reads from a server; `--json` is always allowed. Throws StartupError. */
export function readServer(
  command: string,
  args: readonly string[],
  io: Io,
  { values = [], switches = [] }: { values?: readonly string[]; switches?: readonly string[] } = {},
): ServerReader {
  const { flags, words } = readFlags(args, {
    values: [...values, ...ACCOUNT_FLAGS],
    switches: [...switches, '--json'],
  });
  const account = readAccount(command, flags, io.env);
  const api = createClient(account);
  const never = new AbortController().signal;
  return {
    flags,
    words,
    read: (call) => once(account.baseUrl, never, (init) => call(api, init)),
  };
}

/** Throws StartupError if a command that takes flags only was given a word. */
export function withoutWords(command: string, [word]: readonly string[]): void {
  if (word !== undefined)
    throw new StartupError(`${command} takes no ${JSON.stringify(word.slice(0, 80))}; see help ${command}.`);
}

/** Returns the number of rows that `--limit` allows. Throws StartupError. */
export function rowLimit(flags: Flags): number {
  const text = flags.get('--limit') ?? DEFAULT_ROWS;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_ROWS) return limit;
  throw new StartupError(
    `--limit must be a number from 1 to ${MAX_ROWS}, not ${JSON.stringify(text.slice(0, 80))}.`,
  );
}

interface Listed<Row> {
  data: readonly Row[];
  pagination: { total: number };
}

/** Prints a page of a list as JSON if `--json` is given, and else as a table. `next` says what can be done with a row. */
export function printList<Row>(
  io: Io,
  flags: Flags,
  listed: Listed<Row>,
  { what, tableOf, next }: { what: string; tableOf: (rows: readonly Row[]) => string; next: string },
): void {
  const { data, pagination } = listed;
  if (flags.has('--json')) printJson(io, listed);
  else if (data.length === 0) io.out(`There is no such ${what} yet.\n`);
  else io.out(`${tableOf(data)}\n${data.length} of ${countText(pagination.total, what)}. ${next}\n`);
}

/** Prints a response as JSON. */
export const printJson = (io: Io, response: unknown): void =>
  io.out(`${JSON.stringify(response, null, 2)}\n`);
