/** What repeated tests of few examples may not pretend: that they are as many examples. With the simulation of the benchmark. */
import { describe, expect, it } from 'vitest';
import { compareMethods } from '../../../bench/simulation/compare-methods.ts';
import { rates, ratesWithBroken } from '../../../bench/simulation/samples.ts';
import { coverageOf } from '../../../bench/simulation/simulate.ts';

/** The coverage that is required of an interval of 95 %. */
const LEAST = 0.93;
const SAMPLES = { samples: 1_000 };

describe('an interval of 95 % over 10 examples with 10 tests each', () => {
  it.each([0.3, 0.6, 0.9])(
    'contains the rate at a correlation of %d, and opens no gate too often',
    (correlation) => {
      const design = { examples: 10, repeats: 10, rate: 0.9, correlation };
      const { held, above, wilson } = coverageOf(rates(design), design.rate, SAMPLES);
      expect(held).toBeGreaterThanOrEqual(LEAST);
      expect(above).toBeLessThanOrEqual(0.025);
      // With each test as one observation it does not.
      expect(wilson).toBeLessThan(0.75);
    },
  );
});

describe('a comparison', () => {
  /** What chance may take from a share of 150 samples. */
  const CHANCE = 0.05;
  const few = { samples: 150 };
  const ofTasks = { rate: 0.9, correlation: 0.3, spread: 0, loss: 0 };

  it.each([
    [5, 30, 1, 0.2, false],
    [5, 5, 5, 0.3, false],
    [10, 30, 1, 0.1, false],
    [10, 10, 3, 0.1, true],
    [20, 10, 1, 0.1, true],
    [50, 5, 1, 0.05, false],
  ])(
    'of %d tasks × %d examples × %d tests finds a loss of %d about as often as any method (uneven: %s)',
    (tasks, examples, repeats, loss, isUneven) => {
      const design = { ...ofTasks, tasks, examples, repeats, loss, isUneven };
      const { product, clusterT, mixed, signFlip } = compareMethods(design, few);
      const best = Math.max(clusterT.worse, mixed.worse, signFlip.worse);
      expect(product.worse).toBeGreaterThanOrEqual(best - 0.1 - CHANCE);
      expect(product.held).toBeGreaterThanOrEqual(LEAST - CHANCE);
    },
  );

  it.each([
    [5, 5, 1, 0],
    [5, 30, 3, 0.08],
    [6, 30, 1, 0.08],
    [10, 10, 1, 0.15],
    [20, 10, 1, 0.08],
  ])(
    'of %d tasks × %d examples × %d tests, where tasks vary by %d, finds none where there is none',
    (tasks, examples, repeats, spread) => {
      for (const isUneven of [false, true]) {
        const design = { ...ofTasks, tasks, examples, repeats, spread, isUneven };
        const { worse, held } = compareMethods(design, { samples: 400 }).product;
        expect(worse).toBeLessThanOrEqual(0.06);
        expect(held).toBeGreaterThanOrEqual(LEAST - 0.02);
      }
    },
  );

  it.each([
    [10, 5],
    [20, 5],
    [50, 3],
  ])('of %d examples of one task × %d tests contains a regression of some of them', (examples, repeats) => {
    for (const broken of [0, 0.05, 0.2])
      for (const correlation of [0, 0.3, 0.9]) {
        const design = {
          ...ofTasks,
          tasks: 1,
          examples,
          repeats,
          correlation,
          loss: broken * 0.9,
          isUneven: false,
        };
        const { held } = compareMethods(design, { samples: 300 }).product;
        expect(held, JSON.stringify(design)).toBeGreaterThanOrEqual(LEAST);
      }
  });

  it('of ten examples with three tests finds more than Gaffke did', () => {
    const design = { ...ofTasks, tasks: 1, examples: 10, repeats: 3, loss: 0.35, isUneven: false };
    expect(compareMethods(design, SAMPLES).product.worse).toBeGreaterThan(0.3);
  });
});

describe('the coverage of an interval of 95 %', () => {
  const few = { samples: 400 };

  it.each([1, 5, 10, 20, 50])('of the rate with %i examples', (examples) => {
    for (const repeats of [1, 20])
      for (const rate of [0.5, 0.9, 0.99])
        for (const correlation of [0, 0.3, 0.9]) {
          const design = { examples, repeats, rate, correlation };
          const { held } = coverageOf(rates(design), rate, few);
          expect(held, JSON.stringify(design)).toBeGreaterThanOrEqual(LEAST);
        }
  });

  it.each([10, 20, 50])('of the rate with %i examples, some of which never pass', (examples) => {
    for (const broken of [0.02, 0.1, 0.3]) {
      const design = { examples, repeats: 10, rate: 0.99 * (1 - broken), broken };
      const { held } = coverageOf(ratesWithBroken(design), design.rate, few);
      expect(held, JSON.stringify(design)).toBeGreaterThanOrEqual(LEAST);
    }
  });
});
