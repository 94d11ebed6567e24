import type { Database, SqlType, SqlValue } from '../database.ts';
import type { CopiedRow, CopiedTable } from './copied-table.ts';

export interface PageLimits {
  rows: number;
  /** Bytes of texts and blobs; one row may have more. */
  bytes: number;
}

/** Most rows and bytes that are in memory at once. */
const PAGE_LIMITS: PageLimits = { rows: 4_000, bytes: 8 * 1024 * 1024 };

export type TableKey = readonly SqlValue[];

export interface CopiedPage {
  rows: CopiedRow[];
  /** True if no row follows. */
  isLast: boolean;
}

/**
 * Returns the next rows of a table in the order of its key, after the row with a key. The sizes of the rows are read first, because
 * a row may have megabytes.
 */
export function nextRows(
  database: Database,
  table: CopiedTable,
  after: TableKey | null,
  limits: PageLimits = PAGE_LIMITS,
): CopiedPage {
  const { name, columns } = table;
  const order = columnList(table.key);
  const where = after === null ? '' : `WHERE (${order}) > (${table.key.map(() => '?').join(', ')})`;
  const page = (selected: string): string =>
    `SELECT ${selected} FROM ${name} ${where} ORDER BY ${order} LIMIT ?`;
  const sized = columns.filter(({ type }) => type === 'text' || type === 'blob');
  // A row without texts and blobs is small.
  const bytes = ['0', ...sized.map((column) => `coalesce(octet_length(${column.name}), 0)`)].join(' + ');
  const values = [...(after ?? [])];
  const sizes = database.all<{ bytes: number }>(page(`${bytes} AS bytes`), ...values, limits.rows);
  if (sizes.length === 0) return { rows: [], isLast: true };
  const count = rowsWithin(sizes, limits.bytes);
  const isLast = count === sizes.length && sizes.length < limits.rows;
  return { rows: database.allExact<CopiedRow>(page(columnList(columns)), ...values, count), isLast };
}

/** Returns the number of rows that have a number of bytes at most; at least one. */
function rowsWithin(sizes: readonly { bytes: number }[], limit: number): number {
  let sum = 0;
  for (const [index, { bytes }] of sizes.entries()) {
    sum += bytes;
    if (sum > limit) return Math.max(1, index);
  }
  return sizes.length;
}

export const columnList = (columns: CopiedTable['columns']): string =>
  columns.map(({ name }) => name).join(', ');

export const keyOfRow = ({ key }: CopiedTable, row: CopiedRow): TableKey =>
  key.map(({ name }) => row[name] ?? null);

/** Returns a key as texts, which JSON can hold. */
export const keyToTexts = ({ key }: CopiedTable, values: TableKey): string[] =>
  values.map((value, at) =>
    key[at]?.type === 'blob' ? Buffer.from(value as Uint8Array).toString('hex') : String(value),
  );

export const keyFromTexts = ({ key }: CopiedTable, texts: readonly string[]): TableKey =>
  texts.map((text, at) => READERS[key[at]?.type ?? 'text'](text));

const READERS: Readonly<Record<SqlType, (text: string) => SqlValue>> = {
  integer: BigInt,
  real: Number,
  text: (text) => text,
  blob: (text) => Buffer.from(text, 'hex'),
};
