import { type Interval, wilsonInterval } from './wilson.ts';

/** Numbers of pairs by outcome. */
export interface PairCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * Computes the interval of the difference of two shares in paired samples (at least one pair), second minus first, −1
 * to 1. R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on
 * paired data", Statistics in Medicine 17 (1998) 2635–2650, method 10: two Wilson intervals, squared and added, minus
 * the correlation of the pairs.
 */
export function pairedDifference({ both, onlyFirst, onlySecond, neither }: PairCounts, z: number): Interval {
  const pairs = both + onlyFirst + onlySecond + neither;
  const first = around((both + onlyFirst) / pairs, pairs, z);
  const second = around((both + onlySecond) / pairs, pairs, z);
  const difference = second.share - first.share;
  const shared = correlation({ both, onlyFirst, onlySecond, neither });
  const distance = (a: number, b: number): number =>
    Math.sqrt(Math.max(a * a + b * b - 2 * shared * a * b, 0));
  return {
    low: difference - distance(second.below, first.above),
    high: difference + distance(second.above, first.below),
  };
}

function around(share: number, count: number, z: number) {
  const { low, high } = wilsonInterval(share, count, z);
  return { share, below: share - low, above: high - share };
}

/** Returns the correlation with the paper's correction, which reduces a positive one. */
function correlation({ both, onlyFirst, onlySecond, neither }: PairCounts): number {
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  if (margins === 0) return 0;
  const excess = both * neither - onlyFirst * onlySecond;
  const pairs = both + onlyFirst + onlySecond + neither;
  return (excess > 0 ? Math.max(excess - pairs / 2, 0) : excess) / Math.sqrt(margins);
}
