import { describe, expect, it } from 'vitest';
import { nfc } from '../../src/contract/text-forms.ts';
import { includesText } from '../../src/evaluate/text-search.ts';
import { mulberry32 } from '../support/random.ts';

describe('containsText', () => {
  it('finds what String.includes finds', () => {
    const random = mulberry32(7);
    const textOf = (length: number): string =>
      Array.from({ length }, () => (random() < 0.9 ? 'a' : 'b')).join('');
    let found = 0;
    for (let round = 0; round < 2_000; round++) {
      const text = textOf(Math.floor(random() * 400));
      const start = Math.floor(random() * text.length);
      const part = random() < 0.5 ? textOf(60 + Math.floor(random() * 20)) : text.slice(start, start + 90);
      expect(includesText(text, part)).toBe(text.includes(part));
      if (part.length > 64 && text.includes(part)) found += 1;
    }
    expect(found).toBeGreaterThan(100);
  });

  // Searched for by String.includes, this takes minutes.
  it('takes linear time', () => {
    expect(includesText('a'.repeat(4_000_000), `${'a'.repeat(5_000)}b${'a'.repeat(4_999)}`)).toBe(false);
  });
});

describe('nfc', () => {
  it('composes characters, and orders the marks of one', () => {
    expect(nfc('e\u0301')).toBe('\u00e9');
    expect(nfc(`a${'\u0301'.repeat(64)}`)).toBe(`\u00e1${'\u0301'.repeat(63)}`);
  });

  // Normalised, this takes minutes.
  it('leaves texts as they are that have very many marks in a row', () => {
    const text = `e\u0301${'\u0345'.repeat(100_000)}${'\u0316'.repeat(100_000)}`;
    expect(nfc(text)).toBe(text);
  });

  it('takes linear time where runs of marks end just below the limit', () => {
    const text = `a${'\u0301'.repeat(64)}`.repeat(20_000);
    expect(nfc(text)).toHaveLength(64 * 20_000);
  });
});
