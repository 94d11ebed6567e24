import { describe, expect, it } from 'vitest';
import { createContainsText } from '../../src/storage/sqlite/contains-text.ts';

const contains = createContainsText();

describe('containsText', () => {
  it('takes each letter of Unicode in any case', () => {
    const apart: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
        if (other === letter) continue;
        if (!contains(letter, `a${other}b`) || !contains(other, `a${letter}b`)) apart.push(letter);
      }
    }
    expect(apart).toEqual([]);
  });

  it.each<[part: string, texts: (string | null)[], found: 0 | 1]>([
    ['b', ['abc'], 1],
    ['b', ['ac', null, 'xB'], 1],
    ['ab', ['a', 'b'], 0],
    ['b', [null, null], 0],
    ['b', [], 0],
    ['', ['a'], 1],
    ['ΟΔΟΣ', ['οδος'], 1],
    ['οδοσ', ['ΟΔΟΣ'], 1],
    ['straße', ['STRASSE'], 1],
    ['STRAẞE', ['strasse'], 1],
    ['caf\u00e9', ['CAFE\u0301'], 1],
    ['cafe\u0301', ['CAF\u00c9'], 1],
    ['\u0390', ['\u03aa\u0301'], 1],
    ['a.c', ['abc'], 0],
    ['\0b', ['a\0B'], 1],
  ])('looks for %j in %j', (part, texts, found) => {
    expect(contains(part, ...texts)).toBe(found);
  });

  it('finds each of two parts that take turns', () => {
    expect([contains('a', 'A'), contains('b', 'A'), contains('a', 'A')]).toEqual([1, 0, 1]);
  });
});
