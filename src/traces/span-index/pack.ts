import {
  align,
  COLUMN_NAMES,
  COLUMN_TYPES,
  type Column,
  type ColumnName,
  type ColumnType,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  RowFlag,
  type SpanIndexHeader,
  UsageFlag,
} from '../../span-index/format.ts';
import { SPAN_KINDS, SpanFlag } from '../span.ts';
import type { SpanColumns, SpanUsage } from './columns.ts';
import { startsBeforeParent, type TreeOrder } from './tree-order.ts';
import { reportedBelow } from './usage-below.ts';

const MICROSECOND = 1_000;
const MAX_U16 = 0xffff;
const MAX_U32 = 0xffff_ffff;

/** Flags of a span and the flags of its row that they set. */
const ROW_FLAGS = [
  [SpanFlag.open, RowFlag.open],
  [SpanFlag.costEstimated, RowFlag.costEstimated],
  [SpanFlag.delivery, RowFlag.delivery],
  [SpanFlag.timeAdjusted, RowFlag.skew],
] as const;

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
    ...layout,
  };
  const { bytes, columnsAt } = withHeader(header);
  const target = new ColumnWriter(bytes.buffer, columnsAt, header);
  writeRows(target, columns, tree, clock);
  writeUsage(target, columns, tree, usage);
  return bytes;
}

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
  for (const entry of spans)
    latest = Math.max(
      latest,
      ((endHigh[entry] as number) - high) * 2 ** 32 + ((endLow[entry] as number) - low),
    );
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
  const shapes: Record<ColumnName, readonly [ColumnType, number]> = {
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
    COLUMN_NAMES.map((name): [ColumnName, Column] => {
      const [type, length] = shapes[name];
      const column = { type, offset, length };
      offset += align(length * COLUMN_TYPES[type].BYTES_PER_ELEMENT);
      return [name, column];
    }),
  ) as Layout['columns'];
  return { columns, size: offset };
}

function withHeader(header: SpanIndexHeader): { bytes: Uint8Array<ArrayBuffer>; columnsAt: number } {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerSize = align(text.length);
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
    return new COLUMN_TYPES[type](this.buffer, this.columnsAt + offset, length);
  }

  ids(): DataView {
    const { offset, length } = this.header.columns.id;
    return new DataView(this.buffer, this.columnsAt + offset, length);
  }
}

function writeRows(target: ColumnWriter, columns: SpanColumns, tree: TreeOrder, clock: Clock): void {
  const { startHigh, startLow, endHigh, endLow } = columns;
  const [start, duration] = [target.column('start'), target.column('duration')];
  const [name, depth] = [target.column('name'), target.column('depth')];
  const [kind, flags] = [target.column('kind'), target.column('flags')];
  const ids = target.ids();
  for (let row = 0; row < tree.order.length; row++) {
    const node = tree.order[row] as number;
    const isPlaceholder = node >= tree.spans.length;
    const entry = entryOf(tree, node);
    const begin = ticksTo(clock, startHigh[entry] as number, startLow[entry] as number);
    start[row] = begin;
    depth[row] = tree.depth[node] as number;
    ids.setUint32(row * 8, (isPlaceholder ? columns.parentHigh : columns.idHigh)[entry] as number);
    ids.setUint32(row * 8 + 4, (isPlaceholder ? columns.parentLow : columns.idLow)[entry] as number);
    flags[row] = isPlaceholder ? RowFlag.placeholder : rowFlags(columns, tree, node, entry);
    if (isPlaceholder) continue;
    duration[row] = ticksTo(clock, endHigh[entry] as number, endLow[entry] as number) - begin;
    name[row] = columns.name[entry] as number;
    kind[row] = columns.kind[entry] as number;
  }
}

/** Returns the entry of a span, or that of the earliest child of a placeholder. */
const entryOf = ({ spans, placeholders }: TreeOrder, node: number): number =>
  (node < spans.length ? spans[node] : placeholders[node - spans.length]) as number;

function rowFlags(columns: SpanColumns, tree: TreeOrder, node: number, entry: number): number {
  const ofSpan = columns.flags[entry] as number;
  let flags = columns.isError[entry] === 1 ? RowFlag.error : 0;
  for (const [from, to] of ROW_FLAGS) if (ofSpan & from) flags |= to;
  if ((tree.parent[node] as number) >= tree.spans.length) flags |= RowFlag.orphan;
  if (tree.isCut[node] === 1) flags |= RowFlag.cycle;
  if (startsBeforeParent(columns, tree, node)) flags |= RowFlag.skew;
  return flags;
}

interface UsageRows {
  /** Rows that have a model or usage, in order. */
  rows: number[];
  /** The nodes of these rows. */
  nodes: number[];
}

function usageRows({ usageOf }: SpanColumns, tree: TreeOrder): UsageRows {
  const found: UsageRows = { rows: [], nodes: [] };
  for (let row = 0; row < tree.order.length; row++) {
    const node = tree.order[row] as number;
    if (node >= tree.spans.length || usageOf[tree.spans[node] as number] === 0) continue;
    found.rows.push(row);
    found.nodes.push(node);
  }
  return found;
}

function writeUsage(
  target: ColumnWriter,
  columns: SpanColumns,
  tree: TreeOrder,
  { rows, nodes }: UsageRows,
): void {
  const usageOf = (node: number): SpanUsage =>
    columns.usage[(columns.usageOf[tree.spans[node] as number] as number) - 1] as SpanUsage;
  const ofTokens = nodes.filter((node) => usageOf(node).totalTokens > 0);
  const ofCost = nodes.filter((node) => usageOf(node).cost > 0);
  const [tokensBelow, costBelow] = [reportedBelow(tree.parent, ofTokens), reportedBelow(tree.parent, ofCost)];
  target.column('usageRow').set(rows);
  const [model, flags] = [target.column('usageModel'), target.column('usageFlags')];
  const [input, output] = [target.column('usageInputTokens'), target.column('usageOutputTokens')];
  const [total, cost] = [target.column('usageTotalTokens'), target.column('usageCost')];
  for (const [i, node] of nodes.entries()) {
    const usage = usageOf(node);
    const isKnown = usage.cost !== 0 || (spanFlags(columns, tree, node) & SpanFlag.costKnown) !== 0;
    model[i] = usage.model + 1;
    input[i] = usage.inputTokens;
    output[i] = usage.outputTokens;
    total[i] = usage.totalTokens;
    cost[i] = isKnown ? usage.cost : Number.NaN;
    flags[i] =
      (tokensBelow.has(node) ? UsageFlag.tokensBelow : 0) | (costBelow.has(node) ? UsageFlag.costBelow : 0);
  }
}

const spanFlags = ({ flags }: SpanColumns, { spans }: TreeOrder, node: number): number =>
  flags[spans[node] as number] as number;
