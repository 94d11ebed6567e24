import type { Database } from '../storage/database.ts';
import { lastIdOf } from '../storage/dialect.ts';

/** Most blocks of a trace; their sequence numbers begin at 0. */
export const CHUNKS_PER_TRACE = 2 ** 20;

/** Identifies a trace in its rows. */
export interface TraceKey {
  application: number;
  tkey: number;
}

const TRACES_PER_DAY = 2 ** 27;
const DAY_MS = 86_400_000;

/** Creates keys for the new traces of one transaction. */
export class TraceKeys {
  private last: number | null = null;

  /**
   * Returns the key of a trace that arrives at `at` (Unix milliseconds): day * 2^27 + a number. Keys grow and are
   * never reused, so that data that still waits for removal belongs to no other trace.
   */
  next(database: Database, at: number): number {
    this.last ??= database.get<{ last: number | null }>(`SELECT ${lastIdOf('trace')} AS last`)?.last ?? 0;
    this.last = Math.max(this.last + 1, Math.floor(at / DAY_MS) * TRACES_PER_DAY);
    return this.last;
  }
}
