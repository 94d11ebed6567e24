import { distance } from 'fastest-levenshtein';

/** More characters of a text are not looked at: it takes time with the product of the lengths. */
export const MAX_CHARACTERS = 20_000;

/**
 * How many UTF-16 characters must at least be put in, taken out or replaced to make one text the other
 * (V. I. Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966), and how alike that
 * makes them: 1 − distance / length of the longer one.
 */
export function editDistance(a: string, b: string): { edits: number; similarity: number; isCut: boolean } {
  const [left, right] = [a.slice(0, MAX_CHARACTERS), b.slice(0, MAX_CHARACTERS)];
  const edits = distance(left, right);
  const longer = Math.max(left.length, right.length);
  return {
    edits,
    similarity: longer === 0 ? 1 : 1 - edits / longer,
    isCut: left.length < a.length || right.length < b.length,
  };
}
