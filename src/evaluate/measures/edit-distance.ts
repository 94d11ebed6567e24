import { distance } from 'fastest-levenshtein';

/** More characters of a text are not looked at: it takes time with the product of the lengths. */
export const MAX_CHARACTERS = 20_000;

/**
 * Counts how many characters (code points of Unicode) must at least be inserted, deleted or replaced to turn one text
 * into the other (V. I. Levenshtein, "Binary codes capable of correcting deletions, insertions, and reversals",
 * 1966), and how similar that makes them: 1 − distance / length of the longer one.
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
  // A character is one unit of UTF-16 or two.
  const characters = Array.from(text.slice(0, 2 * (MAX_CHARACTERS + 1)));
  return { characters: characters.slice(0, MAX_CHARACTERS), isTruncated: characters.length > MAX_CHARACTERS };
}

/** A unit of UTF-16 for each character, as units are what the library compares; two texts have fewer than there are. */
function unitNumbering(): (character: string) => string {
  const units = new Map<string, string>();
  return (character) => {
    const unit = units.get(character) ?? String.fromCharCode(units.size);
    units.set(character, unit);
    return unit;
  };
}
