import { normalCdf, normalQuantile } from './normal.ts';
import { seededRandom } from './random.ts';
import { settled } from './settled.ts';
import { studentCdf, studentQuantile } from './student.ts';
import type { Interval } from './wilson.ts';

/** Sum and number of values that belong together and are drawn together. */
export interface Cluster {
  sum: number;
  /** Number of values, at least 1. */
  count: number;
}

export interface BootstrapOptions {
  /** Confidence of the interval, above 0 and below 1. */
  confidence: number;
  seed?: number;
}

const MAX_RESAMPLES = 10_000;
const MIN_RESAMPLES = 2_500;
/** Limit of the number of drawn clusters, which bounds the time. Very many clusters may exceed it. */
const MAX_DRAWS = 10_000_000;

/**
 * Computes the interval of the mean of all values, and the two-sided p value for a mean of 0, when the clusters (at
 * least two, not all equal) are a sample. Resamples the clusters with replacement and ranks their means: B. Efron, R.
 * J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13; A. C. Davison, D. V. Hinkley, "Bootstrap
 * Methods and their Application" (1997), section 3.8. The percentiles are widened by the ratio of Student's t to the
 * normal distribution, because few clusters vary too little among themselves: T. C. Hesterberg, "What Teachers Should
 * Know About the Bootstrap", The American Statistician 69 (2015) 371–386. The same clusters and seed give the same
 * result.
 */
export function clusterBootstrap(
  clusters: readonly Cluster[],
  { confidence, seed = 1 }: BootstrapOptions,
): Interval & { pValue: number } {
  const means = resampledMeans(clusters, seed);
  const freedom = clusters.length - 1;
  const widening = wideningOf(clusters.length);
  const tail = tailOf(clusters.length, confidence);
  const notAbove = means.filter((mean) => mean <= 0).length;
  const notBelow = means.filter((mean) => mean >= 0).length;
  const beyondZero = (Math.min(notAbove, notBelow) + 1) / (means.length + 1);
  const distance = normalQuantile(Math.min(beyondZero, 0.5)) / widening;
  return {
    low: quantile(means, tail),
    high: quantile(means, 1 - tail),
    pValue: Math.min(1, 2 * studentCdf(distance, freedom)),
  };
}

/**
 * Reports whether the resamples of so many clusters (at least two) cover the interval. If not, it would end at the
 * most extreme resample and be narrower than its confidence claims.
 */
export const reachesConfidence = (clusters: number, confidence: number): boolean =>
  tailOf(clusters, confidence) * (resamplesOf(clusters) + 1) >= 1;

const wideningOf = (clusters: number): number => Math.sqrt(clusters / (clusters - 1));

/** Returns the share of resampled means outside the interval on each side. */
const tailOf = (clusters: number, confidence: number): number =>
  normalCdf(wideningOf(clusters) * studentQuantile((1 - confidence) / 2, clusters - 1));

const resamplesOf = (clusters: number): number =>
  Math.max(MIN_RESAMPLES, Math.min(MAX_RESAMPLES, Math.floor(MAX_DRAWS / clusters)));

/** Returns the means of the resamples in rising order. */
function resampledMeans(clusters: readonly Cluster[], seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: resamplesOf(clusters.length) }, () => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < clusters.length; i++) {
      const drawn = clusters[random.below(clusters.length)] as Cluster;
      sum += drawn.sum;
      count += drawn.count;
    }
    return settled(sum / count);
  }).toSorted();
}

/** Interpolates a quantile linearly; the smallest value stands for 1 / (n + 1). */
function quantile(rising: Float64Array, share: number): number {
  const place = Math.min(Math.max(share * (rising.length + 1) - 1, 0), rising.length - 1);
  const before = rising[Math.floor(place)] as number;
  const after = rising[Math.ceil(place)] as number;
  return before + (after - before) * (place % 1);
}
