import type { Owner } from '../contract/owner.ts';
import type { Database } from '../storage/database.ts';
import { traceItems } from './list.ts';
import { type TraceFilter, TraceWhere } from './trace-where.ts';

/** Newest traces of an application among which changes are looked for after an interruption. */
const MAX_NEWEST = 1_000;

/** Returns the traces with these ids that meet the filters, as lists show them, in the order of their start. */
export function changedTraces(
  database: Database,
  { filter, traceIds, ...owner }: Owner & { filter: TraceFilter; traceIds: Uint8Array[] },
): unknown[] {
  const where = new TraceWhere(database, owner.application, {
    ...filter,
    traceIds: filter.traceIds ? common(filter.traceIds, traceIds) : traceIds,
  });
  return traceItems(database, owner, where, { skip: 0, limit: traceIds.length, orderDir: 'asc' });
}

const common = (some: readonly Uint8Array[], others: readonly Uint8Array[]): Uint8Array[] => {
  const known = new Set(others.map((id) => Buffer.from(id).toString('latin1')));
  return some.filter((id) => known.has(Buffer.from(id).toString('latin1')));
};

/** Returns the ids of the traces that changed at `since` or later; see `traceChangesSince`. */
export function tracesChangedSince(
  database: Database,
  args: { application: number; since: number },
): { traceIds: Uint8Array[]; isComplete: boolean } {
  const { changes, isComplete } = traceChangesSince(database, args);
  return { traceIds: changes.map(({ traceId }) => traceId), isComplete };
}

/**
 * Returns the traces that changed at `since` or later, in Unix milliseconds. Looks at the newest MAX_NEWEST traces;
 * `isComplete` is false if the changes reach the oldest of them, so that still older ones have probably changed too.
 */
export function traceChangesSince(
  database: Database,
  { application, since }: { application: number; since: number },
): { changes: { traceId: Uint8Array; updatedAt: number }[]; isComplete: boolean } {
  const newest = database.all<{ traceId: Buffer; updatedAt: number }>(
    `SELECT trace_id AS "traceId", updated_at AS "updatedAt" FROM trace WHERE application = ?
     ORDER BY start_ns DESC, trace_id DESC LIMIT ?`,
    application,
    MAX_NEWEST,
  );
  return {
    changes: newest.filter(({ updatedAt }) => updatedAt >= since),
    isComplete: newest.length < MAX_NEWEST || (newest.at(-1)?.updatedAt ?? 0) < since,
  };
}
