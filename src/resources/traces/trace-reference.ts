import { AppError } from '../../errors.ts';
import type { Column } from '../../storage/column.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf } from '../../storage/dialect.ts';
import { formatUuid, otelTraceUuid, traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';

/** Returns the 16 bytes under which the trace with the API's `id` is stored. Throws `not_found`. */
export function requireTrace(database: Database, application: number, id: string): Buffer {
  const trace = findStoredTrace(database, application, traceIdCandidates(id));
  if (!trace) throw new AppError('not_found', 'trace not found');
  return trace.traceId;
}

/** Returns the SQL condition that `trace_id` is that of one of the traces with the API's `ids`. */
export function ofTraces(ids: readonly string[]): SqlFragment {
  const candidates = ids.flatMap(traceIdCandidates);
  return { sql: `trace_id IN (${candidates.map(() => '?').join(', ')})`, values: candidates };
}

/** Column of a reference to a trace: 16 bytes in the store, the API's uuid in records. */
export const traceReference: Column<Uint8Array, string> = {
  encode: (id) => id,
  /** Selects the reference in hex; a leading 1 marks a native trace, whose id is already a uuid. */
  select: (column, table) => `CASE WHEN ${column} IS NOT NULL THEN coalesce((SELECT native FROM trace
    WHERE trace.application = ${table}.application AND trace.trace_id = ${column}), 0) || ${hexOf(column)} END`,
  decode(value) {
    const [native, ...hex] = value as string;
    const id = Buffer.from(hex.join(''), 'hex');
    return native === '1' ? formatUuid(id) : otelTraceUuid(id);
  },
};
