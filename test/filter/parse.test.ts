import { describe, expect, test } from 'vitest';
import { FILTER_FIELDS, FILTER_SCREENS } from '../../src/filter/fields.ts';
import { parseFilter, printFilter } from '../../src/filter/parse.ts';
import type { FilterTerms } from '../../src/filter/term.ts';
import { filterTokens } from '../../src/filter/tokens.ts';
import { effort } from '../support/effort.ts';
import { mulberry32 } from '../support/random.ts';

const read = (line: string) => parseFilter(line, 'traces');

/** The terms without their places. */
const meaning = (terms: FilterTerms) => terms.map((term) => ({ ...term, start: 0, end: 0 }));

describe('A filter line', () => {
  test.each([
    ['refund', 'text:refund'],
    ['money back', 'text:money text:back'],
    ['"money back"', 'text:"money back"'],
    ['-refund', '-text:refund'],
    ['model:gpt-4o,gpt-5*', 'model:gpt-4o,gpt-5*'],
    ['Model:gpt-4o', 'model:gpt-4o'],
    ['-model:gpt-4o', '-model:gpt-4o'],
    ['output:/14 days|two weeks/i', 'output:/14 days|two weeks/i'],
    ['/a[/]b/', 'text:/a[/]b/'],
    ['errors:yes', 'error:yes'],
    ['kind:tool', 'kind:TOOL'],
    ['duration:>2s', 'duration:>2000ms'],
    ['duration:1s..5s', 'duration:1000ms..5000ms'],
    ['duration:..5s', 'duration:<=5000ms'],
    ['tokens:>1.5k', 'tokens:>1500'],
    ['cost:<=$0.01', 'cost:<=0.01'],
    ['spans:3', 'spans:3..3'],
    ['last:24h', 'last:86400000ms'],
    ['from:2026-03-31', 'from:2026-03-31T00:00:00.000Z'],
    ['to:2026-03-31', 'to:2026-03-31T23:59:59.999Z'],
    ['from:2026-03-31T10:00+02:00', 'from:2026-03-31T08:00:00.000Z'],
    ['metadata.channel:app', 'metadata.channel:app'],
    ['metadata."my key":app', 'metadata."my key":app'],
    ['metadata.a.b:app', 'metadata.a.b:app'],
    ['has:user', 'has:user'],
    ['has:metadata.channel', 'has:metadata.channel'],
    [String.raw`user:a\,b`, 'user:"a,b"'],
    [String.raw`\"`, String.raw`text:"\""`],
    ['10:30', 'text:"10:30"'],
    ['--x', '-text:"-x"'],
    ['', ''],
  ])('%s means %s', (line, printed) => {
    expect(read(line).faults).toEqual([]);
    expect(printFilter(read(line).terms)).toBe(printed);
  });

  test.each([
    ['metdata.channel:app', 0, 19, 'Unknown field “metdata”', 'metadata.channel:app'],
    ['a zzqqy:1', 2, 9, 'Unknown field “zzqqy”', '"zzqqy:1"'],
    ['model:', 0, 6, '`model:` needs a value', null],
    ['-', 0, 1, 'A minus must stand before a term', '"-"'],
    ['model:a,', 6, 8, 'A comma must stand between two values; quote the text to search for a comma', '"a,"'],
    ['"money', 0, 6, 'The quotation mark is not closed', '"money"'],
    ['"a"b', 0, 4, 'A space or a comma must follow "a"', '"a" b'],
    [
      '/usr/bin',
      0,
      8,
      'The regular expression /usr/bin must have no flags but i, m and s, each once',
      '"/usr/bin"',
    ],
    [
      '/usr',
      0,
      4,
      'The regular expression is not closed by a slash; quote the text to search for a slash',
      '"/usr"',
    ],
    ['/(a)\\1/', 0, 7, expect.stringContaining('linear time'), expect.any(String)],
    ['/a*/', 0, 4, 'The regular expression /a*/ must not match an empty text', '"/a*/"'],
    ['/(/', 0, 3, 'The regular expression /(/ must be a regular expression', '"/(/"'],
    ['a\\', 1, 2, 'A backslash must stand before the character that it escapes', '\\\\'],
    ['duration:2s', 9, 11, '`duration` must be a limit or a range such as >2s or 1s..5s', '>=2s'],
    ['duration:5s..1s', 9, 15, 'The range of `duration` begins above its end: 5s..1s', '1s..5s'],
    ['cost:>x', 5, 7, '`cost` must be a limit or a range such as >0.01 or 0.01..0.5', null],
    ['kind:tol', 5, 8, expect.stringContaining('`kind` must be one of LLM'), 'TOOL'],
    ['verdict:failed', 8, 14, '`verdict` must be one of pass, fail, none', 'fail'],
    ['last:soon', 5, 9, '`last` must be a length of time such as 24h', '24h'],
    ['from:2026-02-31', 5, 15, expect.stringContaining('`from` must be a day'), null],
    ['has:spans', 4, 9, expect.stringContaining('`has` must be one of input'), null],
    ['metadata:app', 0, 12, '`metadata` needs a key', 'metadata.channel:app'],
    ['model.x:gpt', 0, 11, '`model` has no keys', 'model:gpt'],
    ['-samples:yes', 0, 12, '`samples` cannot be negated', 'samples:yes'],
    ['*', 0, 1, 'A word with a wildcard needs a letter or digit', '"*"'],
    ['user:""', 5, 7, 'A value must not be empty', 'has:user'],
  ])('%s is at fault', (line, start, end, message: unknown, suggestion: unknown) => {
    expect(read(line).faults).toEqual([{ start, end, message, suggestion }]);
  });

  test('has at most 50 terms', () => {
    expect(read('x '.repeat(50)).faults).toEqual([]);
    expect(read('x '.repeat(51)).faults).toMatchObject([
      { message: 'A filter has at most 50 terms; got 51' },
    ]);
  });
});

const PIECES = [
  ...FILTER_FIELDS.flatMap(({ name, example }) => [`${name}:`, example]),
  ...' -,:.*"/\\><=..'.split(''),
  'refund',
  'a',
  'é',
  '😀',
  '\u0000',
  '\ud800',
  '/a|b/i',
  '"a b"',
  '1s..5s',
  '>2',
  'metadata.',
  '(',
  '[',
  '  ',
  'zz:',
];

test('every text is parsed or has faults within it; what is printed means the same; tokens cover the text', () => {
  const seed = Date.now() % 1_000_000;
  const next = mulberry32(seed);
  const random = (below: number): number => Math.floor(next() * below);
  for (let round = 0; round < effort(2_000); round++) {
    const line = Array.from({ length: random(8) }, () => PIECES[random(PIECES.length)]).join('');
    const screen = FILTER_SCREENS[random(FILTER_SCREENS.length)] ?? 'traces';
    const why = `seed ${seed}, line ${JSON.stringify(line)}`;
    const { terms, faults } = parseFilter(line, screen);
    for (const { start, end, message } of faults) {
      expect(start >= 0 && start < end && end <= line.length && message !== '', why).toBe(true);
    }
    const tokens = filterTokens(line);
    const rest = tokens.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), line);
    expect(rest.trim(), why).toBe('');
    if (faults.length > 0) continue;
    expect(terms.length, why).toBe(tokens.length);
    const again = parseFilter(printFilter(terms), screen);
    expect(again.faults, `${why}, printed ${printFilter(terms)}`).toEqual([]);
    expect(meaning(again.terms), why).toEqual(meaning(terms));
  }
});

test('each example of a field is a filter of that field', () => {
  for (const { name, example } of FILTER_FIELDS)
    expect(read(example).terms.map(({ field }) => field)).toEqual([name]);
});
