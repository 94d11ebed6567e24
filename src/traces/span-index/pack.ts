import {
  alignToEight,
  COLUMN_NAMES,
  INDEX_COLUMN_TYPES,
  type IndexColumn,
  type ColumnName,
  type IndexColumnType,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  RowFlag,
  type SpanIndexHeader,
} from '../../span-index/format.ts';
import { SpanFlag } from '../span.ts';
import { SPAN_KINDS } from '../span-kinds.ts';
import type { SpanColumns } from './columns.ts';
import { outputEntry } from './output-entry.ts';
import { startsBeforeParent, type TreeOrder } from './tree-order.ts';
import { usageFlagsOf } from './usage-elsewhere.ts';

const MICROSECOND = 1_000;
const MAX_U16 = 0xffff;
const MAX_U32 = 0xffff_ffff;

/** Packs the spans of a trace, in the order of its tree. `isTruncated` is true if some of its spans are not among them. */
export function packSpanIndex(columns: SpanColumns, tree: TreeOrder, isTruncated: boolean): Uint8Array {
  const clock = clockOf(columns, tree.spans);
  const names = columns.names.texts;
  const models = columns.models.texts;
  const usage = usageRows(columns, tree);
  const layout = layoutOf(tree, { names: names.length, models: models.length, usage: usage.rows.length });
  const header: SpanIndexHeader = {
    version: FORMAT_VERSION,
    rows: tree.order.length,
    origin: String(clock.origin),
    tick: clock.tick,
    names,
    models,
    kinds: [...SPAN_KINDS],
    truncated: isTruncated || columns.names.isTruncated || columns.models.isTruncated,
    outputSpanId: idAt(columns, outputEntry(columns, tree)),
    ...layout,
  };
  const { bytes, columnsAt } = withHeader(header);
  const target = new ColumnWriter(bytes.buffer, columnsAt, header);
  writeRows(target, columns, tree, clock);
  writeUsage(target, columns, tree, usage);
  return bytes;
}

const idAt = ({ idHigh, idLow }: SpanColumns, entry: number): string | null =>
  entry === -1 ? null : hex(idHigh[entry] as number) + hex(idLow[entry] as number);

const hex = (half: number): string => half.toString(16).padStart(8, '0');

interface Clock {
  /** Unix nanoseconds of the earliest start, and its two halves. */
  origin: bigint;
  high: number;
  low: number;
  /** Nanoseconds of one tick. */
  tick: number;
}

/** Chooses ticks with which the latest end fits into 32 bits. */
function clockOf({ startHigh, startLow, endHigh, endLow }: SpanColumns, spans: Uint32Array): Clock {
  const first = spans[0];
  if (first === undefined) return { origin: 0n, high: 0, low: 0, tick: MICROSECOND };
  const [high, low] = [startHigh[first] as number, startLow[first] as number];
  let latest = 0;
  for (let i = 0; i < spans.length; i++) {
    const entry = spans[i] as number;
    const end = ((endHigh[entry] as number) - high) * 2 ** 32 + ((endLow[entry] as number) - low);
    if (end > latest) latest = end;
  }
  const origin = (BigInt(high) << 32n) | BigInt(low);
  return { origin, high, low, tick: Math.max(MICROSECOND, Math.ceil(latest / MAX_U32)) };
}

/** Returns whole ticks from the origin to a time that is given in two halves. */
const ticksTo = ({ high, low, tick }: Clock, timeHigh: number, timeLow: number): number =>
  Math.floor(((timeHigh - high) * 2 ** 32 + (timeLow - low)) / tick);

type Layout = Pick<SpanIndexHeader, 'columns' | 'size'>;

function layoutOf(
  { order: { length: rows }, maxDepth }: TreeOrder,
  { names, models, usage }: { names: number; models: number; usage: number },
): Layout {
  const shapes: Record<ColumnName, readonly [IndexColumnType, number]> = {
    start: ['u32', rows],
    duration: ['u32', rows],
    name: [names > MAX_U16 ? 'u32' : 'u16', rows],
    depth: [maxDepth > MAX_U16 ? 'u32' : 'u16', rows],
    kind: ['u8', rows],
    flags: ['u8', rows],
    usageRow: ['u32', usage],
    usageModel: [models >= MAX_U16 ? 'u32' : 'u16', usage],
    usageInputTokens: ['f64', usage],
    usageOutputTokens: ['f64', usage],
    usageTotalTokens: ['f64', usage],
    usageCost: ['f64', usage],
    usageFlags: ['u8', usage],
    id: ['u8', rows * 8],
  };
  let offset = 0;
  const columns = Object.fromEntries(
    COLUMN_NAMES.map((name): [ColumnName, IndexColumn] => {
      const [type, length] = shapes[name];
      const column = { type, offset, length };
      offset += alignToEight(length * INDEX_COLUMN_TYPES[type].BYTES_PER_ELEMENT);
      return [name, column];
    }),
  ) as Layout['columns'];
  return { columns, size: offset };
}

function withHeader(header: SpanIndexHeader): { bytes: Uint8Array<ArrayBuffer>; columnsAt: number } {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerSize = alignToEight(text.length);
  const columnsAt = PREAMBLE_BYTES + headerSize;
  const bytes = new Uint8Array(columnsAt + header.size);
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  new DataView(bytes.buffer).setUint32(MAGIC.length, headerSize, true);
  bytes.set(text, PREAMBLE_BYTES);
  bytes.fill(0x20, PREAMBLE_BYTES + text.length, columnsAt);
  return { bytes, columnsAt };
}

/** The columns of a span index as arrays to fill. */
class ColumnWriter {
  private readonly buffer: ArrayBuffer;
  private readonly columnsAt: number;
  private readonly header: SpanIndexHeader;

  constructor(buffer: ArrayBuffer, columnsAt: number, header: SpanIndexHeader) {
    this.buffer = buffer;
    this.columnsAt = columnsAt;
    this.header = header;
  }

  column(name: ColumnName): Uint8Array | Uint16Array | Uint32Array | Float64Array {
    const { type, offset, length } = this.header.columns[name];
    return new INDEX_COLUMN_TYPES[type](this.buffer, this.columnsAt + offset, length);
  }

  ids(): DataView {
    const { offset, length } = this.header.columns.id;
    return new DataView(this.buffer, this.columnsAt + offset, length);
  }
}

function writeRows(target: ColumnWriter, columns: SpanColumns, tree: TreeOrder, clock: Clock): void {
  const { startHigh, startLow, endHigh, endLow, idHigh, idLow, parentHigh, parentLow } = columns;
  const [start, duration] = [target.column('start'), target.column('duration')];
  const [name, depth] = [target.column('name'), target.column('depth')];
  const [kind, flags] = [target.column('kind'), target.column('flags')];
  const ids = target.ids();
  const { order, spans, placeholders } = tree;
  for (let row = 0; row < order.length; row++) {
    const node = order[row] as number;
    const isSpan = node < spans.length;
    // A placeholder has no entry of its own and starts with its earliest child.
    const entry = (isSpan ? spans[node] : placeholders[node - spans.length]) as number;
    const begin = ticksTo(clock, startHigh[entry] as number, startLow[entry] as number);
    start[row] = begin;
    depth[row] = tree.depth[node] as number;
    ids.setUint32(row * 8, (isSpan ? idHigh[entry] : parentHigh[entry]) as number);
    ids.setUint32(row * 8 + 4, (isSpan ? idLow[entry] : parentLow[entry]) as number);
    flags[row] = isSpan ? rowFlags(columns, tree, node, entry) : RowFlag.placeholder;
    if (!isSpan) continue;
    duration[row] = ticksTo(clock, endHigh[entry] as number, endLow[entry] as number) - begin;
    name[row] = columns.name[entry] as number;
    kind[row] = columns.kind[entry] as number;
  }
}

function rowFlags(columns: SpanColumns, tree: TreeOrder, node: number, entry: number): number {
  const ofSpan = columns.flags[entry] as number;
  const isSkewed = (ofSpan & SpanFlag.timeAdjusted) !== 0 || startsBeforeParent(columns, tree, node);
  return (
    (columns.isError[entry] === 1 ? RowFlag.error : 0) |
    ((tree.parent[node] as number) >= tree.spans.length ? RowFlag.orphan : 0) |
    (tree.isBroken[node] === 1 ? RowFlag.cycle : 0) |
    (isSkewed ? RowFlag.skew : 0) |
    (ofSpan & SpanFlag.open ? RowFlag.open : 0) |
    (ofSpan & SpanFlag.costEstimated ? RowFlag.costEstimated : 0) |
    (ofSpan & SpanFlag.delivery ? RowFlag.delivery : 0)
  );
}

interface UsageRows {
  /** Rows that have a model or usage, in order. */
  rows: Uint32Array;
  /** The nodes of these rows. */
  nodes: Uint32Array;
}

function usageRows({ usageOf }: SpanColumns, { order, spans }: TreeOrder): UsageRows {
  const rows = new Uint32Array(order.length);
  const nodes = new Uint32Array(order.length);
  let count = 0;
  for (let row = 0; row < order.length; row++) {
    const node = order[row] as number;
    if (node >= spans.length || usageOf[spans[node] as number] === 0) continue;
    rows[count] = row;
    nodes[count++] = node;
  }
  return { rows: rows.subarray(0, count), nodes: nodes.subarray(0, count) };
}

function writeUsage(
  target: ColumnWriter,
  columns: SpanColumns,
  tree: TreeOrder,
  { rows, nodes }: UsageRows,
): void {
  const { usage, usageOf, flags: spanFlags } = columns;
  const entryOf = (i: number): number => tree.spans[nodes[i] as number] as number;
  const placeOf = (i: number): number => (usageOf[entryOf(i)] as number) - 1;
  const reported = usageFlagsOf(columns, tree.parent, { nodes, entryOf, placeOf });
  target.column('usageRow').set(rows);
  const [model, flags] = [target.column('usageModel'), target.column('usageFlags')];
  const [input, output] = [target.column('usageInputTokens'), target.column('usageOutputTokens')];
  const [total, cost] = [target.column('usageTotalTokens'), target.column('usageCost')];
  for (let i = 0; i < nodes.length; i++) {
    const place = placeOf(i);
    const amount = usage.cost[place] as number;
    const isKnown = amount !== 0 || ((spanFlags[entryOf(i)] as number) & SpanFlag.costKnown) !== 0;
    model[i] = usage.model[place] as number;
    input[i] = usage.inputTokens[place] as number;
    output[i] = usage.outputTokens[place] as number;
    total[i] = usage.totalTokens[place] as number;
    cost[i] = isKnown ? amount : Number.NaN;
    flags[i] = reported[i] as number;
  }
}
