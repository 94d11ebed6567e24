/** Parts up to this length are found fast enough by the engine, whatever the text. */
const SHORT = 64;

/**
 * Reports whether the text contains the part, in linear time (Knuth, Morris and Pratt 1977). `String.includes` takes
 * the product of both lengths for texts made for it, and a thread at work in it cannot be ended.
 */
export function containsText(text: string, part: string): boolean {
  if (part.length <= SHORT) return text.includes(part);
  if (part.length > text.length) return false;
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}

/** Computes, for each prefix, the length of its longest border: a beginning that is also its end. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at += 1) {
    const unit = part.charCodeAt(at);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === unit) length += 1;
    borders[at] = length;
  }
  return borders;
}

/** No language writes nearly as many; Unicode's stream-safe format allows 30 (UAX #15). */
const MANY_MARKS = /(?<!\p{M})\p{M}{65}/u;

/**
 * The text in Unicode NFC. One with more than 64 combining marks in a row is returned as it is: ordering them takes the
 * square of their number, and a thread at work in it cannot be ended.
 */
export const nfc = (text: string): string => (MANY_MARKS.test(text) ? text : text.normalize('NFC'));
