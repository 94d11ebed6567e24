/**
 * The span index of a trace: the facts about each of its spans that a tree and a timeline need, packed for browsers.
 *
 *   4 bytes "TSIX" · u32 size of the header · header as JSON, filled up with spaces to a multiple of 8 bytes · columns
 *
 * Rows are in the order of the tree, each parent before its children. Columns are arrays of little-endian numbers; each
 * begins at a multiple of 8 bytes. The ids come last, so that a page can be drawn before they have arrived.
 */
export const MEDIA_TYPE = 'application/vnd.touchstone.span-index';
export const FORMAT_VERSION = 1;
export const MAGIC = 'TSIX';
export const PREAMBLE_BYTES = 8;

export const INDEX_COLUMN_TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f64: Float64Array,
} as const;
export type IndexColumnType = keyof typeof INDEX_COLUMN_TYPES;

/** Columns in the order in which they are stored. */
export const COLUMN_NAMES = [
  /** Ticks from the origin to the start. */
  'start',
  /** Ticks from the start to the end. */
  'duration',
  /** Index into `names`. */
  'name',
  /** 0 = top level. With the order of the rows it tells each row's parent. */
  'depth',
  /** Index into `kinds`. */
  'kind',
  /** Bits of `RowFlag`. */
  'flags',
  // Columns with one entry for each row that has a model or usage.
  'usageRow',
  /** 1 + index into `models`; 0 = no model. */
  'usageModel',
  'usageInputTokens',
  'usageOutputTokens',
  'usageTotalTokens',
  /** US dollars; NaN = unknown. */
  'usageCost',
  /** Bits of `UsageFlag`. */
  'usageFlags',
  /** 8 bytes for each row. */
  'id',
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

export interface IndexColumn {
  type: IndexColumnType;
  /** Bytes from the first column to this one. */
  offset: number;
  /** Number of entries. */
  length: number;
}

export interface SpanIndexHeader {
  version: typeof FORMAT_VERSION;
  rows: number;
  /** Unix nanoseconds of the earliest start, in decimal digits. */
  origin: string;
  /** Nanoseconds of one tick. */
  tick: number;
  names: string[];
  models: string[];
  kinds: string[];
  /** True if the trace has more spans than fit, or more distinct names: those that are left out are called "…". */
  truncated: boolean;
  /** Id of the span whose output is that of the trace; null when no span has one. */
  outputSpanId: string | null;
  columns: Record<ColumnName, IndexColumn>;
  /** Bytes of all columns. */
  size: number;
}

/** Bits of the column `flags`. */
export const RowFlag = {
  error: 1,
  /** A parent that spans name and that is not stored. */
  placeholder: 2,
  /** The parent is a placeholder. */
  orphan: 4,
  /** Set if the ancestors formed a loop, which was broken here. */
  cycle: 8,
  /** Set if it starts before its parent, or its times were corrected. */
  skew: 16,
  /** The end of a native `llm` step has not arrived. */
  open: 32,
  /** The cost follows from tokens and the price table. */
  costEstimated: 64,
  /** A span of the service itself: an attempt to deliver a test. */
  delivery: 128,
} as const;

/** Bits of the column `usageFlags`: what sums over several rows leave out, since other spans report it too. */
export const UsageFlag = { tokensBelow: 1, costBelow: 2 } as const;

export const alignToEight = (bytes: number): number => Math.ceil(bytes / 8) * 8;
