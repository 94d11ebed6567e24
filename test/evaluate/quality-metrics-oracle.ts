/** The metrics that the store works out itself, by their formulas. */
import { HALF_LIFE_MS, wholePercent } from '../../src/evaluate/statistics/pass-rate.ts';
import { settled } from '../../src/evaluate/statistics/settled.ts';

/** A test that counts: `finished` is at least 1. */
export interface CountedTest {
  passed: number;
  finished: number;
  /** In Unix milliseconds. */
  createdAt: number;
}

/** The mean over tests of the share of evals that passed, from 0 to 1; null without tests. */
export function passRate(tests: readonly CountedTest[]): number | null {
  if (tests.length === 0) return null;
  return settled(tests.reduce((sum, { passed, finished }) => sum + passed / finished, 0) / tests.length);
}

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
