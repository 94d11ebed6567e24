/** A decoded text, and where each of its characters is in the original one. */
export interface Decoded {
  text: string;
  /** Begin of each character in the original text. */
  starts: Uint32Array;
  /** End of each character in the original text. */
  ends: Uint32Array;
}

/** Characters that are not seen: soft hyphens, zero-width characters, joiners and marks of direction. */
const INVISIBLE = '\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff';
const WIDE = '\\u3000\\uff01-\\uff5e';
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  commat: '@',
  equals: '=',
  gt: '>',
  hyphen: '-',
  lowbar: '_',
  lpar: '(',
  lt: '<',
  nbsp: '\u00a0',
  num: '#',
  period: '.',
  plus: '+',
  quot: '"',
  rpar: ')',
  sol: '/',
};
const ENCODED = new RegExp(
  `%([2-7][\\da-f])|&#(\\d{1,7});|&#x([\\da-f]{1,6});|&(${Object.keys(NAMED).join('|')});|([${WIDE}])|[${INVISIBLE}]+`,
  'gi',
);
const FULL_WIDTH_OFFSET = 0xfee0;
const IDEOGRAPHIC_SPACE = '\u3000';

/**
 * Decodes once what is written in other characters: `%40`, `&#64;`, `&#x40;`, `&commat;` and full-width characters; removes
 * characters that are not seen. Returns null if there are none.
 */
export function decode(text: string): Decoded | null {
  ENCODED.lastIndex = 0;
  let match = ENCODED.exec(text);
  if (match === null) return null;
  let decoded = '';
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let [length, copied] = [0, 0];
  const copyTo = (end: number): void => {
    decoded += text.slice(copied, end);
    for (let at = copied; at < end; at += 1, length += 1) {
      starts[length] = at;
      ends[length] = at + 1;
    }
  };
  for (; match !== null; match = ENCODED.exec(text)) {
    copyTo(match.index);
    copied = ENCODED.lastIndex;
    const character = characterOf(match);
    decoded += character;
    for (let unit = 0; unit < character.length; unit += 1, length += 1)
      [starts[length], ends[length]] = [match.index, copied];
  }
  copyTo(text.length);
  return { text: decoded, starts, ends };
}

function characterOf([complete, percent, decimal, hexadecimal, name, wide]: RegExpExecArray): string {
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16));
  if (decimal !== undefined) return ofCode(Number(decimal)) ?? complete;
  if (hexadecimal !== undefined) return ofCode(Number.parseInt(hexadecimal, 16)) ?? complete;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? complete;
  if (wide === IDEOGRAPHIC_SPACE) return ' ';
  return wide === undefined ? '' : String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_OFFSET);
}

const ofCode = (code: number): string | null => (code <= 0x10ffff ? String.fromCodePoint(code) : null);
