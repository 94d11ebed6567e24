import { betaCdf, betaQuantile } from './beta.ts';
import { type ClusterSums, effectiveClusters } from './clusters.ts';
import { settled } from './settled.ts';
import type { Interval } from './wilson.ts';

/** Beta distribution; a single point where `a` or `b` is 0. */
interface Beta {
  a: number;
  b: number;
}

/**
 * Computes the interval of the mean of values from 0 to 1 when their clusters (at least one) are a sample: nothing is
 * assumed of how alike the values of a cluster are. The lower bound is a quantile of the mean under the Bayesian bootstrap
 * of the clusters and one more cluster whose values are all 0; the upper bound of one whose values are all 1. N. Gaffke,
 * "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable", Mathematical
 * Methods of Statistics 14 (2005) 451–467; E. Learned-Miller, P. S. Thomas, "A New Confidence Interval for the Mean of a
 * Bounded Random Variable", arXiv 1905.06208 (2019). The distribution of the mean is approximated by the beta distribution
 * with its expectation and variance. Of clusters of one value that is 0 or 1, it is that distribution, and the interval is
 * the exact one of C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404–413. Clusters of
 * different sizes count as many as their effective number.
 */
export function meanInterval(sums: ClusterSums, confidence = 0.95): Interval {
  const tail = (1 - confidence) / 2;
  return { low: quantile(tail, pessimist(sums)), high: quantile(1 - tail, optimist(sums)) };
}

/**
 * Computes the two-sided p value of the mean `value`, above 0 and below 1: one minus the confidence of the narrowest such
 * interval that contains it.
 */
export function meanPValue(sums: ClusterSums, value: number): number {
  const below = cdf(value, pessimist(sums));
  const above = 1 - cdf(value, optimist(sums));
  return Math.min(1, 2 * below, 2 * above);
}

const pessimist = (sums: ClusterSums): Beta => meanWith(0, sums);
const optimist = (sums: ClusterSums): Beta => meanWith(1, sums);

/** Returns the distribution of the mean of the clusters and one more whose values all are `extreme`. */
function meanWith(extreme: 0 | 1, sums: ClusterSums): Beta {
  const { values, sum, squaredCounts, products, squaredSums } = sums;
  const clusters = effectiveClusters(sums);
  const all = clusters + 1;
  const mean = settled((clusters * (sum / values) + extreme) / all);
  if (mean === 0 || mean === 1) return { a: mean, b: 1 - mean };
  const spread =
    Math.max(squaredSums - 2 * mean * products + mean ** 2 * squaredCounts, 0) * (clusters / values) ** 2;
  const variance = (spread + (extreme - mean) ** 2) / (all * (all + 1));
  const size = (mean * (1 - mean)) / variance - 1;
  return { a: mean * size, b: (1 - mean) * size };
}

/** Share of a distribution that is at most `x`. */
function cdf(x: number, { a, b }: Beta): number {
  if (a <= 0) return 1;
  return b <= 0 ? 0 : betaCdf(x, a, b);
}

function quantile(share: number, { a, b }: Beta): number {
  if (a <= 0) return 0;
  return b <= 0 ? 1 : betaQuantile(share, a, b);
}
