import { distance } from 'fastest-levenshtein';

/** Longer words are not compared: their comparison takes time, and no name is that long. */
const MAX_CHARACTERS = 64;
/** Fewest characters that a word must share with the beginning of another one to be similar to it. */
const MIN_PREFIX = 4;

/** Returns the known word that someone who wrote `word` most likely meant, ignoring case; undefined when none is similar. */
export function mostSimilar(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_CHARACTERS) return undefined;
  const wanted = word.toLowerCase();
  const compared = known.map((name) => ({
    name,
    edits: distance(wanted, name.toLowerCase()),
    prefix: sharedPrefix(wanted, name.toLowerCase()),
  }));
  const [nearest] = compared
    .filter(({ name, edits }) => edits <= Math.max(2, name.length / 4))
    .sort((a, b) => a.edits - b.edits);
  if (nearest) return nearest.name;
  const [longest] = compared
    .filter(({ prefix }) => prefix >= Math.max(MIN_PREFIX, wanted.length - 2))
    .sort((a, b) => b.prefix - a.prefix || a.edits - b.edits);
  return longest?.name;
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
