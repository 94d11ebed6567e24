import { expect, it } from 'vitest';
import { randomRate, rateText } from '../../src/dashboard/issues/random-rate.ts';

const RATE = { kind: 'RATE', count: 5, rate: 25, low: 11.2, high: 46.9, of: 20, queueId: null } as const;

it.each([
  ['a sample with the issue', RATE, '25.0 %'],
  ['a small sample without it', { ...RATE, count: 0, rate: 0, low: 0, high: 43.4, of: 5 }, 'at most 43.4 %'],
])('the rate of %s is written', (_, frequency, text) => {
  const rate = randomRate(frequency);
  expect(rate && rateText(rate).replaceAll(/\s/g, ' ')).toBe(text);
});

it('chosen traces give no rate', () => {
  expect(randomRate({ ...RATE, kind: 'COUNT', rate: null, low: null, high: null, of: null })).toBeUndefined();
});
