import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilterPattern } from '../../src/filter/patterns.ts';
import type { FilterValue } from '../../src/filter/term.ts';
import { hasPart, wholeOf } from '../../src/storage/filter-sql.ts';
import { translatePattern } from '../../src/storage/dialect/postgres-pattern.ts';
import { effort } from '../support/effort.ts';
import { useStore } from '../support/storage.ts';

const { database } = useStore();

/** Returns whether the store finds each text by a value of a filter line. */
function found(value: FilterValue, texts: readonly string[], isWhole = false): boolean[] {
  const { sql, values } = (isWhole ? wholeOf : hasPart)(value, 'one.value');
  return texts.map((text) => {
    const query = `SELECT 1 AS found FROM (SELECT CAST(? AS TEXT) AS value) AS one WHERE ${sql}`;
    return database().get(query, text, ...values) !== undefined;
  });
}

function expected(source: string, flags: string, texts: readonly string[]): boolean[] {
  const pattern = compileFilterPattern(source, flags);
  if (typeof pattern === 'string') throw new Error(`${source}: ${pattern}`);
  return texts.map((text) => text.search(pattern) !== -1);
}

const TEXTS = [
  'abc',
  'ABC',
  'a\nb',
  'a\rb c',
  'x-1',
  'über Straße ÜBER',
  'a.b*c+d?e',
  'tab\there',
  'nb\u00a0sp\ufeff\u2028line',
  '😀 smile 😀😀',
  '{a} [b] (c) |d| ^e$ \\f',
  'aaaa 1234567890',
  '_under score_',
  'é',
  '',
];

const ATOMS =
  'a B ß É 1 - . \\d \\W \\s [a-c] [^a\\d] [\\s_-] \\. \\n (?:a|b) (é) \\b ^ $ \\u0041 \\0 { ] \\_'.split(
    ' ',
  );

describe('a pattern finds the same texts in the store as in JavaScript', () => {
  it.each<[source: string, flags: string]>([
    ['a.b', ''],
    ['a.b', 's'],
    ['^b', ''],
    ['^b', 'm'],
    ['a$', 'm'],
    ['abc', 'i'],
    ['über', 'i'],
    ['\\bover\\b|\\bscore', ''],
    ['\\Bnder', ''],
    ['\\d{4,}', ''],
    ['\\D\\s\\S', ''],
    ['[\\w.-]+\\*', ''],
    ['[^\\w\\s]', ''],
    ['[^a-z]b', ''],
    ['[]a]|[^]x', ''],
    ['\\{a\\}|\\[b\\]', ''],
    ['{a}', ''],
    ['a{2', ''],
    ['(?<name>a|b)+?c', ''],
    ['(?:a{2}){2}', ''],
    ['\\x61\\u0062\\cJ?c', ''],
    ['\\t|\\v|\\f', ''],
    ['😀 ', ''],
    ['\\/|\\-1|\\e\\$', ''],
    ['[\\]\\\\^-]', ''],
    ['[+--]', ''],
    ['STRASSE|straße', 'i'],
    ['a*?b', ''],
  ])('%s with the flags %j', (source, flags) => {
    expect(found({ is: 'regex', source, flags }, TEXTS)).toEqual(expected(source, flags, TEXTS));
  });

  it('also if it is any one', () => {
    const atom = fc.constantFrom(...ATOMS);
    const repeated = fc
      .tuple(atom, fc.constantFrom('', '', '', '*', '+?', '?', '{2}', '{1,}', '{0,3}?'))
      .filter(([one, times]) => times === '' || !['\\b', '^', '$', '{'].includes(one))
      .map((parts) => parts.join(''));
    const branch = fc.array(repeated, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const source = fc.array(branch, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|'));
    const text = fc.string({
      unit: fc.constantFrom(...'a b B ß é É 1 - . _ { ] \n \u00a0'.split(' '), ' '),
      maxLength: 8,
    });
    fc.assert(
      fc.property(source, fc.constantFrom('', 'i', 'm', 's', 'ims'), fc.array(text), (one, flags, texts) => {
        fc.pre(typeof compileFilterPattern(one, flags) !== 'string');
        expect(found({ is: 'regex', source: one, flags }, texts)).toEqual(expected(one, flags, texts));
      }),
      { numRuns: effort(60) },
    );
  });

  it('also with wildcards', () => {
    expect(found({ is: 'wildcard', parts: ['a.', '+'] }, TEXTS)).toEqual(
      TEXTS.map((text) => text === 'a.b*c+d?e'),
    );
    expect(found({ is: 'wildcard', parts: ['', 'c'] }, ['abc', 'b\nc', 'cd'], true)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it('a pattern that PostgreSQL cannot have is rejected there with a sentence', () => {
  const sentence = 'is not possible in a regular expression of this store, which is PostgreSQL.';
  expect(() => translatePattern('a{256}', '')).toThrow(
    `A repetition of 256 times, which is more than 255, ${sentence}`,
  );
  expect(() => translatePattern('(?=a)b', '')).toThrow(`A group that begins with (? ${sentence}`);
  expect(() => translatePattern('(a)\\1', '')).toThrow(`The escape \\1 ${sentence}`);
});
