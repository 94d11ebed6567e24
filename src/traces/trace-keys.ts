import type { Database } from '../storage/database.ts';
import { lastIdOf } from '../storage/dialect.ts';

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
  private last: number | null = null;

  /**
   * Returns the key of a trace that arrives at `at` (Unix milliseconds): day * 2^27 + a number. Keys grow and are
   * never reused, so that data that still waits for removal belongs to no other trace.
   */
  next(database: Database, at: number): number {
    this.last ??= database.get<{ last: number | null }>(`SELECT ${lastIdOf('trace')} AS last`)?.last ?? 0;
    this.last = Math.max(this.last + 1, firstKeyOf(dayOf(at)));
    return this.last;
  }
}
