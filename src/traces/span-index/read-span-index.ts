import { ambiguousId } from '../ids.ts';
import { releaseMemory } from '../../runtime/release-memory.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, inTimeAtEach, orderedJoin } from '../../storage/dialect.ts';
import { TraceFlag } from '../rollup.ts';
import { SpanFlag } from '../span.ts';
import type { TraceKey } from '../trace-keys.ts';
import { SpanColumns, type StoredBlock } from './columns.ts';
import { packSpanIndex } from './pack.ts';
import { RowOfId } from './row-of-id.ts';
import { orderTree } from './tree-order.ts';

/** Most spans of one index; of a larger trace those that arrived first. */
const MAX_SPANS = 1_000_000;
const BLOCKS_AT_ONCE = 256;
const IDS_AT_ONCE = 1_000;

interface Wanted {
  application: number;
  traceIds: Uint8Array[];
}

/** Returns what changes whenever the span index of a trace does; null when there is no such trace. */
export function spanIndexVersion(database: Database, wanted: Wanted): string | null {
  const trace = findTrace(database, wanted);
  return trace && `${trace.tkey}-${trace.version}`;
}

/** Returns the span index of a trace (see `span-index/format.ts`); null when there is no such trace. */
export function readSpanIndex(database: Database, wanted: Wanted): Uint8Array | null {
  const trace = findTrace(database, wanted);
  if (!trace) return null;
  const { blocks, isTruncated } = readBlocks(database, trace);
  const columns = new SpanColumns(blocks);
  const isReplaced =
    trace.flags & TraceFlag.overlap ? replacedEntries(database, trace, columns) : new Set<number>();
  const entries = new Uint32Array(columns.count);
  let count = 0;
  for (let entry = 0; entry < columns.count; entry++) {
    const isTraceEvent = ((columns.flags[entry] as number) & SpanFlag.traceEvent) !== 0;
    if (!isTraceEvent && !isReplaced.has(entry)) entries[count++] = entry;
  }
  const tree = orderTree(columns, entries.slice(0, count));
  const index = packSpanIndex(columns, tree, isTruncated);
  for (const arrays of [columns, columns.usage, tree]) releaseMemory(Object.values(arrays));
  releaseMemory(blocks.map(({ skeleton }) => skeleton));
  return index;
}

interface TraceVersion extends TraceKey {
  flags: number;
  version: number;
}

/** Finds the one of `traceIds` that is stored. Throws `conflict` when several are. */
function findTrace(database: Database, { application, traceIds }: Wanted): TraceVersion | null {
  const rows = database.all<{ tkey: number; flags: number; version: number; traceId: Buffer }>(
    `SELECT tkey, flags, next_seq AS version, trace_id AS "traceId" FROM trace
     WHERE application = ? AND trace_id IN (${traceIds.map(() => '?').join(', ')})`,
    application,
    ...traceIds,
  );
  if (rows.length > 1) throw ambiguousId(rows.map(({ traceId }) => traceId));
  const [row] = rows;
  if (!row) return null;
  const { tkey, flags, version } = row;
  return { application, tkey, flags, version };
}

function readBlocks(
  database: Database,
  { application, tkey }: TraceKey,
): { blocks: StoredBlock[]; isTruncated: boolean } {
  const blocks: StoredBlock[] = [];
  let spans = 0;
  for (let after = -1; ; ) {
    const page = database.all<StoredBlock>(
      `SELECT seq, skeleton FROM chunk WHERE application = ? AND tkey = ? AND seq > ? AND ${inTimeAtEach('seq')}
       ORDER BY seq LIMIT ${BLOCKS_AT_ONCE}`,
      application,
      tkey,
      after,
    );
    for (const block of page) {
      spans += block.skeleton.readUInt16LE(2);
      if (spans > MAX_SPANS) return { blocks, isTruncated: true };
      blocks.push(block);
      after = block.seq;
    }
    if (page.length < BLOCKS_AT_ONCE) return { blocks, isTruncated: false };
  }
}

/** Finds the entries of spans that later blocks replaced, or that were sent again: the directory names the current block. */
function replacedEntries(database: Database, trace: TraceKey, columns: SpanColumns): ReadonlySet<number> {
  const first = new RowOfId(columns.idHigh, columns.idLow, columns.count);
  /** Entry → further entries of the same id. */
  const further = new Map<number, number[]>();
  for (let entry = 0; entry < columns.count; entry++) {
    const known = first.add(entry);
    if (known < 0) continue;
    const others = further.get(known);
    if (others) others.push(entry);
    else further.set(known, [entry]);
  }
  const replaced = new Set<number>();
  const repeated = [...further.keys()];
  for (let from = 0; from < repeated.length; from += IDS_AT_ONCE) {
    const some = repeated.slice(from, from + IDS_AT_ONCE);
    const blockOf = currentBlocks(
      database,
      trace,
      some.map((entry) => idOf(columns, entry)),
    );
    for (const entry of some) {
      const current = blockOf.get(idOf(columns, entry));
      for (const one of [entry, ...(further.get(entry) as number[])])
        if (columns.block[one] !== current) replaced.add(one);
    }
  }
  return replaced;
}

function currentBlocks(
  database: Database,
  { application, tkey }: TraceKey,
  ids: readonly string[],
): Map<string, number> {
  const rows = database.all<{ id: string; block: number }>(
    `SELECT ${hexOf('span_id')} AS id, seq AS block FROM ${each(':ids')} AS wanted ${orderedJoin} span
     ON span_id = ${bytesOf('wanted.value')} AND application = :application AND tkey = :tkey`,
    { ids: JSON.stringify(ids), application, tkey },
  );
  return new Map(rows.map(({ id, block }) => [id, block]));
}

const idOf = ({ idHigh, idLow }: SpanColumns, entry: number): string =>
  hex(idHigh[entry] as number) + hex(idLow[entry] as number);

const hex = (half: number): string => half.toString(16).padStart(8, '0');
