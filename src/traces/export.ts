import type { Owner } from '../contract/owner.ts';
import type { Database } from '../storage/database.ts';
import { placeholders } from '../storage/sql.ts';
import { traceItems } from './list.ts';
import { type TraceFilter, type TracePlace, TraceWhere } from './trace-where.ts';

export interface ExportPage {
  /** Traces as lists show them, the newest first. */
  traces: unknown[];
  /** Place of the last trace of the page; null if no trace follows. */
  last: TracePlace | null;
}

/** Returns a page of an export, which begins after the last trace of the page before. */
export function exportTraces(
  database: Database,
  { filter, limit, ...owner }: Owner & { filter: TraceFilter; limit: number },
): ExportPage {
  const where = new TraceWhere(database, owner.application, filter, {
    isContinued: true,
    limits: { found: limit },
  });
  const places = database.allExact<{ start: bigint; traceId: Buffer; tkey: bigint }>(
    `SELECT start_ns AS start, trace_id AS traceId, tkey FROM trace WHERE ${where.sql}
     ORDER BY start_ns DESC, trace_id DESC LIMIT ?`,
    ...where.values,
    limit,
  );
  const keys = {
    sql: `trace.application = ? AND trace.tkey IN (${placeholders(places)})`,
    values: [owner.application, ...places.map(({ tkey }) => tkey)],
  };
  const traces = traceItems(database, owner, keys, { skip: 0, limit, orderDir: 'desc' });
  const end = places.at(-1);
  return {
    traces,
    last: end && places.length === limit ? { start: end.start, traceId: end.traceId } : where.searchedUntil,
  };
}
