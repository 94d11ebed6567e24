/** Finds the largest traces of an application by the bounds of their ranges, without reading all of its traces. */
import type { Database, SqlValue } from '../storage/database.ts';
import { byKey, numbersOf, orderedJoin } from '../storage/dialect.ts';
import type { SqlFragment } from '../storage/sql.ts';
import { TRACES_PER_RANGE } from './trace-ranges.ts';

/** Fields with a bound, with the SQL of a trace and of a range. */
export const BOUNDED = {
  durationMs: { value: 'end_ns - start_ns', bound: 'duration_ns' },
  cost: { value: 'cost', bound: 'cost' },
  totalTokens: { value: 'total_tokens', bound: 'total_tokens' },
} as const;
export type BoundedField = keyof typeof BOUNDED;

export const isBounded = (field: string): field is BoundedField => field in BOUNDED;

/** Ranges that are read first; then twice as many each time, because the traces that match may be rare. */
const FIRST_RANGES = 32;
/** Share of all ranges, and number of them, beyond which reading every trace by an index is no slower. */
const MAX_SHARE = 0.25;
const MAX_RANGES = 2_048;

export interface LargestTraces {
  application: number;
  /** Condition of the traces that match. */
  where: SqlFragment;
  field: BoundedField;
  /** Number of traces. */
  count: number;
  /** Range of their starts in Unix nanoseconds, inclusive. */
  startDate?: bigint | undefined;
  endDate?: bigint | undefined;
}

interface Found {
  tkey: bigint;
  traceId: Buffer;
  value: number | bigint;
}

/**
 * Returns the keys of the `count` traces with the largest values, the largest first; of equal values, the highest trace
 * id first. Returns null if too many ranges would have to be read.
 */
export function findLargest(database: Database, wanted: LargestTraces): bigint[] | null {
  const ranges = rangesByBound(database, wanted);
  const most = Math.min(MAX_RANGES, ranges.length * MAX_SHARE);
  let largest: Found[] = [];
  let next = 0;
  for (let step = FIRST_RANGES; next < ranges.length; step *= 2) {
    if (next > 0 && next + step > most) return null;
    const read = ranges.slice(next, next + step);
    next += read.length;
    largest = [...largest, ...largestOf(database, read, wanted)].toSorted(compare).slice(0, wanted.count);
    const last = largest[wanted.count - 1];
    // A range with the same bound may have a trace with the same value and a higher id.
    if (last && last.value > (ranges[next]?.bound ?? Number.NEGATIVE_INFINITY)) break;
  }
  return largest.map(({ tkey }) => tkey);
}

interface Range {
  range: bigint;
  bound: number | bigint;
}

function rangesByBound(
  database: Database,
  { application, field, startDate, endDate }: LargestTraces,
): Range[] {
  const conditions = ['application = ?'];
  const values: SqlValue[] = [application];
  if (startDate !== undefined) {
    conditions.push('last_ns >= ?');
    values.push(startDate);
  }
  if (endDate !== undefined) {
    conditions.push('first_ns <= ?');
    values.push(endDate);
  }
  return database.allExact<Range>(
    `SELECT block AS "range", ${BOUNDED[field].bound} AS bound FROM trace_block WHERE ${conditions.join(' AND ')} ORDER BY bound DESC`,
    ...values,
  );
}

function largestOf(
  database: Database,
  ranges: readonly Range[],
  { application, where, field, count }: LargestTraces,
): Found[] {
  const { value } = BOUNDED[field];
  return database.allExact<Found>(
    `SELECT tkey, trace_id AS "traceId", ${value} AS value
     FROM (SELECT block * ${TRACES_PER_RANGE} AS first_key FROM trace_block
       WHERE application = ? AND block IN ${numbersOf('?')}) AS wanted
     ${orderedJoin} trace ${byKey} ON tkey >= first_key AND tkey < first_key + ${TRACES_PER_RANGE}
     WHERE ${where.sql} ORDER BY value DESC, trace_id DESC LIMIT ?`,
    application,
    JSON.stringify(ranges.map(({ range }) => Number(range))),
    ...where.values,
    count,
  );
}

function compare(a: Found, b: Found): number {
  if (a.value !== b.value) return a.value < b.value ? 1 : -1;
  return Buffer.compare(b.traceId, a.traceId);
}
