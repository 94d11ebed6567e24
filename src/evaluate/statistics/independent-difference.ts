import { bisect } from './bisect.ts';
import { twoSided } from './normal.ts';
import { settled } from './settled.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/** A share from 0 to 1 of something seen `count` (above 0) times. */
export interface SeenShare {
  share: number;
  count: number;
}

/**
 * The interval of how much more often the second passes than the first, −1 to 1, when nothing ties them together.
 * R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
 * Statistics in Medicine 17 (1998) 873–890, method 10: two Wilson intervals, squared and added.
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

/** Two-sided: one less the confidence of the narrowest such interval that holds no difference at all. */
export function independentPValue(first: SeenShare, second: SeenShare): number {
  const holdsZero = (z: number): number => {
    const { low, high } = independentDifference(first, second, z);
    return low <= 0 && high >= 0 ? 1 : 0;
  };
  return twoSided(settled(bisect(holdsZero, 1, 0, WIDEST)));
}

/**
 * The mean of shares, and how many tests it is as good as: `strata` of which each has the same weight, however often it
 * was seen. The interval over it is rather too wide than too narrow, since shares that differ between strata vary less
 * than one share would.
 */
export function meanShare(strata: readonly SeenShare[]): SeenShare {
  const share = strata.reduce((sum, stratum) => sum + stratum.share, 0) / strata.length;
  const variance = strata.reduce((sum, { count }) => sum + 1 / count, 0) / strata.length ** 2;
  return { share, count: 1 / variance };
}
