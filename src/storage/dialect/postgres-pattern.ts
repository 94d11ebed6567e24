import { AppError } from '../../errors.ts';
import { withoutCase } from '../../filter/patterns.ts';

/** Most repetitions that a pattern of PostgreSQL counts. */
const MAX_COUNT = 255;

type Range = readonly [first: number, last: number];

const LAST_CODE = 0x10_ff_ff;
const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORD: readonly Range[] = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const LINE_ENDS: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
];
const SPACE: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];
const CLASSES: Readonly<Record<string, readonly Range[]>> = { d: DIGITS, w: WORD, s: SPACE };
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/**
 * Translates a regular expression of JavaScript, which runs in linear time, to one of PostgreSQL that matches the same texts.
 * Throws a sentence if there is none. A character beyond U+FFFF counts as one, in JavaScript as two.
 */
export function translatePattern(source: string, flags: string): string {
  const pattern = new Pattern(flags.includes('i') ? withoutCase(source) : source, flags);
  return pattern.translate();
}

class Pattern {
  private readonly source: string;
  private readonly flags: string;
  private at = 0;

  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }

  translate(): string {
    let text = '';
    while (this.at < this.source.length) text += this.part();
    return text;
  }

  /** Returns the matched text at the current place and moves behind it. */
  private take(pattern: RegExp): RegExpExecArray | null {
    const found = new RegExp(pattern.source, 'y');
    found.lastIndex = this.at;
    const match = found.exec(this.source);
    if (match) this.at = found.lastIndex;
    return match;
  }

  private part(): string {
    if (this.take(/\(\?:|\(\?<[A-Za-z_$][\w$]*>|\((?!\?)/)) return '(?:';
    if (this.source.startsWith('(?', this.at)) throw unsupported('A group that begins with (?');
    const [sign] = this.take(/[|)]/) ?? this.take(/[*+?]\??/) ?? [];
    if (sign !== undefined) return sign.replace(/(?<=.)\?/, '');
    const count = this.take(/\{(\d+)(?:(,)(\d*))?\}\??/);
    if (count) return counted(count);
    if (this.take(/\^/)) return this.flags.includes('m') ? `(?:^|(?<=${classOf(LINE_ENDS)}))` : '^';
    if (this.take(/\$/)) return this.flags.includes('m') ? `(?:$|(?=${classOf(LINE_ENDS)}))` : '$';
    if (this.take(/\./)) return this.flags.includes('s') ? '.' : classOf(others(LINE_ENDS));
    if (this.take(/\[/)) return this.charClass();
    const [border] = this.take(/\\[bB]/) ?? [];
    if (border !== undefined) return borderOf(border === '\\b');
    return classOf(this.character(), true);
  }

  /** Returns the characters that an escape or one character stands for. */
  private character(isInClass = false): readonly Range[] {
    const escape = this.take(/\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|c([A-Za-z])|([^]))/);
    if (!escape) {
      const code = this.source.codePointAt(this.at) ?? 0;
      this.at += code > 0xff_ff ? 2 : 1;
      return [[code, code]];
    }
    const [, unit, byte, control, one = ''] = escape;
    const hex = unit ?? byte;
    const code =
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : control !== undefined
          ? control.charCodeAt(0) % 32
          : (CONTROLS[one] ?? (isInClass && one === 'b' ? 8 : one.charCodeAt(0)));
    const ranges = CLASSES[one.toLowerCase()];
    if (ranges) return one === one.toLowerCase() ? ranges : others(ranges);
    if (/^[1-9]$/.test(one)) throw unsupported(`The escape \\${one}`);
    return [[code, code]];
  }

  private charClass(): string {
    const isNegated = this.take(/\^/) !== null;
    const ranges: Range[] = [];
    while (!this.take(/\]/)) {
      if (this.at >= this.source.length) throw unsupported('A class without an end');
      const first = this.character(true);
      const isRange = first.length === 1 && first[0]?.[0] === first[0]?.[1] && this.take(/-(?!\])/);
      if (!isRange) {
        ranges.push(...first);
        continue;
      }
      const last = this.character(true);
      if (last.length === 1 && last[0]?.[0] === last[0]?.[1])
        ranges.push([first[0]?.[0] as number, last[0]?.[0] as number]);
      else ranges.push(...first, [0x2d, 0x2d], ...last);
    }
    return classOf(isNegated ? others(ranges) : ranges);
  }
}

function counted([, least = '0', comma, most]: RegExpExecArray): string {
  const largest = Math.max(Number(least), Number(most ?? 0));
  if (largest > MAX_COUNT)
    throw unsupported(`A repetition of ${largest} times, which is more than ${MAX_COUNT},`);
  return `{${Number(least)}${comma ?? ''}${most ? Number(most) : ''}}`;
}

/** Returns the place where a word begins or ends (below: any other). */
function borderOf(isBorder: boolean): string {
  const word = classOf(WORD);
  return isBorder
    ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
    : `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
}

/** Returns the characters that are in no range. */
function others(ranges: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    if (first > next) rest.push([next, first - 1]);
    next = Math.max(next, last + 1);
  }
  if (next <= LAST_CODE) rest.push([next, LAST_CODE]);
  return rest;
}

/** Characters of texts: U+0000 is stored as U+FFFD, and there are no surrogates. */
const storable = (ranges: readonly Range[]): Range[] =>
  ranges.flatMap(([first, last]): Range[] => {
    const parts: Range[] = [
      [Math.max(first, 1), Math.min(last, 0xd7_ff)],
      [Math.max(first, 0xe0_00), last],
    ];
    return [...(first === 0 ? [[0xff_fd, 0xff_fd] as const] : []), ...parts.filter(([a, b]) => a <= b)];
  });

/** Returns a class of characters; one that is empty matches nothing. */
function classOf(ranges: readonly Range[], mayBePlain = false): string {
  const all = storable(ranges);
  const [only] = all;
  if (only === undefined) return '(?:(?=a)(?!a))';
  if (mayBePlain && all.length === 1 && only[0] === only[1]) return escaped(only[0]);
  return `[${all.map(([first, last]) => (first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`)).join('')}]`;
}

const escaped = (code: number): string =>
  /^[A-Za-z0-9]$/.test(String.fromCodePoint(code))
    ? String.fromCodePoint(code)
    : `\\U${code.toString(16).padStart(8, '0')}`;

const unsupported = (what: string): AppError =>
  new AppError(
    'invalid',
    `${what} is not possible in a regular expression of this store, which is PostgreSQL.`,
  );
