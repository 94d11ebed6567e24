import { bisect } from './bisect.ts';
import { twoSided } from './normal.ts';
import { settled } from './settled.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/** A share from 0 to 1 that was observed in `count` (above 0) cases. */
export interface SeenShare {
  share: number;
  count: number;
}

/**
 * Computes the interval of the difference of two independent shares, second minus first, −1 to 1. R. G. Newcombe,
 * "Interval estimation for the difference between independent proportions: comparison of eleven methods", Statistics
 * in Medicine 17 (1998) 873–890, method 10: two Wilson intervals, squared and added.
 */
export function independentDifference(first: SeenShare, second: SeenShare, z: number): Interval {
  const firstBounds = wilsonInterval(first.share, first.count, z);
  const secondBounds = wilsonInterval(second.share, second.count, z);
  const difference = second.share - first.share;
  return {
    low: difference - Math.hypot(second.share - secondBounds.low, firstBounds.high - first.share),
    high: difference + Math.hypot(secondBounds.high - second.share, first.share - firstBounds.low),
  };
}

const WIDEST = 37;

/**
 * Computes the two-sided p value: one minus the confidence of the narrowest such interval that contains no
 * difference.
 */
export function independentPValue(first: SeenShare, second: SeenShare): number {
  const holdsZero = (z: number): number => {
    const { low, high } = independentDifference(first, second, z);
    return low <= 0 && high >= 0 ? 1 : 0;
  };
  return twoSided(settled(bisect(holdsZero, 1, 0, WIDEST)));
}

/**
 * Returns the weighted mean of shares, and the equivalent number of tests. All `strata` have the same weight unless others are
 * given, however often they were observed. The resulting interval is rather too wide than too narrow, because shares that
 * differ between strata vary less than a single share.
 */
export function meanShare(
  strata: readonly SeenShare[],
  weights: readonly number[] = strata.map(() => 1),
): SeenShare {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const weightOf = (i: number): number => (weights[i] as number) / total;
  const share = strata.reduce((sum, stratum, i) => sum + stratum.share * weightOf(i), 0);
  const variance = strata.reduce((sum, { count }, i) => sum + weightOf(i) ** 2 / count, 0);
  return { share: Math.min(1, settled(share)), count: 1 / variance };
}
