import { describe, expect, it } from 'vitest';
import { compareMethods } from '../../bench/simulation/compare-methods.ts';
import { rates } from '../../bench/simulation/samples.ts';
import { readPlan } from '../../src/cli/test-options.ts';
import { planText, probabilityOfPassing, type TestPlan } from '../../src/cli/test-plan.ts';
import { meanInterval } from '../../src/evaluate/statistics/mean-interval.ts';
import { type RegressionPlan, regressionPlanText } from '../../src/cli/test-plan-regression.ts';
import { smallestLoss } from '../../src/evaluate/statistics/smallest-loss.ts';
import { mulberry32 } from '../support/random.ts';

const ONCE = { repeats: 1, correlation: 0.5 };

describe('the plan of a gate', () => {
  // Upper tails of the binomial distribution, as scipy.stats.binom.sf has them.
  it.each([
    [10, 80, 0.678],
    [10, 90, 0.376],
    [30, 80, 0.607],
    [30, 90, 0.123],
    [100, 80, 0.559],
    [100, 90, 0.0057],
  ])('%d tests of an app of 80 %% pass %d %% with probability %d', (tests, failUnder, probability) => {
    const plan = { failUnder, isStrict: false, trueRate: 80, ...ONCE };
    expect(probabilityOfPassing(tests, plan)).toBeCloseTo(probability, 3);
  });

  it('opens seldom with --strict, and at certain rates as arithmetic says', () => {
    expect(probabilityOfPassing(100, { failUnder: 80, isStrict: true, trueRate: 80, ...ONCE })).toBeLessThan(
      0.05,
    );
    expect(probabilityOfPassing(10, { failUnder: 90, isStrict: false, trueRate: 100, ...ONCE })).toBe(1);
    expect(probabilityOfPassing(10, { failUnder: 90, isStrict: false, trueRate: 0, ...ONCE })).toBe(0);
  });

  it('says how many tests are needed', () => {
    const text = planText({ failUnder: 90, isStrict: false, trueRate: 80, ...ONCE });
    expect(text).toMatch(/^100 +0\.6 %$/m);
    expect(text).toMatch(/From about \d+ examples on, it would pass in at most 5 % of runs\./);
  });

  // The gate itself, over simulated tests whose results are alike within an example.
  it.each([
    [10, 5, 0, 80, 90, false],
    [10, 5, 0.5, 80, 90, false],
    [30, 10, 0.9, 80, 90, false],
    [100, 3, 0.3, 80, 90, false],
    [100, 3, 0.3, 95, 90, true],
    [300, 5, 0.6, 95, 90, true],
  ])(
    'counts %d examples × %d tests of a correlation of %d as the tests that they are worth (rate %d, line %d, strict: %s)',
    (examples, repeats, correlation, trueRate, failUnder, isStrict) => {
      const random = mulberry32(7);
      const sample = rates({ examples, repeats, correlation, rate: trueRate / 100 });
      let opened = 0;
      for (let i = 0; i < 1_000; i++) {
        const sums = sample(random);
        const measure = isStrict ? meanInterval(sums).low : sums.sum / sums.values;
        if (100 * measure >= failUnder - 1e-9) opened += 1;
      }
      const plan = { failUnder, isStrict, trueRate, repeats, correlation };
      expect(Math.abs(probabilityOfPassing(examples, plan) - opened / 1_000)).toBeLessThan(0.08);
    },
  );

  it('adds up the beta-binomial distributions of repeated tests', () => {
    // Counted as 17 independent tests, it would be 41.8 %.
    const plan = { failUnder: 95, isStrict: false, trueRate: 95, repeats: 5, correlation: 0.5 };
    const random = mulberry32(11);
    const sample = rates({ examples: 10, repeats: 5, correlation: 0.5, rate: 0.95 });
    let opened = 0;
    for (let i = 0; i < 20_000; i++) {
      const { sum, values } = sample(random);
      if (100 * (sum / values) >= 95 - 1e-9) opened += 1;
    }
    expect(probabilityOfPassing(10, plan)).toBeCloseTo(0.5917, 3);
    expect(opened / 20_000).toBeCloseTo(0.5917, 1);
    for (const correlation of [0, 1])
      expect(
        probabilityOfPassing(10, { ...plan, repeats: correlation === 0 ? 2 : 7, correlation }),
      ).toBeCloseTo(probabilityOfPassing(correlation === 0 ? 20 : 10, { ...plan, repeats: 1 }), 9);
  });

  it('of a comparison says which losses it shows, and what the wanted one needs', () => {
    const plan = readPlan([
      '--plan',
      '--no-regression',
      '--tasks',
      '5',
      '--find-loss',
      '10',
      '--repeat',
      '3',
    ]);
    const text = regressionPlanText(plan as RegressionPlan);
    expect(text).toContain('for 5 tasks (--tasks) with 3 tests of each example (--repeat)');
    expect(text).toMatch(/^20 +300 +\d+\.\d points$/m);
    expect(text).toMatch(/A loss of 10 points \(--find-loss\) needs \d+ examples of each task\./);
    const single = readPlan(['--plan', '--no-regression', '--find-loss', '10']);
    expect(regressionPlanText(single as RegressionPlan)).toContain(
      'for 1 task (--tasks) with 1 test of each',
    );
  });

  it.each([
    [1, 50, 1, 0.9],
    [5, 20, 1, 0.9],
    [5, 20, 3, 0.9],
    [10, 30, 3, 0.8],
    [20, 10, 1, 0.9],
  ])(
    'names losses that %d tasks × %d examples × %d tests at %d show about that often',
    (tasks, examples, repeats, share) => {
      const correlation = 0.3;
      const loss = smallestLoss({ tasks, examples, repeats, share, correlation }) ?? Number.NaN;
      const design = { tasks, examples, repeats, rate: share, correlation, loss, spread: 0, isUneven: false };
      const { worse } = compareMethods(design, { samples: 150 }).product;
      expect(worse).toBeGreaterThan(0.65);
      expect(worse).toBeLessThan(0.92);
    },
  );

  it('says what repeats are worth', () => {
    const plan = readPlan(['--plan', '--fail-under', '90', '--repeat', '5']);
    const text = planText(plan as TestPlan);
    expect(text).toMatch(/^10 +50 +17 +\d/m);
    expect(text).toContain('correlation of 0.5');
    expect(() => readPlan(['--plan', '--correlation', '1.5'])).toThrow(
      '--correlation must be a number from 0 to 1, not "1.5".',
    );
  });
});
