import { type ResultRow, rowKey } from './result-types.ts';

/** Returns the selection with or without a row. */
export function toggled(
  selected: ReadonlyMap<string, ResultRow>,
  row: ResultRow,
): ReadonlyMap<string, ResultRow> {
  const next = new Map(selected);
  if (!next.delete(rowKey(row))) next.set(rowKey(row), row);
  return next;
}
