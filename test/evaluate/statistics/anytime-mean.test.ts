import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anytimeMean } from '../../../src/evaluate/statistics/anytime-mean.ts';
import { expectedStops } from '../../../src/evaluate/statistics/anytime-saving.ts';
import { effort } from '../../support/effort.ts';
import { mulberry32 } from '../../support/random.ts';

const RUNS = effort(300);
const passing = (passed: number, failed: number): number[] => [
  ...Array.from({ length: passed }, () => 1),
  ...Array.from({ length: failed }, () => 0),
];

describe('bounds that hold at every moment', () => {
  it.each([
    [0.9, 0.9],
    [0.8, 0.8],
    [0.5, 0.5],
    [0.95, 0.95],
  ])('stop on the wrong side in at most 5 %% of runs: rate %d at the line %d', (share, line) => {
    // On the line, either side is wrong: this is the worst case of both.
    const random = mulberry32(Math.floor(share * 1_000));
    const { above, below } = expectedStops({ share, line, batch: 10, most: 400 }, { runs: RUNS, random });
    const error = Math.sqrt((0.05 * 0.95) / RUNS);
    expect(above + below).toBeLessThan(0.05 + 3 * error);
  });

  it.each([
    [0.6, 0.9, 'below', 60],
    [0.99, 0.8, 'above', 80],
    [0.75, 0.9, 'below', 150],
  ] as const)('stop early where the rate %d is far from the line %d', (share, line, side, most) => {
    const stops = expectedStops({ share, line, batch: 10, most: 500 });
    expect(stops[side]).toBeGreaterThan(0.95);
    expect(stops.examples).toBeLessThan(most);
  });

  it('contain the mean, and are apart by more with fewer values', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), (passed, failed) => {
        const values = passing(passed, failed);
        const { low, high, mean } = anytimeMean(values, 0.5);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
        const twice = anytimeMean([...values, ...values], 0.5);
        expect(twice.low).toBeGreaterThanOrEqual(low - 1e-9);
        expect(twice.high).toBeLessThanOrEqual(high + 1e-9);
      }),
    );
  });

  it('decide as the bounds say', () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.nat(60),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (passed, failed, line) => {
          const { low, high, isAbove } = anytimeMean(passing(passed, failed), line);
          expect(isAbove !== true || low >= line - 1e-6).toBe(true);
          expect(isAbove !== false || high <= line + 1e-6).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['nothing', [], 0, 1],
    ['one pass', [1], 0, 1],
    ['one failure', [0], 0, 1],
  ] as const)('of %s exclude nearly nothing', (_name, values, low, high) => {
    const found = anytimeMean(values, 0.5);
    expect(found.isAbove).toBeNull();
    expect(found.low).toBeLessThan(low + 0.1);
    expect(found.high).toBeGreaterThan(high - 0.1);
  });
});
