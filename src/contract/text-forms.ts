/** Matches more combining marks than any language uses; Unicode's stream-safe format allows 30 (UAX #15). */
const MANY_MARKS = /(?<!\p{M})\p{M}{65}/u;

/**
 * Brings a text to a Unicode normalisation form. Returns a text with more than 64 combining marks in a row unchanged: ordering
 * them takes quadratic time – minutes for 200 000 – and cannot be interrupted.
 */
export const inForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  MANY_MARKS.test(text) ? text : text.normalize(form);

/** Brings a text to NFC, in which names and keys are stored, so that two that look alike are equal. */
export const nfc = (text: string): string => inForm(text, 'NFC');

/**
 * Folds the case of a text and composes its accents, to compare texts ignoring both. Upper case alone would distinguish `ẞ` from
 * `ß`, and lower case alone turns `Σ` into one of two letters, depending on its position.
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase().toUpperCase();
  return MAY_DECOMPOSE.test(folded) ? nfc(folded) : folded;
}

/** Characters beyond Latin-1; texts without them have one form only. */
const MAY_DECOMPOSE = /[\u0100-\uffff]/;
