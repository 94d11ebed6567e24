import type { SpanIndex } from '../../../span-index/reader.ts';
import { ownSegments } from './own-time.ts';

/** Returns the next row after `from` that failed, going on at the beginning after the last one; -1 when none did. */
export function nextError(index: SpanIndex, from: number): number {
  for (let step = 1; step <= index.rows; step++) {
    const row = (from + step + index.rows) % index.rows;
    if (index.has(row, 'error')) return row;
  }
  return -1;
}

/**
 * Returns the rows from the longest span at the top level down to the one that itself took the time: the path leads to
 * the longest child until a span's own time is longer than that.
 */
export function slowestPath(index: SpanIndex): number[] {
  const path: number[] = [];
  let next = longestOf(index, 0, index.rows);
  while (next !== -1) {
    path.push(next);
    const child = longestOf(index, next + 1, index.subtreeEnd(next));
    if (child !== -1 && ownTicks(index, next) > (index.durationTicks[child] as number)) break;
    next = child;
  }
  return path;
}

/** Returns the longest of the siblings from `first` on. */
function longestOf(index: SpanIndex, first: number, end: number): number {
  let longest = -1;
  for (let row = first; row < end; row = index.subtreeEnd(row)) {
    if (longest === -1 || (index.durationTicks[row] as number) > (index.durationTicks[longest] as number))
      longest = row;
  }
  return longest;
}

function ownTicks(index: SpanIndex, row: number): number {
  const segments = ownSegments(index, row);
  let own = 0;
  for (let at = 0; at < segments.length; at += 2)
    own += (segments[at + 1] as number) - (segments[at] as number);
  return own;
}

/** Finds rows by a part of their name, kind, model or span id, in any case. Returns them in order. */
export function findRows(index: SpanIndex, text: string): Uint32Array {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return new Uint32Array(0);
  const isFound = (value: string): boolean => value.toLowerCase().includes(wanted);
  const names = index.header.names.map(isFound);
  const kinds = index.header.kinds.map(isFound);
  const hasModel = index.header.models.some(isFound);
  const found: number[] = [];
  const byId = /^[0-9a-f]{16}$/.test(wanted) ? index.rowOf(wanted) : -1;
  for (let row = 0; row < index.rows; row++) {
    const isMatch =
      (names[index.nameIndex(row)] === true && !index.isPlaceholder(row)) ||
      kinds[index.kinds[row] as number] === true ||
      row === byId ||
      (hasModel && isFound(index.model(row) ?? ''));
    if (isMatch) found.push(row);
  }
  return Uint32Array.from(found);
}

/** Returns the first match after `from`, or with `by` -1 the last one before it, going round at the ends; -1 when there is none. */
export function nextMatch(matches: Uint32Array, from: number, by: 1 | -1): number {
  if (matches.length === 0) return -1;
  if (by === 1) return matches.find((row) => row > from) ?? (matches[0] as number);
  return matches.findLast((row) => row < from) ?? (matches.at(-1) as number);
}
