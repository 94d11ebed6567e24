/**
 * The table `trace_block`: upper bounds of what traces are ordered by, for each block of traces whose keys follow one
 * another. A list of the largest traces reads the blocks with the highest bounds only. Bounds are never lowered, so a
 * block may promise more than it has.
 */
import type { Database } from '../storage/database.ts';
import { greater, lesser } from '../storage/dialect.ts';
import type { TraceKey } from './trace-keys.ts';

/** Number of keys in a block: few enough to read, so many that blocks are a small share of all rows. */
export const TRACES_PER_BLOCK = 256;

const blockOf = (tkey: number): number => Math.floor(tkey / TRACES_PER_BLOCK);

/** Values of a trace that its block is found by. */
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
  block: number;
  first: bigint;
  last: bigint;
  duration: bigint;
  cost: number;
  totalTokens: number;
}

/** Bounds that the traces of one commit raise, written together because new traces share a block. */
export class TraceBlocks {
  private readonly blocks = new Map<string, Bounds>();

  raise({ application, tkey }: TraceKey, { start, end, cost, totalTokens }: TraceExtent): void {
    const block = blockOf(tkey);
    const key = `${application} ${block}`;
    const known = this.blocks.get(key);
    const duration = end - start;
    if (!known) {
      this.blocks.set(key, { application, block, first: start, last: start, duration, cost, totalTokens });
      return;
    }
    if (start < known.first) known.first = start;
    if (start > known.last) known.last = start;
    if (duration > known.duration) known.duration = duration;
    if (cost > known.cost) known.cost = cost;
    if (totalTokens > known.totalTokens) known.totalTokens = totalTokens;
  }

  write(database: Database): void {
    for (const { application, block, first, last, duration, cost, totalTokens } of this.blocks.values()) {
      database.run(RAISE, application, block, first, last, duration, cost, totalTokens);
    }
    this.blocks.clear();
  }
}

const RAISED = ['last_ns', 'duration_ns', 'cost', 'total_tokens'];

const RAISE = `INSERT INTO trace_block (application, block, first_ns, last_ns, duration_ns, cost, total_tokens)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (application, block) DO UPDATE SET first_ns = ${lesser('trace_block.first_ns', 'excluded.first_ns')},
    ${RAISED.map((column) => `${column} = ${greater(`trace_block.${column}`, `excluded.${column}`)}`).join(', ')}
  WHERE excluded.first_ns < trace_block.first_ns
    OR ${RAISED.map((column) => `excluded.${column} > trace_block.${column}`).join(' OR ')}`;

/** Raises the bounds of the block of one trace. */
export function raiseBlock(database: Database, key: TraceKey, extent: TraceExtent): void {
  const blocks = new TraceBlocks();
  blocks.raise(key, extent);
  blocks.write(database);
}

/** Raises what a block may cost, when the sums of one of its traces were computed again. */
export function raiseSums(
  database: Database,
  { application, tkey }: TraceKey,
  { cost, totalTokens }: Pick<TraceExtent, 'cost' | 'totalTokens'>,
): void {
  database.run(
    `UPDATE trace_block SET cost = ${greater('cost', ':cost')}, total_tokens = ${greater('total_tokens', ':totalTokens')}
     WHERE application = :application AND block = :block`,
    { application, block: blockOf(tkey), cost, totalTokens },
  );
}

/** Removes the block of a deleted trace when no other trace is in it. */
export function removeEmptyBlock(database: Database, { application, tkey }: TraceKey): void {
  const block = blockOf(tkey);
  const first = block * TRACES_PER_BLOCK;
  const left = database.get(
    'SELECT 1 FROM trace WHERE tkey >= ? AND tkey < ? AND application = ? LIMIT 1',
    first,
    first + TRACES_PER_BLOCK,
    application,
  );
  if (left === undefined) {
    database.run('DELETE FROM trace_block WHERE application = ? AND block = ?', application, block);
  }
}
