import type { Database } from '../storage/database.ts';
import { CommandTime } from '../storage/command-time.ts';
import { deleteTrace } from './delete.ts';
import { purgeWithin, type TraceHooks } from './purge.ts';
import { StepBudget } from './purge-step.ts';

/** Cost in rows of the row of a trace, its texts, pairs and indexes. */
const TRACE_ROWS = 20;

interface PruneTraces {
  application: number;
  /** Keys of the traces, which may be deleted in part already. */
  tkeys: readonly number[];
  at: number;
  /** Unix milliseconds until which spans of the traces are rejected; null = always. */
  rejectUntil: number | null;
}

/**
 * Deletes traces with all that belongs to them, as many as one command may; returns how many of the keys are done. The next
 * one may be deleted in part: call again with the rest.
 */
export function pruneTraces(
  database: Database,
  { application, tkeys, at, rejectUntil }: PruneTraces,
  hooks: TraceHooks,
): number {
  const budget = new StepBudget();
  const time = new CommandTime();
  for (const [done, tkey] of tkeys.entries()) {
    if (budget.isSpent || (done > 0 && time.isOver)) return done;
    const trace = database.get<{ traceId: Buffer }>(
      'SELECT trace_id AS "traceId" FROM trace WHERE application = :application AND tkey = :tkey',
      { application, tkey },
    );
    if (trace) {
      deleteTrace(database, { application, traceIds: [trace.traceId], at, rejectUntil }, hooks);
      budget.spend(TRACE_ROWS, 0);
    }
    if (!purgeWithin(database, { application, tkey }, budget, hooks)) return done;
  }
  return tkeys.length;
}

/** Deletes some of the marks of deleted traces whose later spans are no longer rejected; returns how many. */
export const dropTombstones = (database: Database, { at, limit }: { at: number; limit: number }): number =>
  database.run(
    `DELETE FROM tombstone WHERE (application, trace_id) IN (
       SELECT application, trace_id FROM tombstone WHERE expires_at < :at ORDER BY expires_at LIMIT :limit)`,
    { at, limit },
  );
