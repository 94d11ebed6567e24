import { type Detector, matchesOf, type TextRange } from './finding.ts';

const CARD = /(?<![\p{L}\p{N}.-])[2-6](?:[ \u00a0-]?\d){12,18}(?![\p{L}\p{N}]|[.-]\d)/gu;

/** Prefixes and lengths of the numbers of Visa, Mastercard, American Express, Diners, Discover, JCB and UnionPay. */
const NETWORKS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17})$/;

/** Detects numbers of payment cards: the prefix and the length of a network, and the check digit. */
export const cards: Detector = function* (text): Generator<TextRange> {
  for (const { start, end, match } of matchesOf(text, CARD)) {
    const digits = match[0].replaceAll(/\D/g, '');
    if (NETWORKS.test(digits) && hasCheckDigit(digits)) yield { start, end };
  }
};

/** Checks the last digit by the algorithm of H. P. Luhn (ISO/IEC 7812-1, annex B). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
