import { type Detector, matchesOf, type TextRange } from './finding.ts';

/** Countries of the IBAN registry (ISO 13616), by the length of their numbers. */
const COUNTRIES: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
};
const LENGTHS = new Map(
  Object.entries(COUNTRIES).flatMap(([length, codes]) =>
    codes.split(' ').map((code) => [code, Number(length)]),
  ),
);

const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,29}/giu;
const IS_INSIDE_WORD = /^[\p{L}\p{N}]/u;

/** Detects international bank account numbers: the length of their country and their check digits. */
export const ibans: Detector = function* (text): Generator<TextRange> {
  for (const { start, match } of matchesOf(text, IBAN)) {
    const length = LENGTHS.get(match[0].slice(0, 2).toUpperCase());
    const written = length === undefined ? null : firstCharacters(match[0], length);
    if (written === null || IS_INSIDE_WORD.test(text.slice(start + written.length))) continue;
    if (hasCheckDigits(written.replaceAll(' ', '').toUpperCase()))
      yield { start, end: start + written.length };
  }
};

/** Returns the beginning of a text with this number of characters besides spaces; null when it has fewer. */
function firstCharacters(text: string, count: number): string | null {
  let left = count;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] !== ' ') left -= 1;
    if (left === 0) return text.slice(0, i + 1);
  }
  return null;
}

/** Checks the digits 3 and 4 by ISO 7064 MOD 97-10, where A is 10 and Z is 35. */
function hasCheckDigits(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
