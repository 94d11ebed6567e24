import { distance } from 'fastest-levenshtein';

/** Most characters of a text that are compared; the time grows with the product of the lengths. */
export const MAX_CHARACTERS = 20_000;

/**
 * Computes the smallest number of characters (Unicode code points) to insert, delete or replace to turn one text into
 * the other (V. I. Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals", 1966), and
 * the similarity: 1 − distance / length of the longer text.
 */
export function editDistance(
  a: string,
  b: string,
): { edits: number; similarity: number; isTruncated: boolean } {
  const [left, right] = [firstCharacters(a), firstCharacters(b)];
  const unit = unitNumbering();
  const unitsOf = (characters: readonly string[]): string => characters.map(unit).join('');
  const edits = distance(unitsOf(left.characters), unitsOf(right.characters));
  const longer = Math.max(left.characters.length, right.characters.length);
  return {
    edits,
    similarity: longer === 0 ? 1 : 1 - edits / longer,
    isTruncated: left.isTruncated || right.isTruncated,
  };
}

function firstCharacters(text: string): { characters: string[]; isTruncated: boolean } {
  // A character is one or two UTF-16 code units.
  const characters = Array.from(text.slice(0, 2 * (MAX_CHARACTERS + 1)));
  return { characters: characters.slice(0, MAX_CHARACTERS), isTruncated: characters.length > MAX_CHARACTERS };
}

/**
 * Returns a function that maps each character to one UTF-16 code unit, because the library compares code units. Two
 * texts have fewer characters than there are code units.
 */
function unitNumbering(): (character: string) => string {
  const units = new Map<string, string>();
  return (character) => {
    const unit = units.get(character) ?? String.fromCharCode(units.size);
    units.set(character, unit);
    return unit;
  };
}
