import type { SpanIndex } from '../../../span-index/reader.ts';
import type { Outline } from './outline.ts';

/** The part of a trace's time that the bars show, in milliseconds from its origin. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** Part of the window that stays free at its right, for the labels of bars. */
const MARGIN = 0.14;

/**
 * Returns the window that fits the rows from `first` to `end`. Rows that continue below the view are left out where others
 * remain: beside them, the bars in view would be slivers.
 */
export function fitWindow(outline: Outline, first: number, end: number): TimeWindow {
  const all = extent(outline, first, end, () => true);
  const own = extent(outline, first, end, (place) => !goesOnBelow(outline, place, end));
  return own ?? all ?? completeWindow(outline.index);
}

function extent(
  outline: Outline,
  first: number,
  end: number,
  counts: (place: number) => boolean,
): TimeWindow | null {
  const { index } = outline;
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (let place = first; place < end; place++) {
    if (!counts(place)) continue;
    const row = outline.row(place);
    from = Math.min(from, index.start(row));
    to = Math.max(to, index.end(row));
  }
  return from === Number.POSITIVE_INFINITY ? null : padded(from, to);
}

/** Reports whether the rows below that of a place continue after `end`. */
const goesOnBelow = (outline: Outline, place: number, end: number): boolean =>
  end < outline.count && outline.row(end) < outline.index.subtreeEnd(outline.row(place));

/** Returns the window of the complete trace. */
export const completeWindow = (index: SpanIndex): TimeWindow => padded(0, index.durationMs);

function padded(from: number, to: number): TimeWindow {
  const length = Math.max(to - from, 0.001);
  return { from, to: to + length * MARGIN };
}

/** Returns a step between the marks of a time axis: 1, 2 or 5 of a power of ten, so that at most `most` fit. */
export function stepOf({ from, to }: TimeWindow, most: number): number {
  const rough = (to - from) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}
