import { seededRandom } from '../seeded.ts';
import { meanPValue } from '../../src/evaluate/statistics/mean-interval.ts';
import { wilsonInterval } from '../../src/evaluate/statistics/wilson.ts';
import type { Sample } from './samples.ts';

/** Shares of samples, 0 to 1. */
export interface Coverage {
  /** Those whose interval of 95 % contains the truth. */
  held: number;
  /** Those whose lower bound is above the truth: a gate at the true rate opens by chance. */
  above: number;
  /** Those whose Wilson interval, with each value as one observation, contains the truth. */
  wilson: number;
}

const ALPHA = 0.05;
/** Tolerance for the rounding of rates. */
const ROUNDING = 1e-12;

/** Counts in how many samples the interval of the mean contains the truth. The same seed gives the same result. */
export function coverageOf(
  sample: Sample,
  truth: number,
  { samples, seed = 1 }: { samples: number; seed?: number },
): Coverage {
  const random = seededRandom(seed);
  const counts = { held: 0, above: 0, wilson: 0 };
  for (let i = 0; i < samples; i++) {
    const sums = sample(random);
    const mean = sums.sum / sums.values;
    if (meanPValue(sums, truth) >= ALPHA) counts.held += 1;
    else if (mean > truth) counts.above += 1;
    const { low, high } = wilsonInterval(mean, sums.values);
    if (low <= truth + ROUNDING && truth <= high + ROUNDING) counts.wilson += 1;
  }
  return {
    held: counts.held / samples,
    above: counts.above / samples,
    wilson: counts.wilson / samples,
  };
}
