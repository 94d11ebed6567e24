/** The build of the sources: what users run, and what starts several times faster than the sources themselves. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as serve from '../../src/cli/serve.ts';
import type * as evaluatePool from '../../src/evaluate/evaluate-pool.ts';
import type * as postgres from '../../src/storage/postgres/client.ts';
import type * as sqlite from '../../src/storage/sqlite/client.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The file of the program. */
export const MAIN = join(ROOT, 'dist/main.js');

/** The single binary, if the tests run against it (`npm run test:binary`). */
const binary = process.env.TOUCHSTONE_TEST_PROGRAM;

/** Returns the command line of the program; options of Node are possible for the build only. */
export const programWith = (
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): [string, string[]] =>
  binary === undefined ? [process.execPath, [...nodeOptions, MAIN, ...args]] : [binary, [...args]];

const load = (file: string): Promise<unknown> => import(pathToFileURL(join(ROOT, 'dist', file)).href);

/** Loads the module that starts a server, with its threads, in this process. */
export const loadServe = async (): Promise<typeof serve> => (await load('cli/serve.js')) as typeof serve;

/** Loads the module that opens a store with its threads. */
export const loadSqlite = async (): Promise<typeof sqlite> =>
  (await load('storage/sqlite/client.js')) as typeof sqlite;

/** Loads the module that opens a store in a database with its threads. */
export const loadPostgres = async (): Promise<typeof postgres> =>
  (await load('storage/postgres/client.js')) as typeof postgres;

/** Loads the module that judges in threads. */
export const loadEvaluatePool = async (): Promise<typeof evaluatePool> =>
  (await load('evaluate/evaluate-pool.js')) as typeof evaluatePool;
