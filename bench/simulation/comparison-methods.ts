import { betaCdf } from '../../src/evaluate/statistics/beta.ts';
import { bisect } from '../../src/evaluate/statistics/bisect.ts';
import { type Cluster, sumsOf } from '../../src/evaluate/statistics/clusters.ts';
import { meanPValue } from '../../src/evaluate/statistics/mean-interval.ts';
import { FEWEST_TASKS } from '../../src/evaluate/statistics/question.ts';
import { canDecide, dampened, signFlipPValue } from '../../src/evaluate/statistics/sign-flip.ts';
import type { DrawnPairs } from './compared-tasks.ts';

/** Methods that are compared with each other. `product`: the one that comparisons use. */
export const METHODS = ['gaffke', 'clusterT', 'mixed', 'signFlip', 'product'] as const;
export type Method = (typeof METHODS)[number];

const ALPHA = 0.05;
/** Most tasks whose signs are all tried; of more, the normal distribution is used. */
const MOST_EXACT = 12;

const mapped = ({ sum, count }: Cluster): Cluster => ({ sum: (sum + count) / 2, count });

/** Reports by method whether the interval of 95 % excludes the mean difference `value`. */
export function exclusions({ differences, sizes }: DrawnPairs, value: number): Record<Method, boolean> {
  const { tasks, within, estimate } = taskSums(differences, sizes);
  const clusterT = isExcludedByT(tasks, estimate - value, tasks.length - 1, betweenVariance(tasks, estimate));
  return {
    gaffke: meanPValue(sumsOf(tasks.map(mapped)), (1 + value) / 2) < ALPHA,
    clusterT,
    mixed: isExcludedByMixed(tasks, estimate, value, { within, clusterT }),
    signFlip: signFlipTail(tasks.map(({ sum, count }) => sum - value * count)) < ALPHA / 2,
    product: isExcludedByProduct(differences, tasks, value),
  };
}

function taskSums(differences: Float64Array, sizes: readonly number[]) {
  const tasks: Cluster[] = [];
  let [place, total, within] = [0, 0, 0];
  for (const count of sizes) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < count; i++) {
      const difference = differences[place++] as number;
      sum += difference;
      squares += difference * difference;
    }
    tasks.push({ sum, count });
    total += sum;
    within += squares - sum ** 2 / count;
  }
  return { tasks, within, estimate: total / differences.length };
}

/** Returns the variance of the mean over clusters, from the deviations of their sums. */
function betweenVariance(tasks: readonly Cluster[], estimate: number): number {
  const values = tasks.reduce((sum, { count }) => sum + count, 0);
  const squares = tasks.reduce((sum, task) => sum + (task.sum - estimate * task.count) ** 2, 0);
  return (tasks.length / (tasks.length - 1)) * (squares / values ** 2);
}

const isExcludedByT = (
  _tasks: readonly Cluster[],
  distance: number,
  freedom: number,
  variance: number,
): boolean => Math.abs(distance) > 1e-12 && Math.abs(distance) >= tQuantile(freedom) * Math.sqrt(variance);

/**
 * Decides by the variance components of a mixed model: where tasks do not differ more than their examples do, all pairs are one
 * sample.
 */
function isExcludedByMixed(
  tasks: readonly Cluster[],
  estimate: number,
  value: number,
  { within, clusterT }: { within: number; clusterT: boolean },
): boolean {
  const values = tasks.reduce((sum, { count }) => sum + count, 0);
  const between = tasks.reduce((sum, { sum: own, count }) => sum + count * (own / count - estimate) ** 2, 0);
  if (values === tasks.length || between / (tasks.length - 1) > within / (values - tasks.length))
    return clusterT;
  const variance = (between + within) / (values - 1) / values;
  return isExcludedByT(tasks, estimate - value, values - 1, variance);
}

/** Returns the share of signs whose sum is at least as far from 0 in the same direction. */
function signFlipTail(values: readonly number[]): number {
  const seen = Math.abs(values.reduce((sum, value) => sum + value, 0)) - 1e-9;
  if (values.length > MOST_EXACT) {
    const squares = values.reduce((sum, value) => sum + value * value, 0);
    return seen > 0 && seen >= 1.959964 * Math.sqrt(squares) ? 0 : 1;
  }
  let atLeast = 0;
  for (let signs = 0; signs < 2 ** values.length; signs++) {
    let sum = 0;
    for (const [i, value] of values.entries()) sum += (signs >> i) & 1 ? value : -value;
    if (sum >= seen) atLeast += 1;
  }
  return atLeast / 2 ** values.length;
}

function isExcludedByProduct(differences: Float64Array, tasks: readonly Cluster[], value: number): boolean {
  const examples = Array.from(differences, (sum): Cluster => ({ sum, count: 1 }));
  const levels = tasks.length < FEWEST_TASKS ? [examples] : [examples, dampened(tasks)];
  const isDecidable = canDecide(examples.filter(({ sum }) => sum !== 0).length);
  const excludes = (mean: number): boolean =>
    isDecidable && levels.every((level) => signFlipPValue(level, mean) < ALPHA);
  const estimate = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  // Between the estimate and no difference, sign flips decide; beyond both, also what Gaffke does not exclude is possible.
  const isFar = Math.sign(value - estimate) !== Math.sign(0 - estimate) || !excludes(0);
  if (isDecidable && !excludes(value)) return false;
  if (!isDecidable && value === 0) return false;
  return !isFar || meanPValue(sumsOf(examples.map(mapped)), (1 + value) / 2) < ALPHA;
}

const quantiles = new Map<number, number>();

/** Returns the 97.5 % quantile of the t distribution. */
function tQuantile(freedom: number): number {
  const known = quantiles.get(freedom);
  if (known !== undefined) return known;
  const below = (t: number): number => 1 - betaCdf(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
  const found = bisect(below, 1 - ALPHA / 2, 0, 1_000);
  quantiles.set(freedom, found);
  return found;
}
