import type { Database, RowStatement } from '../storage/database.ts';
import { greater, lesser } from '../storage/dialect.ts';
import type { TraceKey } from './trace-keys.ts';

/** Delay before a trace with a replaced span is rewritten, plus an amount for each of its spans. */
const REWRITE_DELAY_MS = 1_000;
const REWRITE_DELAY_PER_SPAN_MS = 1;
const QUIET_DELAY_MS = 30_000;

const schedule = (chosen: (a: string, b: string) => string): RowStatement => ({
  sql: `INSERT INTO rewrite (application, tkey, due_at) VALUES (?, ?, ?)
         ON CONFLICT (tkey) DO UPDATE SET due_at = ${chosen('rewrite.due_at', 'excluded.due_at')}`,
  columns: ['integer', 'integer', 'integer'],
});
const SCHEDULE_SOON = schedule(lesser);
const SCHEDULE_ONCE_IDLE = schedule(greater);

type Due = Map<number, TraceKey & { at: number }>;

/** Rewrites that one command schedules. */
export class Rewrites {
  private readonly soon: Due = new Map();
  private readonly onceIdle: Due = new Map();

  /**
   * Schedules the rewrite of a trace with a replaced span, which makes the roll-up stale: the larger the trace, the longer it
   * may be stale, which keeps the cost of rewriting a small share of the cost of ingest.
   */
  addStale(key: TraceKey, at: number, spanCount: number): void {
    const dueAt = at + REWRITE_DELAY_MS + spanCount * REWRITE_DELAY_PER_SPAN_MS;
    this.soon.set(key.tkey, { ...key, at: Math.min(dueAt, this.soon.get(key.tkey)?.at ?? dueAt) });
  }

  /** Schedules the rewrite of a trace with dead bytes or small blocks, which waits until the trace is idle. */
  addWasteful(key: TraceKey, at: number): void {
    this.onceIdle.set(key.tkey, { ...key, at: at + QUIET_DELAY_MS });
  }

  write(database: Database): void {
    const { soon, onceIdle } = this;
    const rowsOf = (due: Due) =>
      [...due.values()].map(({ application, tkey, at }) => [application, tkey, at]);
    for (const tkey of soon.keys()) onceIdle.delete(tkey);
    database.runMany(SCHEDULE_SOON, rowsOf(soon));
    database.runMany(SCHEDULE_ONCE_IDLE, rowsOf(onceIdle));
  }
}
