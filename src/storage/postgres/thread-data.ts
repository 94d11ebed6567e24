import type { MessagePort } from 'node:worker_threads';
import type { DatabaseConnectionOptions } from './connection.ts';
import { PostgresDatabase } from './database.ts';
import { ThreadNumbers } from './numbers.ts';
import type { DatabaseTarget } from './target.ts';

/** Data with which a thread for commands or queries is started. */
export interface PostgresThreadData {
  target: DatabaseTarget;
  /** Port of the thread that speaks with the database. */
  io: MessagePort;
  numbers: SharedArrayBuffer;
  commits: SharedArrayBuffer;
  /** Data for the module whose queries the threads run. */
  forQueries: unknown;
}

/** Messages to such a thread besides calls: a port with further calls, or the end. */
export type ThreadControl = { connect: MessagePort } | { close: true };

/** Limits of statements of a server in milliseconds. */
const LIMITS = { statementMs: 10_000, lockMs: 5_000 };

/** Opens the connection of a thread, whose round trips are counted. */
export function openThread({ target, io, numbers: buffer }: PostgresThreadData): {
  database: PostgresDatabase;
  numbers: ThreadNumbers;
} {
  const numbers = new ThreadNumbers(buffer);
  const trips = {
    get count() {
      return numbers.get('roundTrips');
    },
    set count(value: number) {
      numbers.set('roundTrips', value);
    },
    get waitedMs() {
      return numbers.get('roundTripSeconds') * 1_000;
    },
    set waitedMs(value: number) {
      numbers.set('roundTripSeconds', value / 1_000);
    },
  };
  const options: DatabaseConnectionOptions = { target, limits: LIMITS, io, trips };
  return { database: new PostgresDatabase(options), numbers };
}
