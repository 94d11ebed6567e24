import { type ShownResult, rowKey } from './result-types.ts';

/** Most rows that are selected at once. */
export const MAX_SELECTED = 1_000;

/** Returns the selection with or without a row. */
export function toggled(
  selected: ReadonlyMap<string, ShownResult>,
  row: ShownResult,
): ReadonlyMap<string, ShownResult> {
  const next = new Map(selected);
  if (!next.delete(rowKey(row))) next.set(rowKey(row), row);
  return next;
}
