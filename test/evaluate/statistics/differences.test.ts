import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterBootstrap } from '../../../src/evaluate/statistics/cluster-bootstrap.ts';
import { differenceOf, type Pair } from '../../../src/evaluate/statistics/comparison.ts';
import { cohensD, oddsRatio } from '../../../src/evaluate/statistics/effect-size.ts';
import { holm } from '../../../src/evaluate/statistics/holm.ts';
import {
  independentDifference,
  independentPValue,
  meanShare,
} from '../../../src/evaluate/statistics/independent-difference.ts';
import { correctedMcNemar, exactMcNemar, mcnemar } from '../../../src/evaluate/statistics/mcnemar.ts';
import { reach } from '../../../src/evaluate/statistics/normal.ts';
import { pairedDifference } from '../../../src/evaluate/statistics/paired-difference.ts';

const Z = reach(0.95);
const count = fc.integer({ min: 0, max: 200 });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("McNemar's test", () => {
  // M. W. Fagerland, S. Lydersen, P. Laake, "The McNemar test for binary matched-pairs data", BMC Medical Research
  // Methodology 13 (2013) 91: airway hyper-responsiveness, and complete response to a therapy.
  it.each([
    [1, 7, 0.07, 0.077],
    [6, 16, 0.052, 0.055],
  ])('of %i and %i is that of the literature', (first, second, exact, corrected) => {
    expect(exactMcNemar(first, second)).toBeCloseTo(exact, 3);
    expect(correctedMcNemar(first, second)).toBeCloseTo(corrected, 3);
    expect(exactMcNemar(second, first)).toBe(exactMcNemar(first, second));
  });

  it('is exact below 25 pairs that differ', () => {
    expect(mcnemar(12, 12)).toEqual({ method: 'MCNEMAR_EXACT', pValue: 1 });
    expect(mcnemar(0, 0)).toEqual({ method: 'MCNEMAR_EXACT', pValue: 1 });
    expect(mcnemar(0, 24).pValue).toBe(2 ** -23);
    expect(mcnemar(13, 12)).toEqual({ method: 'MCNEMAR_CORRECTED', pValue: 1 });
    // A. Agresti, "Categorical Data Analysis", table 10.1: 86 and 150, the statistic being 63² / 236 when corrected.
    const { method, pValue } = mcnemar(86, 150);
    expect(method).toBe('MCNEMAR_CORRECTED');
    expect(pValue).toBeCloseTo(4.114562e-5, 10);
  });
});

describe('the interval of a difference', () => {
  it('is for pairs that of the literature', () => {
    // Fagerland, Lydersen, Laake, "Statistical Analysis of Contingency Tables" (2017), chapter 8: 59, 6, 16, 80.
    const counts = { both: 59, onlyFirst: 6, onlySecond: 16, neither: 80 };
    const { low, high } = pairedDifference(counts, Z);
    expect([low, high].map((bound) => Number(bound.toFixed(4)))).toEqual([0.0046, 0.1186]);
  });

  it('is for independent tests that of the literature', () => {
    // The same book, chapter 4: 7 of 34 against 1 of 34.
    const [few, many] = [
      { share: 1 / 34, count: 34 },
      { share: 7 / 34, count: 34 },
    ];
    const { low, high } = independentDifference(few, many, Z);
    expect([low, high].map((bound) => Number(bound.toFixed(4)))).toEqual([0.0189, 0.3404]);
  });

  it('holds the difference, stays within −1 and 1, and mirrors when the sides are exchanged', () => {
    fc.assert(
      fc.property(count, count, count, count, (both, onlyFirst, onlySecond, neither) => {
        fc.pre(both + onlyFirst + onlySecond + neither > 0);
        const difference = (onlySecond - onlyFirst) / (both + onlyFirst + onlySecond + neither);
        const { low, high } = pairedDifference({ both, onlyFirst, onlySecond, neither }, Z);
        const mirrored = pairedDifference({ both, onlyFirst: onlySecond, onlySecond: onlyFirst, neither }, Z);
        expect(low).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(low).toBeLessThanOrEqual(difference + 1e-12);
        expect(high).toBeGreaterThanOrEqual(difference - 1e-12);
        expect(high).toBeLessThanOrEqual(1 + 1e-12);
        expect(mirrored.low).toBeCloseTo(-high, 9);
      }),
    );
  });

  it('excludes no difference just when the p value says so', () => {
    const seen = fc.record({ share, count: fc.integer({ min: 1, max: 500 }) });
    fc.assert(
      fc.property(seen, seen, (first, second) => {
        const pValue = independentPValue(first, second);
        fc.pre(Math.abs(pValue - 0.05) > 1e-9);
        const { low, high } = independentDifference(first, second, Z);
        expect(low <= 0 && high >= 0).toBe(pValue > 0.05);
      }),
    );
  });

  it('counts strata of one test each as so many tests', () => {
    expect(
      meanShare([
        { share: 1, count: 1 },
        { share: 0, count: 1 },
      ]),
    ).toEqual({ share: 0.5, count: 2 });
    expect(
      meanShare([
        { share: 0.5, count: 2 },
        { share: 0.5, count: 6 },
      ]),
    ).toEqual({ share: 0.5, count: 6 });
  });
});

describe('the bootstrap over clusters', () => {
  // B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", table 2.1: survival of treated mice, in days.
  const mice = [94, 197, 16, 38, 99, 141, 23].map((sum) => ({ sum, count: 1 }));

  it('is of single values wider than the plain percentile interval, as few values need', () => {
    const { low, high } = clusterBootstrap(mice, { confidence: 0.95 });
    // 86.86 ± 1.96 standard errors (of 25.24, by the book) of a normal interval, ± 2.447 of one by Student's t.
    expect(low).toBeGreaterThan(15);
    expect(low).toBeLessThan(86.86 - 1.96 * 23.4);
    expect(high).toBeGreaterThan(86.86 + 1.96 * 25.24);
    expect(high).toBeLessThan(165);
  });

  it('gives the same answer each time, and another with another seed', () => {
    const options = { confidence: 0.9 };
    expect(clusterBootstrap(mice, options)).toEqual(clusterBootstrap(mice, options));
    expect(clusterBootstrap(mice, { ...options, seed: 2 })).not.toEqual(clusterBootstrap(mice, options));
  });

  it('weighs clusters by how many values they have', () => {
    const clusters = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? { sum: 9, count: 9 } : { sum: 0, count: 1 },
    );
    const { low, high, pValue } = clusterBootstrap(clusters, { confidence: 0.95 });
    expect(low).toBeGreaterThan(0.5);
    expect(high).toBeLessThan(1);
    expect(pValue).toBeLessThan(0.001);
  });

  it('is narrower with less confidence, and excludes 0 just when the p value is below what confidence leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 30 }), { minLength: 6, maxLength: 30 }), (values) => {
        fc.pre(new Set(values).size > 2);
        const clusters = values.map((sum) => ({ sum, count: 1 }));
        const wide = clusterBootstrap(clusters, { confidence: 0.95 });
        const narrow = clusterBootstrap(clusters, { confidence: 0.8 });
        expect(narrow.low).toBeGreaterThanOrEqual(wide.low);
        expect(narrow.high).toBeLessThanOrEqual(wide.high);
        if (Math.abs(wide.pValue - 0.05) > 0.005 && wide.low !== 0 && wide.high !== 0)
          expect(wide.low > 0 || wide.high < 0).toBe(wide.pValue < 0.05);
      }),
      { numRuns: 40 },
    );
  });

  it('takes little time of many clusters', () => {
    const clusters = Array.from({ length: 10_000 }, (_, i) => ({ sum: i % 3, count: 1 }));
    const { low, high } = clusterBootstrap(clusters, { confidence: 0.95 });
    expect(low).toBeLessThan(1);
    expect(high).toBeGreaterThan(1);
    expect(high - low).toBeCloseTo(2 * 1.96 * Math.sqrt(2 / 3 / 10_000), 2);
  });
});

describe('a difference over tasks with several tests', () => {
  /** One for each task, each of which got better, by more or less. */
  const pairsOf = (tasks: number): Pair[] =>
    Array.from({ length: tasks }, (_, i) => ({
      taskId: `task ${i}`,
      baseline: { rate: 0.2, score: null, tests: 5, isWhole: true },
      candidate: { rate: i % 2 ? 0.4 : 0.8, score: null, tests: 5, isWhole: true },
    }));

  it.each([
    [0.95, 5, 'NEWCOMBE_INDEPENDENT'],
    [0.95, 6, 'CLUSTER_BOOTSTRAP'],
    // Beyond the most extreme resample there is nothing to see.
    [0.99, 8, 'NEWCOMBE_INDEPENDENT'],
    [0.99, 9, 'CLUSTER_BOOTSTRAP'],
    [0.999, 30, 'NEWCOMBE_INDEPENDENT'],
    [0.999, 31, 'CLUSTER_BOOTSTRAP'],
    [0.999, 5_000, 'CLUSTER_BOOTSTRAP'],
  ])('is at a confidence of %d and of %i tasks found by %s', (confidence, tasks, method) => {
    const { low, pValue, ...found } = differenceOf(pairsOf(tasks), confidence);
    expect(found.method).toBe(method);
    expect(low > 0).toBe(pValue < 1 - confidence);
  });
});

describe("Holm's adjustment", () => {
  it.each<[pValues: number[], adjusted: number[]]>([
    [[], []],
    [[0.04], [0.04]],
    // The four hypotheses of the example that R's documentation and SciPy's users share.
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.03, 0.06, 0.06, 0.02],
    ],
    [
      [0.6, 0.5, 0.9],
      [1, 1, 1],
    ],
  ])('of %j is %j', (pValues, adjusted) => {
    expect(holm(pValues).map((value) => Number(value.toFixed(9)))).toEqual(adjusted);
  });

  it('never makes a p value smaller, nor changes their order', () => {
    fc.assert(
      fc.property(fc.array(share, { maxLength: 10 }), (pValues) => {
        const adjusted = holm(pValues);
        for (const [i, pValue] of pValues.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(pValue);
          expect(adjusted[i]).toBeLessThanOrEqual(1);
          for (const [j, other] of pValues.entries())
            if (pValue < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] as number);
        }
      }),
    );
  });
});

describe('effect sizes', () => {
  it.each([
    [0.5, 0.8, 4],
    [0.5, 0.5, 1],
    [0, 0.5, null],
    [0.5, 1, null],
  ])('odds of %d and %d', (first, second, ratio) => {
    if (ratio === null) expect(oddsRatio(first, second)).toBeNull();
    else expect(oddsRatio(first, second)).toBeCloseTo(ratio, 12);
  });

  it('d is the difference of the means by the deviation of both', () => {
    // Both sides have the variance 1.
    const pairs: [number, number][] = [
      [1, 3],
      [2, 4],
      [3, 5],
    ];
    expect(cohensD(pairs)).toBeCloseTo(2, 12);
    expect(cohensD(pairs.map(([first, second]) => [second, first]))).toBeCloseTo(-2, 12);
    expect(cohensD(pairs.slice(1, 2))).toBeNull();
    expect(
      cohensD([
        [0.1, 0.3],
        [0.1, 0.3],
      ]),
    ).toBeNull();
  });
});
