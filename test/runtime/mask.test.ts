import { describe, expect, it } from 'vitest';
import { maskSecret } from '../../src/runtime/mask.ts';

describe('a secret', () => {
  it.each([
    ['is masked wherever it occurs', 'sk-12345: wrong key sk-12345', 'sk-12345', '***: wrong key ***'],
    ['leaves the text as it is when there is none', 'wrong key', null, 'wrong key'],
    ['leaves the text as it is when it is a placeholder', 'a wrong key', 'a', 'a wrong key'],
    ['of eight characters is masked', 'key 12345678', '12345678', 'key ***'],
    ['of seven characters is not', 'key 1234567', '1234567', 'key 1234567'],
  ])('%s', (_what, text, secret, expected) => {
    expect(maskSecret(text, secret)).toBe(expected);
  });
});
