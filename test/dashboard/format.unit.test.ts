import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatMoney,
  formatPercent,
  formatSum,
} from '../../src/dashboard/format/number.ts';
import { formatAgo, formatDay, formatDuration } from '../../src/dashboard/format/time.ts';

const plain = (text: string): string => text.replaceAll('\u202f', ' ');

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [8_984, '8 984'],
    [100_002, '100 002'],
    [1_620_000, '1.62 M'],
    [-1_234, '-1 234'],
  ])('counts: %d is %s', (value, text) => expect(plain(formatCount(value))).toBe(text));

  it.each([
    [0, '$0.0000'],
    [0.00001, '<$0.0001'],
    [0.0009, '$0.0009'],
    [4.81, '$4.8100'],
    [12_345.678, '$12 345.68'],
  ])('amounts: %d is %s', (value, text) => expect(plain(formatMoney(value))).toBe(text));

  it.each([
    [0, '$0.00'],
    [0.0012, '$0.0012'],
    [1_234.5, '$1 234.50'],
  ])('sums: %d is %s', (value, text) => expect(plain(formatSum(value))).toBe(text));

  it('percent', () => expect(plain(formatPercent(0.843))).toBe('84 %'));

  it.each([
    [12, '12 B'],
    [1_234, '1.2 kB'],
    [5_000_000, '5.0 MB'],
  ])('sizes: %d is %s', (value, text) => expect(formatBytes(value)).toBe(text));
});

describe('times', () => {
  it.each([
    [0.5, '500 µs'],
    [412, '412 ms'],
    [3_980, '3.98 s'],
    [414_000, '6.9 min'],
    [7_200_000, '2.0 h'],
    [864_000_000, '10.0 d'],
  ])('durations: %d ms is %s', (value, text) => expect(formatDuration(value)).toBe(text));

  const now = Date.parse('2026-03-31T12:00:00Z');
  it.each([
    ['2026-03-31T11:59:58Z', 'now'],
    ['2026-03-31T11:55:00Z', '5 min ago'],
    ['2026-03-31T09:00:00Z', '3 h ago'],
    ['2026-04-03T12:00:00Z', 'in 3 d'],
  ])('distances: %s is %s', (iso, text) => expect(formatAgo(iso, now)).toBe(text));

  it('names the year of a day only when it is another one', () => {
    const day = new Date(2025, 10, 21);
    expect(formatDay(day, new Date(2025, 0, 1))).toBe('21 Nov');
    expect(formatDay(day, new Date(2026, 0, 1))).toBe('21 Nov 2025');
  });
});
