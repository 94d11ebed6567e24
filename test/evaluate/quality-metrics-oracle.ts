/** The metrics that the store works out itself, by their formulas. */
import { type CountedTest, HALF_LIFE_MS, wholePercent } from '../../src/evaluate/statistics/pass-rate.ts';
import { settled } from '../../src/evaluate/statistics/settled.ts';

/** Ages are relative to the newest test: only weights relative to each other matter. Null without tests. */
export function healthScore(tests: readonly CountedTest[]): number | null {
  const newest = Math.max(...tests.map(({ createdAt }) => createdAt));
  let [sum, weights] = [0, 0];
  for (const { passed, finished, createdAt } of tests) {
    const weight = 2 ** ((createdAt - newest) / HALF_LIFE_MS);
    sum += (weight * passed) / finished;
    weights += weight;
  }
  return weights === 0 ? null : wholePercent(settled(sum / weights));
}

/** Null without a group of two values or more. */
export function pooledDeviation(groups: Iterable<readonly number[]>): number | null {
  let [squares, freedom] = [0, 0];
  for (const values of groups) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const value of values) squares += (value - mean) ** 2;
    freedom += Math.max(values.length - 1, 0);
  }
  return freedom === 0 ? null : settled(Math.sqrt(squares / freedom));
}
