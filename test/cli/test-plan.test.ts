import { describe, expect, it } from 'vitest';
import { planText, probabilityOfPassing } from '../../src/cli/test-plan.ts';

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
    const plan = { failUnder, isStrict: false, trueRate: 80 };
    expect(probabilityOfPassing(tests, plan)).toBeCloseTo(probability, 3);
  });

  it('opens seldom with --strict, and at certain rates as arithmetic says', () => {
    expect(probabilityOfPassing(100, { failUnder: 80, isStrict: true, trueRate: 80 })).toBeLessThan(0.05);
    expect(probabilityOfPassing(10, { failUnder: 90, isStrict: false, trueRate: 100 })).toBe(1);
    expect(probabilityOfPassing(10, { failUnder: 90, isStrict: false, trueRate: 0 })).toBe(0);
  });

  it('says how many tests are needed', () => {
    const text = planText({ failUnder: 90, isStrict: false, trueRate: 80 });
    expect(text).toMatch(/^100 +0\.6 %$/m);
    expect(text).toMatch(/From about \d+ examples on, it would pass in at most 5 % of runs\./);
  });
});
