/** Part of a text: places in UTF-16 code units, the second one after the last character. */
export interface Place {
  start: number;
  end: number;
}

/** Most occurrences of the same words that are found. */
const MAX_OCCURRENCES = 1_000;

/**
 * Returns the places of words in a text. Where the text does not contain them as they are, letters and digits alone are compared: a
 * page shows Markdown without its marks, and JSON with other spaces.
 */
export function placesOfWords(text: string, words: string): readonly Place[] {
  const exact = occurrences(text, words);
  if (exact.length > 0) return exact.map((start) => ({ start, end: start + words.length }));
  const wanted = lettersOf(words).letters;
  const { letters, places } = lettersOf(text);
  return occurrences(letters, wanted).map((at) => ({
    start: places[at] ?? 0,
    end: (places[at + wanted.length - 1] ?? 0) + 1,
  }));
}

/** Returns the one of the places that begins nearest to an offset. */
export const nearestPlace = (places: readonly Place[], to: number): Place | undefined =>
  places.reduce<Place | undefined>(
    (best, place) =>
      best === undefined || Math.abs(place.start - to) < Math.abs(best.start - to) ? place : best,
    undefined,
  );

/**
 * Returns the place in a second text of the words that are at an offset of the first: as many of their occurrences precede it, or,
 * where the texts contain them differently often, it is the nearest one.
 */
export function samePlace(
  words: string,
  { text, start }: { text: string; start: number },
  other: string,
): Place | undefined {
  const [here, there] = [placesOfWords(text, words), placesOfWords(other, words)];
  const nearest = nearestPlace(here, start);
  if (nearest !== undefined && here.length === there.length) return there[here.indexOf(nearest)];
  return nearestPlace(there, start);
}

function occurrences(text: string, words: string): number[] {
  const found: number[] = [];
  if (words === '') return found;
  let at = text.indexOf(words);
  while (at !== -1 && found.length < MAX_OCCURRENCES) {
    found.push(at);
    at = text.indexOf(words, at + words.length);
  }
  return found;
}

/** Returns the letters and digits of a text, and the place of each of their code units. */
function lettersOf(text: string): { letters: string; places: readonly number[] } {
  const places: number[] = [];
  const letters: string[] = [];
  for (const { 0: letter, index } of text.matchAll(/[\p{L}\p{M}\p{N}]/gu)) {
    letters.push(letter);
    for (let unit = 0; unit < letter.length; unit += 1) places.push(index + unit);
  }
  return { letters: letters.join(''), places };
}

/** Returns the beginning of a text without half of a character at its end. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isSplit ? length - 1 : length);
}
