import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTruncatedJson } from '../../../src/traces/conventions/truncated-json.ts';
import { effort } from '../../support/effort.ts';

describe('truncated JSON', () => {
  it.each([
    '{"a":1,"b":',
    '[{"role":"user","content":[{"type":"ima',
    '{"a":"text with \\" a quote',
    '{"a":"half an escape \\',
    '[1,2,3',
    '[1,2,',
    '[{"a":tru',
    '{"a":-1.5e',
    '{"a":[{"b":"c"}',
    '{"text":"the sender says so...',
    '[{"a":1},{"a":2}...',
    '{"a":[1,2 … ',
    '[{"a":"b"},[truncated]',
  ])('is %s', (text) => expect(isTruncatedJson(text)).toBe(true));

  it.each([
    '',
    'hello',
    '{"a":1}',
    '[1,2]',
    '[]',
    '[1] According to the manual, the valve opens',
    '[[ ## question ## ]]\nWhat is the capital?',
    '[ERROR] something failed',
    '[{"a":1}] and more text',
    '{user} asks {question',
    '{"quoted"} text',
    '["a" "b',
    '[1, 2, three',
    '{"a":1,}',
    '[12 monkeys',
    '{ not: json',
  ])('is not %j', (text) => expect(isTruncatedJson(text)).toBe(false));

  it('is found in time that grows with the text, however many spaces it has', () => {
    const spaces = ' '.repeat(1_000_000);
    expect(isTruncatedJson(`{"a":${spaces}x`)).toBe(false);
    expect(isTruncatedJson(`{"a":1,${spaces}...`)).toBe(true);
  });

  it('is each beginning of an object, and never all of it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const length = 1 + (at % (text.length - 1));
        expect(isTruncatedJson(text)).toBe(false);
        // A truncated surrogate pair or a mark of truncation may end the text: neither is part of this rule.
        expect(isTruncatedJson(text.slice(0, length))).toBe(true);
      }),
      { numRuns: effort(300) },
    );
  });
});
