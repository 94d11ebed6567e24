/** Other programs that open the file of a running server, read and close it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Neighbour extends AsyncDisposable {
  /** Row that it read last; null before it read anything. */
  readonly last: unknown;
  /** Number of times that it opened, read and closed the file. */
  readonly rounds: number;
  readonly errors: readonly string[];
  stop: () => Promise<void>;
}

/** Starts a program that opens the file, runs a query, writes nothing and closes it, in a loop. */
export function startNeighbour(file: string, sql: string, pauseMs = 5): Neighbour {
  const script = join(import.meta.dirname, 'neighbour.mjs');
  const child = spawn(process.execPath, [script, file, sql, String(pauseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const state = { last: null as unknown, rounds: 0, errors: [] as string[] };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { saw, error } = JSON.parse(line) as { saw?: unknown; error?: string };
    if (error !== undefined) state.errors.push(error);
    else Object.assign(state, { last: saw, rounds: state.rounds + 1 });
  });
  return {
    get last() {
      return state.last;
    },
    get rounds() {
      return state.rounds;
    },
    errors: state.errors,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Programs that open a database, run a query and close it. Those that the machine lacks are left out. */
const PROGRAMS: readonly ((file: string, sql: string) => [command: string, args: string[]])[] = [
  (file, sql) => ['sqlite3', [file, sql]],
  (file, sql) => [
    'python3',
    [
      '-c',
      'import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nprint(c.execute(sys.argv[2]).fetchone()[0])\nc.close()',
      file,
      sql,
    ],
  ],
];

/** Runs a query, whose result is one number, with each other program that the machine has; returns what they printed. */
export async function readByOthers(file: string, sql: string): Promise<number[]> {
  const results = await Promise.all(
    PROGRAMS.map(async (program) => {
      try {
        return [Number((await run(...program(file, sql))).stdout)];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    }),
  );
  return results.flat();
}
