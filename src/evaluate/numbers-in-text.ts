export type Decimal = '.' | ',';

/** Spaces that separate thousands; an ordinary one could separate two numbers. */
const SPACES = '\\u00a0\\u202f\\u2009\\u2007';
const APOSTROPHES = "'\\u2019";
/** Groups of three digits that only such a sign separates from the digits before them. */
const SPACED = `(?:[${SPACES}${APOSTROPHES}]\\d{3}(?!\\d))`;
/** A sign counts only when no word or number precedes it, unlike in `2024-05`; a currency may stand on either side. */
const SIGN = '(?:(?<![\\p{L}\\p{N}])[-+]\\p{Sc}?|(?<![\\p{L}\\p{N}.,])\\p{Sc}[-+]?)?';
const TOKEN = new RegExp(
  `(?<sign>${SIGN})(?<body>(?:(?<![\\p{L}\\p{N}.,])[.,])?\\d+(?:[.,]\\d+|${SPACED})*)(?<exponent>e[-+]?\\d+(?![\\p{L}\\p{N}]))?`,
  'giu',
);

/** A number in a text, which may be written in the style of any country. */
export interface NumberToken {
  text: string;
  /** Null if the complete token is no number: a date, a version, groups of digits of no known style. */
  value: number | null;
}

/**
 * Finds the numbers in a text. Digits of all scripts count, with `.` and `,` in either role, thin spaces or apostrophes
 * between thousands, and groups as in India. `decimal` decides where a token has one sign with three digits behind it:
 * `1.234`. Each token is read completely or not at all.
 */
export function* numbersInText(text: string, decimal: Decimal): Generator<NumberToken> {
  for (const match of plainDigits(text).matchAll(TOKEN)) {
    const { sign = '', body = '', exponent = '' } = match.groups ?? {};
    const digits = unsigned(body, decimal);
    const value = digits === null ? null : Number(`${sign.includes('-') ? '-' : ''}${digits}${exponent}`);
    yield { text: match[0], value };
  }
}

/** Writes digits and signs of all scripts, and separators of LaTeX, as those of ASCII. */
function plainDigits(text: string): string {
  return text
    .replaceAll(/\p{Nd}/gu, (digit) => (digit < '\u0080' ? digit : String(digitValue(digit))))
    .replaceAll('{,}', ',')
    .replaceAll(/(?<=\d)\\[,;:](?=\d)/g, '\u2009')
    .replaceAll(/(?<=\d)[\u066b\uff0e](?=\d)/g, '.')
    .replaceAll(/(?<=\d)[\u066c\uff0c](?=\d)/g, ',')
    .replaceAll(/[\u2212\ufe63\uff0d]/g, '-')
    .replaceAll('\uff0b', '+');
}

/** Returns the value of a decimal digit of any script: each has its ten digits in a row, from zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** Returns digits with at most one point; null for a token that is no number. */
function unsigned(body: string, decimal: Decimal): string | null {
  const [whole, fraction] = parts(body, decimal) ?? [null, ''];
  if (whole === null || !isGrouped(whole)) return null;
  const digits = whole.replaceAll(/\D/g, '');
  return fraction === '' ? digits : `${digits || '0'}.${fraction}`;
}

/** Splits a token before its fraction; null where its signs leave open which of them that is. */
function parts(body: string, decimal: Decimal): [whole: string, fraction: string] | null {
  const points: readonly string[] = body.match(/[.,]/g) ?? [];
  const last = points.at(-1);
  if (last === undefined) return [body, ''];
  const at = body.lastIndexOf(last);
  const split: [string, string] = [body.slice(0, at), body.slice(at + 1)];
  const isFraction = /^\d+$/.test(split[1]);
  const isAlone = points.length === 1;
  const isOther = points.indexOf(last) === points.length - 1;
  // Both signs: the last one begins the fraction if it comes once, and behind the other one.
  if (!isAlone) return isOther ? (isFraction ? split : null) : new Set(points).size > 1 ? null : [body, ''];
  if (at === 0 || last === decimal) return isFraction ? split : null;
  // Behind thousands that spaces or apostrophes separate, only a fraction can follow.
  if (/[^\d.,]/.test(split[0])) return isFraction ? split : null;
  return [body, ''];
}

/** Groups of three digits, or as in India: two digits each before the last three. */
const GROUPED = new RegExp(
  `^(?:\\d*|\\d{1,3}(?:\\.\\d{3})+|\\d{1,3}(?:,\\d{3})+|\\d{1,2}(?:,\\d{2})*,\\d{3}|\\d{1,3}(?:[${SPACES}]\\d{3})+|\\d{1,3}(?:[${APOSTROPHES}]\\d{3})+)$`,
  'u',
);
const isGrouped = (whole: string): boolean => GROUPED.test(whole);
