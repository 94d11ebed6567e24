import { bisect } from './bisect.ts';
import { type Cluster } from './clusters.ts';
import { reach, twoSided } from './normal.ts';
import { settled } from './settled.ts';
import type { Interval } from './wilson.ts';

/** Fewest observations that can decide: of four that all got worse by chance, one in sixteen does. */
export const FEWEST_OBSERVATIONS = 5;

/**
 * Computes how far the sum of values is above 0, squared, in standard deviations that it has when signs are random: (Σ v)² ÷ Σ v².
 * That is the normal approximation of the sign-flip test. R. A. Fisher, "The Design of Experiments" (1935), section 21;
 * B. Efron, "Student's t-test under symmetry conditions", Journal of the American Statistical Association 64 (1969)
 * 1278–1302. Values that are larger than the others count only as far as they support the sum: the highest result of all
 * upper limits of the values is returned. So a larger value never makes the result smaller, as it does in a test of t. Returns 0
 * for a sum that is not above 0.
 */
export function supportOf(values: Float64Array): number {
  const rising = values.map(settled).toSorted();
  let [sum, squares, most] = [0, 0, 0];
  for (let i = 0; i < rising.length; i++) {
    const value = rising[i] as number;
    sum += value;
    squares += value * value;
    const others = rising.length - 1 - i;
    const next = others === 0 ? value : (rising[i + 1] as number);
    // The best limit above this value and up to the next; the best of all limits is where Σ v² ÷ Σ v leads to.
    const best = sum > 0 ? squares / sum : next;
    const limit = Math.min(Math.max(best, value), next);
    const limited = sum + others * limit;
    if (limit > 0 && limited > 0) most = Math.max(most, limited ** 2 / (squares + others * limit * limit));
  }
  return settled(most);
}

/** Returns how far the sum of each cluster is from what it would be at `mean`, in the direction. */
const excess = (clusters: readonly Cluster[], mean: number, direction: 1 | -1): Float64Array =>
  Float64Array.from(clusters, ({ sum, count }) => direction * (sum - mean * count));

/** Returns clusters in which larger ones weigh more, but not in proportion: none of few outweighs the others. */
export const dampened = (clusters: readonly Cluster[]): Cluster[] =>
  clusters.map(({ sum, count }) => ({ sum: sum / Math.sqrt(count), count: Math.sqrt(count) }));

/** Reports whether so many clusters on one side of a mean could exclude it. */
export const canDecide = (clusters: number, confidence = 0): boolean =>
  clusters >= FEWEST_OBSERVATIONS && (confidence === 0 || clusters >= reach(confidence) ** 2);

/**
 * Computes the two-sided p value of the mean `mean` when clusters are a sample that differs from it as often upwards as
 * downwards; 1 with fewer than five clusters.
 */
export function signFlipPValue(clusters: readonly Cluster[], mean: number): number {
  if (!canDecide(clusters.length)) return 1;
  const support = Math.max(supportOf(excess(clusters, mean, 1)), supportOf(excess(clusters, mean, -1)));
  return twoSided(Math.sqrt(support));
}

/** Computes the interval of the means that this test does not exclude, within `range`. */
export function signFlipInterval(
  clusters: readonly Cluster[],
  { confidence, range }: { confidence: number; range: Interval },
): Interval {
  if (!canDecide(clusters.length, confidence)) return range;
  const needed = reach(confidence) ** 2;
  const isAbove = (mean: number): boolean => supportOf(excess(clusters, mean, 1)) >= needed;
  const isBelow = (mean: number): boolean => supportOf(excess(clusters, mean, -1)) >= needed;
  return {
    low: isAbove(range.low)
      ? bisect((mean) => (isAbove(mean) ? 0 : 1), 0.5, range.low, range.high)
      : range.low,
    high: isBelow(range.high)
      ? bisect((mean) => (isBelow(mean) ? 1 : 0), 0.5, range.low, range.high)
      : range.high,
  };
}
