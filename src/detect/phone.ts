import { type Detector, matchesOf, type TextRange } from './finding.ts';

/** Matches a number with its country code: `+49 30 901820`, `0049 (0)30 901820`. */
const INTERNATIONAL =
  /(?<![\p{L}\p{N}+-]|\d[ .,])(?:\+|00)(?!\d{4,6}-\d\d-)[1-9](?:[ ./-]?\(?\d\)?){6,16}(?![\p{L}\p{N}]|-\p{N})/gu;
/** Matches a number of North America: `(555) 010-9999`, `555-010-9999`, `555.010.9999`. */
const NORTH_AMERICA =
  /(?<![\p{L}\p{N}.+-])(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])\d{3}[ .-]\d{4}(?![\p{L}\p{N}-])/gu;
/** Matches a number with its trunk prefix, and a separator behind the code of the area: `030 901820`, `0171/5550123`. */
const NATIONAL =
  /(?<![\p{L}\p{N}.,+/-]|\d )\(?0[1-9]\d{1,4}\)?[ /-]{1,3}\d(?:[ -]?\d){4,9}(?![\p{L}\p{N}]|[.,]\d)/gu;

/** Matches a number in pairs, as in France: `01 99 00 12 34`. */
const IN_PAIRS = /(?<![\p{L}\p{N}.,+-]|\d )0[1-9](?:[ .]\d\d){4}(?![\p{L}\p{N}.-])/gu;

const PATTERNS = [INTERNATIONAL, NORTH_AMERICA, NATIONAL, IN_PAIRS];
const FEWEST_DIGITS = 8;
/** Largest number of digits by ITU-T E.164, with a prefix of two. */
const MOST_DIGITS = 17;

export const phones: Detector = function* (text): Generator<TextRange> {
  for (const pattern of PATTERNS)
    for (const { start, end, match } of matchesOf(text, pattern)) {
      const digits = match[0].replaceAll(/\D/g, '').length;
      if (digits < FEWEST_DIGITS || digits > MOST_DIGITS) continue;
      // A bracket around the number is no part of it.
      const opens = match[0].startsWith('(') && !match[0].includes(')');
      const closes = match[0].endsWith(')') && !match[0].includes('(');
      yield { start: start + Number(opens), end: end - Number(closes) };
    }
};
