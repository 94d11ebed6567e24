/**
 * The table `trace_block`: upper bounds of what traces are ordered by, for each range of keys of traces. A list of the
 * largest traces reads the ranges with the highest bounds only. Bounds are never lowered, so those of a range may be
 * wider than its traces need.
 */
import type { Database, RowStatement } from '../storage/database.ts';
import { greater, lesser } from '../storage/dialect.ts';
import { inKeyOrder } from '../storage/row-set.ts';
import type { TraceKey } from './trace-keys.ts';

/** Number of keys in a range: few enough to read, so many that ranges are a small share of all rows. */
export const TRACES_PER_RANGE = 256;

const rangeOf = (tkey: number): number => Math.floor(tkey / TRACES_PER_RANGE);

/** Values of a trace that its range is found by. */
export interface TraceExtent {
  /** Unix nanoseconds. */
  start: bigint;
  end: bigint;
  /** US dollars. */
  cost: number;
  totalTokens: number;
}

interface Bounds {
  application: number;
  range: number;
  first: bigint;
  last: bigint;
  duration: bigint;
  cost: number;
  totalTokens: number;
}

/** Bounds that the traces of one commit raise, written together because new traces share a range. */
export class TraceRanges {
  private readonly ranges = new Map<string, Bounds>();

  raise({ application, tkey }: TraceKey, { start, end, cost, totalTokens }: TraceExtent): void {
    const range = rangeOf(tkey);
    const key = `${application} ${range}`;
    const known = this.ranges.get(key);
    const duration = end - start;
    if (!known) {
      this.ranges.set(key, { application, range, first: start, last: start, duration, cost, totalTokens });
      return;
    }
    if (start < known.first) known.first = start;
    if (start > known.last) known.last = start;
    if (duration > known.duration) known.duration = duration;
    if (cost > known.cost) known.cost = cost;
    if (totalTokens > known.totalTokens) known.totalTokens = totalTokens;
  }

  write(database: Database): void {
    const rows = inKeyOrder(this.ranges).map(
      ({ application, range, first, last, duration, cost, totalTokens }) => [
        application,
        range,
        first,
        last,
        duration,
        cost,
        totalTokens,
      ],
    );
    database.runMany(RAISE, rows);
    this.ranges.clear();
  }
}

const RAISED = ['last_ns', 'duration_ns', 'cost', 'total_tokens'];

const RAISE: RowStatement = {
  sql: `INSERT INTO trace_block (application, block, first_ns, last_ns, duration_ns, cost, total_tokens)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (application, block) DO UPDATE SET first_ns = ${lesser('trace_block.first_ns', 'excluded.first_ns')},
    ${RAISED.map((column) => `${column} = ${greater(`trace_block.${column}`, `excluded.${column}`)}`).join(', ')}
  WHERE excluded.first_ns < trace_block.first_ns
    OR ${RAISED.map((column) => `excluded.${column} > trace_block.${column}`).join(' OR ')}`,
  columns: ['integer', 'integer', 'integer', 'integer', 'integer', 'real', 'integer'],
};

/** Raises the bounds of the range of one trace. */
export function raiseRange(database: Database, key: TraceKey, extent: TraceExtent): void {
  const ranges = new TraceRanges();
  ranges.raise(key, extent);
  ranges.write(database);
}

/** Raises the cost and the tokens of a range, when the sums of one of its traces were computed again. */
export function raiseSums(
  database: Database,
  { application, tkey }: TraceKey,
  { cost, totalTokens }: Pick<TraceExtent, 'cost' | 'totalTokens'>,
): void {
  database.run(
    `UPDATE trace_block SET cost = ${greater('cost', ':cost')}, total_tokens = ${greater('total_tokens', ':totalTokens')}
     WHERE application = :application AND block = :range`,
    { application, range: rangeOf(tkey), cost, totalTokens },
  );
}

/** Removes the range of a deleted trace when no other trace is in it. */
export function removeEmptyRange(database: Database, { application, tkey }: TraceKey): void {
  const range = rangeOf(tkey);
  const first = range * TRACES_PER_RANGE;
  const left = database.get(
    'SELECT 1 FROM trace WHERE tkey >= ? AND tkey < ? AND application = ? LIMIT 1',
    first,
    first + TRACES_PER_RANGE,
    application,
  );
  if (left === undefined) {
    database.run('DELETE FROM trace_block WHERE application = ? AND block = ?', application, range);
  }
}
