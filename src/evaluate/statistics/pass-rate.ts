import { settled } from './settled.ts';

/** A test that counts: `finished` is at least 1. */
export interface CountedTest {
  passed: number;
  finished: number;
  /** Unix milliseconds. */
  createdAt: number;
}

export const HALF_LIFE_MS = 7 * 86_400_000;

/**
 * The mean over tests of the share of evals that passed, 0 to 1; null without tests. Evals of one test are not
 * independent of each other, so each test counts as one observation, however many evals it has.
 */
export function passRate(tests: readonly CountedTest[]): number | null {
  return weightedMean(tests.map((test) => ({ value: shareOf(test), weight: 1 })));
}

/**
 * The pass rate in whole percent with each test weighted by 2^(−age / 7 days): exponential decay by half-life. Only
 * weights relative to each other matter, so that the score does not depend on when it is asked for; they are taken
 * relative to the newest test, so that none is too large. Null without tests.
 */
export function healthScore(tests: readonly CountedTest[]): number | null {
  const newest = Math.max(...tests.map(({ createdAt }) => createdAt));
  const weighted = tests.map((test) => ({
    value: shareOf(test),
    weight: 2 ** ((test.createdAt - newest) / HALF_LIFE_MS),
  }));
  const mean = weightedMean(weighted);
  return mean === null ? null : wholePercent(mean);
}

export const wholePercent = (share: number): number => Math.round(100 * share);

const shareOf = ({ passed, finished }: CountedTest): number => passed / finished;

function weightedMean(observations: readonly { value: number; weight: number }[]): number | null {
  let [sum, weights] = [0, 0];
  for (const { value, weight } of observations) {
    sum += value * weight;
    weights += weight;
  }
  return weights === 0 ? null : settled(sum / weights);
}
