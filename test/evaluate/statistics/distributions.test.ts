import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile, reach, twoSided } from '../../../src/evaluate/statistics/normal.ts';
import { seededRandom, xoshiro128 } from '../../../src/evaluate/statistics/random.ts';
import { studentCdf, studentQuantile } from '../../../src/evaluate/statistics/student.ts';

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

describe("Student's t distribution", () => {
  // By SciPy 1.17, `t.cdf`; that of one degree of freedom is 1/2 + atan(t) / π.
  it.each([
    [2, 1, 0.5 + Math.atan(2) / Math.PI],
    [0.5, 3, 0.67427602],
    [2, 4, 0.9419417382415922],
    [-2.5, 9, 0.016930913841492867],
    [-3, 12, 0.00553335],
    [2, 5000, 0.9772228700058531],
  ])('has below %d with %i degrees of freedom the share %d', (t, freedom, share) => {
    expect(studentCdf(t, freedom)).toBeCloseTo(share, 8);
  });

  it.each([
    [1, 12.706],
    [2, 4.303],
    [9, 2.262],
    [30, 2.042],
    [120, 1.98],
  ])('has with %i degrees of freedom the quantile of 97.5 %% that tables name', (freedom, quantile) => {
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(quantile, 3);
  });
});

describe('the generator', () => {
  it('makes the numbers of its authors’ reference', () => {
    const next = xoshiro128([1, 2, 3, 4]);
    expect(Array.from({ length: 10 }, next)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('is the same for the same seed, and another for another', () => {
    const drawn = (seed: number): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.below(1_000));
    };
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  it('draws each of a few numbers about as often', () => {
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 70_000; i++) counts[random.below(7)]! += 1;
    // The 99.9 % quantile of chi-square with six degrees of freedom.
    expect(counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)).toBeLessThan(22.46);
  });
});
