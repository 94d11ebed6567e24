export type Decimal = '.' | ',';

/** Spaces that separate thousands; of ordinary ones, those between groups of digits are written so first. */
const SPACES = '\\u00a0\\u2002-\\u200a\\u202f\\u205f';
const THIN = '\u2009';
const APOSTROPHES = "'\\u2019\\u02bc";
/** Groups of three digits that only such a sign separates from the digits before them. */
const SPACED = `(?:[${SPACES}${APOSTROPHES}]\\d{3}(?!\\d))`;
/** A sign counts only when no word or number precedes it, unlike in `2024-05`; a currency may stand on either side. */
const SIGN = `(?:(?<![\\p{L}\\p{N}])[-+](?:\\p{Lu}{0,3}\\p{Sc}[ ${SPACES}]?)?|(?<![\\p{L}\\p{N}.,])\\p{Sc}[-+]?)?`;
/** Tokens that begin like a number: dates, times, hexadecimal ones, and those with multiples of 10 000 inside. */
const OTHER =
  '(?<![\\p{L}\\p{N}.,/-])(?:\\d{1,4}(?<mark>[-/])\\d{1,2}\\k<mark>\\d{1,4}(?![\\d/-])|\\d{1,2}(?::\\d{2}){1,2}(?![\\d:])|0x[\\da-f]+|\\d[\\d.,]*(?:[千万萬億亿兆]\\d[\\d.,]*)+[千万萬億亿]?)';
/** Powers of ten that words and signs behind a number stand for. */
const SCALES: Readonly<Record<string, number>> = {
  hundred: 2,
  thousand: 3,
  tausend: 3,
  tsd: 3,
  千: 3,
  万: 4,
  萬: 4,
  lakh: 5,
  million: 6,
  mio: 6,
  mn: 6,
  mln: 6,
  crore: 7,
  億: 8,
  亿: 8,
  billion: 9,
  milliard: 9,
  mrd: 9,
  bn: 9,
  billionen: 12,
  trillion: 12,
  tn: 12,
};
/** Letters that do so beside a currency; elsewhere most of them are units too. */
const LETTERS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };
const CURRENCY = '\\p{Sc}|(?:USD|EUR|GBP|CHF|JPY|CNY|INR)(?!\\p{L})';
const SCALE_WORD = `[- ${SPACES}]?(?:(?:hundred|thousand|million|billion|trillion|milliard|lakh|crore)s?|millionen|milliarden?|billionen|tausend|tsd|mio|mrd|mln|mn|bn|tn)(?!\\p{L})`;
const SCALE = `(?<scale>${SCALE_WORD}|千(?![克米瓦卡])|[万萬億亿兆])|(?<letter>[kmbt])(?![\\p{L}\\p{N}])|[ ${SPACES}](?<apart>[kmbt])(?=[ ${SPACES}]?(?:${CURRENCY}))`;
const TOKEN = new RegExp(
  `(?<other>${OTHER})|(?<sign>${SIGN})(?<body>(?:(?<![\\p{L}\\p{N}.,])[.,])?\\d+(?:[.,]\\d+|${SPACED})*(?:[.,](?=e[-+]?\\d))?)(?<exponent>e[-+]?\\d+)?(?<power>\\^[{(]?-?\\d+[)}]?)?(?<below>(?:/\\d+(?:[.,]\\d+)*)*)(?:${SCALE})?`,
  'giu',
);

/** A number in a text, which may be written in the style of any country. */
export interface NumberToken {
  text: string;
  /** Null if the complete token is no number: a date, a time, a version, a power, groups of digits of no known style. */
  value: number | null;
}

/**
 * Finds the numbers in a text. Digits of all scripts count, with `.` and `,` in either role, spaces or apostrophes
 * between thousands, groups as in India, powers of ten, fractions such as `½` and `3/4`, and multiples such as `5k`. `decimal` decides where a
 * token has one sign with three digits behind it: `1.234`. Each token is read completely or not at all.
 */
export function* numbersInText(text: string, decimal: Decimal): Generator<NumberToken> {
  for (const match of withFractions(plainDigits(text, decimal), decimal).matchAll(TOKEN)) {
    const { groups = {}, input, index } = match;
    const { sign = '', body = '', exponent = '', other, power, below = '' } = groups;
    const isNumber = other === undefined && power === undefined;
    const digits = isNumber && !body.includes(LISTED) ? unsigned(body, decimal) : null;
    const scale = scaleOf(groups, input.slice(index + match[0].length));
    const isScaled = scale !== 0;
    const part = below === '' ? 1 : wholeBelow(body, below);
    const isRead = digits !== null && scale !== null && part !== null && !(isScaled && exponent !== '');
    const shown = `${sign.includes('-') ? '-' : ''}${digits}${isScaled ? `e${scale}` : exponent}`;
    yield { text: match[0].replaceAll(LISTED, ' '), value: isRead ? Number(shown) / part : null };
  }
}

/** Returns the power of ten that a token names behind its digits, 0 for none; null if it may as well be a unit. */
function scaleOf(groups: Readonly<Record<string, string | undefined>>, after: string): number | null {
  const { sign = '', scale, letter, apart } = groups;
  if (scale !== undefined) {
    const word = scale.replace(/^[^\p{L}]/u, '').toLowerCase();
    return SCALES[word] ?? SCALES[word.replace(/e?[ns]$|en$/, '')] ?? null;
  }
  const name = letter ?? apart;
  if (name === undefined) return 0;
  const isMoney = apart !== undefined || /\p{Sc}/u.test(sign) || MONEY.test(after);
  if (isMoney || name === 'k') return LETTERS[name.toLowerCase()] ?? null;
  return name === name.toLowerCase() ? 0 : null;
}

const MONEY = new RegExp(`^[ ${SPACES}]?(?:${CURRENCY})`, 'u');

/** Returns the whole number below the bar of a fraction of two whole numbers; null for anything else, such as a month and a year. */
function wholeBelow(body: string, below: string): number | null {
  const [, digits] = /^\/([1-9]\d{0,8})$/.exec(below) ?? [];
  return digits === undefined || !/^(?:0|[1-9]\d{0,8})$/.test(body) ? null : Number(digits);
}

/** Groups of three digits behind ordinary spaces, underscores and the spaces of HTML and LaTeX. */
const GROUPS =
  /(?<![\p{L}\p{N}.,]|\d )[1-9]\d{0,2}(?:(?: \d{3}(?!\d))+(?! \d)|(?:(?:_|~|\\[,;:]|&(?:nbsp|thinsp|#160|#8239);)\d{3}(?!\d))+)/gu;
/** Groups that may as well be a list: each is a number of three digits, with ordinary spaces between them. */
const LIST = /^[1-9]\d{2}(?: [1-9]\d{2})+$/;
/** Separates the groups of such a list. */
const LISTED = '\u2004';
const SEPARATOR = /[ _~]|\\[,;:]|&[^;]*;/g;
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** A power of ten, behind a factor or alone: `× 10^6`, `\\times 10^{6}`, `10⁶`. A single `¹`, `²` or `³` alone may be a note. */
const POWER =
  /(?:(?<=\d)\s?(?:[×x*·⋅]|\\times|\\cdot)\s?|(?<![\p{L}\p{N}.,^_]))10(?:\^(?:\{([-+]?\d{1,3})\}|\(([-+]?\d{1,3})\)|([-+]?\d{1,3}))|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))/gu;

/** Writes digits, signs, separators of thousands and powers of ten in any script as in ASCII. */
function plainDigits(text: string, decimal: Decimal): string {
  return text
    .replaceAll(/\p{Nd}/gu, (digit) => (digit < '\u0080' ? digit : String(digitValue(digit))))
    .replaceAll('{,}', ',')
    .replaceAll(/[\u066b\uff0e](?=\d)/g, '.')
    .replaceAll(/(?<=\d)[\u066c\uff0c](?=\d)/g, ',')
    .replaceAll(/[\u2212\ufe63\uff0d]|\u2013(?=[\p{Sc}.\d])/gu, '-')
    .replaceAll('\uff0b', '+')
    .replaceAll(GROUPS, (groups, at: number, all: string) =>
      groups.replaceAll(SEPARATOR, isList(groups, at, all, decimal) ? LISTED : THIN),
    )
    .replaceAll(POWER, (power: string, ...found: (string | undefined)[]) => {
      const [braces, brackets, plain, superscript] = found;
      const exponent = braces ?? brackets ?? plain ?? asDigits(superscript ?? '');
      if (!power.startsWith('10')) return `e${exponent}`;
      return /^[¹²³]$/.test(superscript ?? '') ? power : `1e${exponent}`;
    });
}

/** Reports whether groups of digits may be a list: no country's style, fraction or currency shows that they are one number. */
const isList = (groups: string, at: number, text: string, decimal: Decimal): boolean =>
  decimal === '.' &&
  LIST.test(groups) &&
  !/\p{Sc}[ \u00a0]?$/u.test(text.slice(Math.max(0, at - 2), at)) &&
  !/^(?:[.,]\d|[ \u00a0]?\p{Sc})/u.test(text.slice(at + groups.length, at + groups.length + 2));

const asDigits = (superscript: string): string =>
  superscript.replaceAll(/./gu, (char) =>
    char === '⁻' ? '-' : char === '⁺' ? '+' : String(SUPERSCRIPTS.indexOf(char)),
  );

/** A whole number with a fraction, such as `1 1/2`, and a fraction of LaTeX. */
const MIXED = /(?<![\p{L}\p{N}.,/])(\d{1,9}) ([1-9]\d{0,3})\/([1-9]\d{0,3})(?![\d/]|[.,]\d)/gu;
const LATEX = /\\[dt]?frac\s?\{(\d{1,9})\}\s?\{(\d{1,9})\}/g;

const FRACTION = /(?:(?<![\p{L}\p{N}.,])(\d{1,9}) ?)?([¼-¾⅐-⅞])/gu;

/** Writes fractions such as `1½` and `1 1/2` as decimals, and those of LaTeX with a bar. */
const withFractions = (text: string, decimal: Decimal): string =>
  text
    .replaceAll(LATEX, '$1/$2')
    .replaceAll(MIXED, (match, whole: string, above: string, below: string) =>
      Number(above) < Number(below)
        ? String(Number(whole) + Number(above) / Number(below)).replace('.', decimal)
        : match,
    )
    .replaceAll(FRACTION, (_match, whole: string | undefined, sign: string) => {
      const [above, below] = sign.normalize('NFKD').split('\u2044').map(Number) as [number, number];
      return String(Number(whole ?? 0) + above / below).replace('.', decimal);
    });

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
