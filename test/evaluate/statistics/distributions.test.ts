import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, betaQuantile } from '../../../src/evaluate/statistics/beta.ts';
import { normalCdf, normalQuantile, reach, twoSided } from '../../../src/evaluate/statistics/normal.ts';

describe('the normal distribution', () => {
  // By SciPy 1.17, `norm.cdf`.
  it.each([
    [-8, 6.22096057427174e-16],
    [-3, 0.0013498980316300933],
    [0, 0.5],
    [1, 0.8413447460685429],
    [40, 1],
    [-40, 0],
  ])('has below %d the share %d', (x, share) => {
    expect(normalCdf(x) / (share || 1)).toBeCloseTo(share === 0 ? 0 : 1, 7);
    expect(Math.abs(normalCdf(x) - share)).toBeLessThan(1e-14);
  });

  it('has the quantiles that tables name', () => {
    expect(reach(0.95)).toBeCloseTo(1.959963984540054, 11);
    expect(reach(0.99)).toBeCloseTo(2.5758293035489004, 11);
    expect(twoSided(reach(0.9))).toBeCloseTo(0.1, 12);
    expect(twoSided(0)).toBe(1);
  });

  it('has quantiles that undo its shares, and is symmetric', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (share) => {
        expect(normalCdf(normalQuantile(share))).toBeCloseTo(share, 12);
        expect(normalQuantile(1 - share)).toBeCloseTo(-normalQuantile(share), 6);
      }),
    );
  });
});

describe('the beta distribution', () => {
  // By SciPy 1.17, `beta.cdf`.
  it.each([
    [0.9, 9, 2, 0.7360989291000001],
    [0.5, 0.5, 0.5, 0.5000000000000001],
    [0.05, 1, 35, 0.8339166160123925],
    [0.3, 21, 4.7, 2.243065586684668e-8],
    [0.999, 900, 1.5, 0.6146301766866391],
    [0.2, 0.01, 3, 0.995087118231316],
  ])('has below %d, with %d and %d, the share %d', (x, a, b, share) => {
    expect(betaCdf(x, a, b) / share).toBeCloseTo(1, 10);
  });

  it('has quantiles that undo its shares, and mirrors', () => {
    const parameter = fc.double({ min: 0.01, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(parameter, parameter, fc.double({ min: 1e-3, max: 0.999, noNaN: true }), (a, b, share) => {
        const x = betaQuantile(share, a, b);
        fc.pre(x > 1e-3 && x < 0.999);
        expect(betaCdf(x, a, b)).toBeCloseTo(share, 6);
        expect(betaCdf(1 - x, b, a)).toBeCloseTo(1 - share, 6);
      }),
    );
  });
});
