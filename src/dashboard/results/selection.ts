import { type ShownResult, rowKey } from './result-types.ts';

/** Most rows that are selected by hand at once. */
const MAX_SELECTED = 1_000;

/** Returns the selection with or without a row. */
export function toggled(
  selected: ReadonlyMap<string, ShownResult>,
  row: ShownResult,
): ReadonlyMap<string, ShownResult> {
  const next = new Map(selected);
  if (!next.delete(rowKey(row))) next.set(rowKey(row), row);
  return next;
}

/** Returns the first rows of a selection, as many as may be selected by hand. */
export const limited = (rows: ReadonlyMap<string, ShownResult>): ReadonlyMap<string, ShownResult> =>
  rows.size <= MAX_SELECTED ? rows : new Map([...rows].slice(0, MAX_SELECTED));
