import {
  INDEX_COLUMN_TYPES,
  type ColumnName,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  RowFlag,
  type SpanIndexHeader,
  UsageFlag,
} from './format.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The model call of a row. */
export interface RowUsage {
  model: string | null;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  /** US dollars; null when unknown. */
  cost: number | null;
  /** True if spans below report the same: sums over several rows leave it out. */
  isTokensBelow: boolean;
  isCostBelow: boolean;
}

/**
 * A span index (see `format.ts`) in a browser or in Node. Makes no object for a row: rows are numbers, and what is known of
 * a row is read from the columns, which are views of the bytes.
 */
export class SpanIndex {
  readonly header: Readonly<SpanIndexHeader>;
  readonly rows: number;
  /** Ticks from the origin to the start, and from the start to the end: for drawing many rows. */
  readonly startTicks: Uint32Array;
  readonly durationTicks: Uint32Array;
  readonly depths: Uint16Array | Uint32Array;
  readonly kinds: Uint8Array;
  /** Bits of `RowFlag`. */
  readonly flags: Uint8Array;
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly columnsAt: number;
  private readonly names: Uint16Array | Uint32Array;
  private readonly ids: Uint8Array;
  private readonly usage: Record<Extract<ColumnName, `usage${string}`>, Numbers>;
  private duration: number | null = null;
  private links: { parents: Int32Array; ends: Uint32Array } | null = null;

  /** `bytes` is a complete response. Of one that still arrives, its ids may follow later in the same buffer. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    // Columns are views, which begin at a multiple of the size of their numbers.
    this.bytes = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const { header, columnsAt } = readHeader(this.bytes);
    this.header = header;
    this.rows = header.rows;
    this.columnsAt = columnsAt;
    this.startTicks = this.column('start') as Uint32Array;
    this.durationTicks = this.column('duration') as Uint32Array;
    this.names = this.column('name') as Uint16Array | Uint32Array;
    this.depths = this.column('depth') as Uint16Array | Uint32Array;
    this.kinds = this.column('kind') as Uint8Array;
    this.flags = this.column('flags') as Uint8Array;
    this.ids = this.column('id') as Uint8Array;
    this.usage = {
      usageRow: this.column('usageRow'),
      usageModel: this.column('usageModel'),
      usageInputTokens: this.column('usageInputTokens'),
      usageOutputTokens: this.column('usageOutputTokens'),
      usageTotalTokens: this.column('usageTotalTokens'),
      usageCost: this.column('usageCost'),
      usageFlags: this.column('usageFlags'),
    };
  }

  /** Unix milliseconds of the earliest start. */
  get originMs(): number {
    return Number(BigInt(this.header.origin) / 1_000n) / 1_000;
  }

  /** Milliseconds from the origin to the latest end. Found when first needed, because a page reads it in each frame. */
  get durationMs(): number {
    if (this.duration !== null) return this.duration;
    let latest = 0;
    for (let row = 0; row < this.rows; row++)
      latest = Math.max(latest, (this.startTicks[row] as number) + (this.durationTicks[row] as number));
    return (this.duration = this.toMs(latest));
  }

  /** Milliseconds from the origin to the start of a row; of a placeholder, to the start of its earliest child. */
  start(row: number): number {
    return this.toMs(this.startTicks[row] as number);
  }

  /** Milliseconds from the origin to the end of a row. */
  end(row: number): number {
    return this.toMs((this.startTicks[row] as number) + (this.durationTicks[row] as number));
  }

  name(row: number): string {
    return this.isPlaceholder(row) ? '' : (this.header.names[this.names[row] as number] ?? '');
  }

  /** Returns the place of a row's name in `header.names`; that of a placeholder means nothing. */
  nameIndex(row: number): number {
    return this.names[row] as number;
  }

  kind(row: number): string {
    return this.header.kinds[this.kinds[row] as number] ?? 'SPAN';
  }

  depth(row: number): number {
    return this.depths[row] as number;
  }

  /** Returns the row of the parent; -1 at the top level. */
  parent(row: number): number {
    return this.linked().parents[row] as number;
  }

  /** Returns the row after the last one below a row: rows from `row` up to it are its subtree. */
  subtreeEnd(row: number): number {
    return this.linked().ends[row] as number;
  }

  hasChildren(row: number): boolean {
    return row + 1 < this.rows && (this.depths[row + 1] as number) > (this.depths[row] as number);
  }

  has(row: number, flag: keyof typeof RowFlag): boolean {
    return ((this.flags[row] as number) & RowFlag[flag]) !== 0;
  }

  isPlaceholder(row: number): boolean {
    return this.has(row, 'placeholder');
  }

  /** Returns the span id of a row as 16 hex digits. */
  spanId(row: number): string {
    let id = '';
    for (let at = row * 8; at < row * 8 + 8; at++) id += HEX[this.ids[at] as number] as string;
    return id;
  }

  /** Returns the row of a span id; -1 when there is none. */
  rowOf(spanId: string): number {
    const wanted = Array.from({ length: 8 }, (_, i) => Number.parseInt(spanId.slice(i * 2, i * 2 + 2), 16));
    for (let row = 0; row < this.rows; row++) {
      let same = 0;
      while (same < 8 && this.ids[row * 8 + same] === wanted[same]) same++;
      if (same === 8) return row;
    }
    return -1;
  }

  model(row: number): string | null {
    return this.usageOf(row)?.model ?? null;
  }

  tokens(row: number): number {
    return this.usageOf(row)?.totalTokens ?? 0;
  }

  /** US dollars; null when unknown. */
  cost(row: number): number | null {
    return this.usageOf(row)?.cost ?? null;
  }

  /** Returns the model call of a row, or null. */
  usageOf(row: number): RowUsage | null {
    const { usage } = this;
    const at = indexOf(usage.usageRow, row);
    if (at < 0) return null;
    const model = usage.usageModel[at] as number;
    const cost = usage.usageCost[at] as number;
    const flags = usage.usageFlags[at] as number;
    return {
      model: model === 0 ? null : (this.header.models[model - 1] ?? null),
      inputTokens: usage.usageInputTokens[at] as number,
      outputTokens: usage.usageOutputTokens[at] as number,
      totalTokens: usage.usageTotalTokens[at] as number,
      cost: Number.isNaN(cost) ? null : cost,
      isTokensBelow: (flags & UsageFlag.tokensBelow) !== 0,
      isCostBelow: (flags & UsageFlag.costBelow) !== 0,
    };
  }

  private toMs(ticks: number): number {
    return (ticks * this.header.tick) / 1e6;
  }

  private column(name: ColumnName): Numbers {
    const { type, offset, length } = this.header.columns[name];
    return new INDEX_COLUMN_TYPES[type](
      this.bytes.buffer,
      this.bytes.byteOffset + this.columnsAt + offset,
      length,
    );
  }

  /** Finds parents and ends of subtrees from the depths, when they are first needed. */
  private linked(): { parents: Int32Array; ends: Uint32Array } {
    if (this.links) return this.links;
    const parents = new Int32Array(this.rows);
    const ends = new Uint32Array(this.rows);
    /** The rows from the top level down to the current one. */
    const path: number[] = [];
    for (let row = 0; row < this.rows; row++) {
      const depth = this.depths[row] as number;
      while (path.length > depth) ends[path.pop() as number] = row;
      parents[row] = path.at(-1) ?? -1;
      path.push(row);
    }
    for (const row of path) ends[row] = this.rows;
    return (this.links = { parents, ends });
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Reads the header at the beginning of a response. Throws if it is not a span index of this version. */
function readHeader(bytes: Uint8Array): { header: SpanIndexHeader; columnsAt: number } {
  const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new Error(`A span index begins with "${MAGIC}"; got "${magic}".`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const columnsAt = PREAMBLE_BYTES + view.getUint32(MAGIC.length, true);
  const text = new TextDecoder().decode(bytes.subarray(PREAMBLE_BYTES, columnsAt));
  const header = JSON.parse(text) as SpanIndexHeader;
  const { version } = header as { version: number };
  if (version !== FORMAT_VERSION)
    throw new Error(`Only version ${FORMAT_VERSION} of the span index is supported; got version ${version}.`);
  return { header, columnsAt };
}

/** Returns the place of a number in ascending `numbers`; -1 when it is not among them. */
function indexOf(numbers: Numbers, wanted: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = numbers[middle] as number;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
