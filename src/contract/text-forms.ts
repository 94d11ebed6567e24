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
