import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs } from '../../src/jobs/back-off.ts';

describe('the back-off', () => {
  it.each([
    [1, 0.5, 1_000],
    [2, 0.5, 2_000],
    [5, 0.5, 16_000],
    [12, 0.5, 2_048_000],
    [13, 0.5, 3_600_000],
    [10_000, 0.5, 3_600_000],
    [1, 0, 800],
    [1, 1, 1_200],
    [13, 1, 4_320_000],
  ])('after attempt %d with random %d is %d ms', (attempt, random, ms) => {
    expect(backOffMs(attempt, () => random)).toBe(ms);
  });

  it('stays within 20 % of the doubled time, and of an hour', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), random, (attempt, value) => {
        const middle = backOffMs(attempt, () => 0.5);
        const ms = backOffMs(attempt, () => value);
        expect(Number.isSafeInteger(ms)).toBe(true);
        expect(ms).toBeGreaterThanOrEqual(middle * 0.8);
        expect(ms).toBeLessThanOrEqual(middle * 1.2);
      }),
    );
  });
});
