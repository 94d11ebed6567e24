import { expect, it } from 'vitest';
import {
  examplesForLoss,
  forecastJudgeCosts,
  smallestShownLoss,
} from '../../src/dashboard/tests/run-forecast.ts';

it('more examples show a smaller loss, and so does a task that always passes', () => {
  expect(smallestShownLoss(100, null)).toBeCloseTo(19.8, 1);
  expect(smallestShownLoss(400, null)).toBeCloseTo(9.9, 1);
  expect(smallestShownLoss(100, { passed: 98, counted: 98 })).toBeLessThan(5);
  expect(smallestShownLoss(1, null)).toBe(100);
});

it('as many examples as it names show ten points', () => {
  expect(smallestShownLoss(examplesForLoss(null), null)).toBeLessThanOrEqual(10);
  expect(examplesForLoss(null)).toBe(400);
});

it('the cost of a test is that of its judges, and unknown if one of them has no price', () => {
  const rule = { id: 'rule', isJudged: false };
  const [a, b] = ['a', 'b'].map((id) => ({ id, isJudged: true })) as [typeof rule, typeof rule];
  const costs = [
    { evalDefinitionId: 'a', evals: 10, cost: 0.02, unpricedEvals: 0 },
    { evalDefinitionId: 'b', evals: 4, cost: null, unpricedEvals: 4 },
  ];
  expect(forecastJudgeCosts([rule, a], costs)).toEqual({ judges: 1, perTest: 0.002 });
  expect(forecastJudgeCosts([a, b], costs)).toEqual({ judges: 2, perTest: null });
  expect(forecastJudgeCosts([rule], costs)).toEqual({ judges: 0, perTest: 0 });
});
