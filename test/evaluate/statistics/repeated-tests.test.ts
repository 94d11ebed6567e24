/** What repeated tests of few examples may not pretend: that they are as many examples. With the simulation of the benchmark. */
import { describe, expect, it } from 'vitest';
import { noDifference, rareRegressions, rates, ratesWithBroken } from '../../../bench/simulation/samples.ts';
import { coverageOf } from '../../../bench/simulation/simulate.ts';
import { noDifferenceOfTasks } from '../../../bench/simulation/tasks.ts';

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
  it('finds nothing in 5 examples with 20 tests where nothing changed', () => {
    const design = { examples: 5, repeats: 20, rate: 0.8, correlation: 0.3 };
    expect(coverageOf(noDifference(design), 0.5, SAMPLES).held).toBeGreaterThanOrEqual(0.95);
  });

  it('finds nothing in 5 tasks with 20 examples where nothing changed', () => {
    const design = { examples: 5, repeats: 20, rate: 0.8, correlation: 0.3 };
    expect(coverageOf(noDifferenceOfTasks(design), 0.5, SAMPLES).held).toBeGreaterThanOrEqual(0.95);
  });

  it.each([0.05, 0.1, 0.2])('of 6 tasks contains a regression of a share of %d of them', (broken) => {
    const design = { examples: 6, repeats: 5, rate: 0.95, correlation: 0.3, broken };
    const truth = (1 - broken * design.rate) / 2;
    expect(coverageOf(rareRegressions(design), truth, SAMPLES).held).toBeGreaterThanOrEqual(LEAST);
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

  it.each([10, 20, 50])('of the difference with %i examples, some of which regressed', (examples) => {
    for (const broken of [0, 0.05, 0.2])
      for (const correlation of [0, 0.3, 0.9]) {
        const design = { examples, repeats: 5, rate: 0.9, correlation, broken };
        const { held } = coverageOf(rareRegressions(design), (1 - broken * design.rate) / 2, few);
        expect(held, JSON.stringify(design)).toBeGreaterThanOrEqual(LEAST);
      }
  });
});
