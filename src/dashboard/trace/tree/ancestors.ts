import type { Outline } from './outline.ts';

/** Highest number of ancestors that stay above the rows in view. */
const MAX_ANCESTORS = 6;

/**
 * Returns the places of the ancestors that stay on top when `first` is the topmost place of the view. Each covers one row,
 * so the row below all of them is the one whose ancestors they are.
 */
export function stickyAncestors(outline: Outline, first: number): number[] {
  let covered = 0;
  while (covered < MAX_ANCESTORS) {
    const below = first + covered;
    if (below >= outline.count || outline.level(below) <= covered) break;
    covered += 1;
  }
  const below = Math.min(first + covered, outline.count - 1);
  if (covered === 0 || below < 0) return [];
  // When some do not fit, the nearest ancestors are the most useful ones.
  return outline
    .ancestors(below)
    .slice(-covered)
    .filter((place) => place < first + covered);
}
