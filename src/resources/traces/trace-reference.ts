import { AppError } from '../../errors.ts';
import type { Column } from '../../storage/column.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf } from '../../storage/dialect.ts';
import { formatUuid, otelTraceUuid, traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';

/** The 16 bytes under which the trace that the API shows as `id` is stored. Throws `not_found`. */
export function requireTrace(database: Database, application: number, id: string): Buffer {
  const trace = findStoredTrace(database, application, traceIdCandidates(id));
  if (!trace) throw new AppError('not_found', 'trace not found');
  return trace.traceId;
}

/** Rows whose `trace_id` is that of one of the traces that the API shows as `ids`. */
export function ofTraces(ids: readonly string[]): SqlFragment {
  const candidates = ids.flatMap(traceIdCandidates);
  return { sql: `trace_id IN (${candidates.map(() => '?').join(', ')})`, values: candidates };
}

/** A trace that a row refers to: 16 bytes in the store, in records the uuid under which the API shows it. */
export const traceReference: Column<Uint8Array, string> = {
  encode: (id) => id,
  /** Selects the reference in hex, after a 1 when the trace is native, whose id is a uuid already. */
  select: (column, table) => `CASE WHEN ${column} IS NOT NULL THEN coalesce((SELECT native FROM trace
    WHERE trace.application = ${table}.application AND trace.trace_id = ${column}), 0) || ${hexOf(column)} END`,
  decode(value) {
    const [native, ...hex] = value as string;
    const id = Buffer.from(hex.join(''), 'hex');
    return native === '1' ? formatUuid(id) : otelTraceUuid(id);
  },
};
