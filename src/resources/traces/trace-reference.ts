import { AppError } from '../../errors.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { formatUuid, otelTraceUuid, traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';

/** The 16 bytes under which the trace that REST knows as `id` is stored. Throws `not_found`. */
export function requireTrace(database: Database, application: number, id: string): Buffer {
  const trace = findStoredTrace(database, application, traceIdCandidates(id));
  if (!trace) throw new AppError('not_found', 'trace not found');
  return trace.traceId;
}

/** Rows whose `trace_id` is that of one of the traces that REST knows as `ids`. */
export function ofTraces(ids: readonly string[]): SqlFragment {
  const candidates = ids.flatMap(traceIdCandidates);
  return { sql: `trace_id IN (${candidates.map(() => '?').join(', ')})`, values: candidates };
}

/** A trace as rows of `table` name it; read it with `shownTraceId`. */
export const traceColumns = (table: string): string =>
  `${table}.trace_id AS traceId, (SELECT native FROM trace
     WHERE trace.application = ${table}.application AND trace.trace_id = ${table}.trace_id) AS native`;

export interface TraceColumns {
  traceId: Buffer;
  native: number;
}

/** The uuid under which REST shows the trace. */
export const shownTraceId = ({ traceId, native }: TraceColumns): string =>
  native === 1 ? formatUuid(traceId) : otelTraceUuid(traceId);
