import type { SpanIndex } from '../../../span-index/reader.ts';

/**
 * Returns the parts of a span in which none of its children ran, as pairs of ticks from the origin: start, end, start,
 * end … in ascending order.
 */
export function ownSegments(index: SpanIndex, row: number): Float64Array {
  const start = index.startTicks[row] as number;
  const end = start + (index.durationTicks[row] as number);
  const children: number[] = [];
  const last = index.subtreeEnd(row);
  for (let child = row + 1; child < last; child = index.subtreeEnd(child)) children.push(child);
  children.sort((a, b) => (index.startTicks[a] as number) - (index.startTicks[b] as number));
  const segments: number[] = [];
  let covered = start;
  for (const child of children) {
    const childStart = Math.min(index.startTicks[child] as number, end);
    if (childStart > covered) segments.push(covered, childStart);
    covered = Math.max(covered, (index.startTicks[child] as number) + (index.durationTicks[child] as number));
  }
  if (covered < end || segments.length + children.length === 0) segments.push(Math.min(covered, end), end);
  return Float64Array.from(segments);
}
