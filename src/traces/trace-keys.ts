import type { Database } from '../storage/database.ts';
import { takeKeys } from '../storage/dialect.ts';

/** Most blocks of a trace; their sequence numbers begin at 0. */
export const BLOCKS_PER_TRACE = 2 ** 20;

/** Identifies a trace in its rows. */
export interface TraceKey {
  application: number;
  tkey: number;
}

const TRACES_PER_DAY = 2 ** 27;
const DAY_MS = 86_400_000;

/** Returns the day (since 1970-01-01, UTC) that contains a time in Unix milliseconds. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);
/** Returns the day on which the trace of a key arrived. */
export const dayOfKey = (tkey: number): number => Math.floor(tkey / TRACES_PER_DAY);
/** Returns the lowest key of the traces that arrive on a day. */
export const firstKeyOf = (day: number): number => day * TRACES_PER_DAY;

/** Creates keys for the new traces of one transaction. */
export class TraceKeys {
  /** Number of keys that the next statement takes; those that are left over are lost. */
  private readonly count: number;
  private following = 0;
  private left = 0;

  /** `expected`: number of new traces that the transaction may have. */
  constructor(expected: number) {
    this.count = Math.max(1, expected);
  }

  /**
   * Returns the key of a trace that arrives at `at` (Unix milliseconds): day * 2^27 + a number. Keys grow and are
   * never reused, so that data that still waits for removal belongs to no other trace.
   */
  next(database: Database, at: number): number {
    const first = Math.max(this.following, firstKeyOf(dayOf(at)));
    if (this.left === 0 || first > this.following) {
      this.following = database.get<{ key: number }>(TAKE, first, this.count)?.key ?? first;
      this.left = this.count;
    }
    this.left -= 1;
    this.following += 1;
    return this.following - 1;
  }
}

const TAKE = `SELECT ${takeKeys('trace', '?', '?')} AS key`;
