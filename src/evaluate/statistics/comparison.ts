import { type Cluster, sumsOf } from './clusters.ts';
import { independentDifference, independentPValue, meanShare } from './independent-difference.ts';
import { meanInterval } from './mean-interval.ts';
import { reach } from './normal.ts';
import { answeredQuestion, type ClusterLevel, clusterLevelOf, type StatisticalQuestion } from './question.ts';
import { exampleKey, type TestRate } from './rate-interval.ts';
import { settled, settledMean } from './settled.ts';
import { canDecide, dampened, signFlipInterval, signFlipPValue } from './sign-flip.ts';
import type { Interval } from './wilson.ts';

/** Basis of one verdict: by what it was given. */
export interface Basis {
  definitionId: string;
  /** Versions of the definition and of its judge. */
  by: string;
  /** Digest of what the example expected. */
  expects: string;
  /** Digest of what was expected of the output, by the example or by the link; null if that is no longer stored. */
  applied: string | null;
}

/** A test that counts. */
export interface Observation extends TestRate {
  /** Score from 0 to 1; null when nothing was scored. */
  score: number | null;
  /** Basis of each verdict. Only tests with the same are compared. Empty for a test that the app failed, which counts as 0 by any. */
  basis?: readonly Basis[];
}

/** Result of one side for a task and input example: means over its tests. */
export interface PairSide {
  rate: number;
  score: number | null;
  tests: number;
}

/** A combination of task and input that was tested on both sides. */
export interface Pair {
  taskId: string;
  baseline: PairSide;
  candidate: PairSide;
}

export interface Pairing {
  pairs: Pair[];
  /** Keys of the pairs. */
  pairedKeys: ReadonlySet<string>;
  /** Combinations of task and input that were tested on one side only. */
  onlyBaseline: string[];
  onlyCandidate: string[];
  /** Combinations that were judged by something else on the other side. */
  judgedOtherwise: string[];
}

export function pairUp(baseline: readonly Observation[], candidate: readonly Observation[]): Pairing {
  const before = Map.groupBy(baseline, exampleKey);
  const after = Map.groupBy(candidate, exampleKey);
  const pairs: Pair[] = [];
  const pairedKeys = new Set<string>();
  const judgedOtherwise: string[] = [];
  for (const [key, tests] of before) {
    const others = after.get(key);
    if (!others) continue;
    if (!isSameBasis(tests, others)) {
      judgedOtherwise.push(key);
      continue;
    }
    const { taskId } = tests[0] as Observation;
    pairedKeys.add(key);
    pairs.push({ taskId, baseline: sideOf(tests), candidate: sideOf(others) });
  }
  return {
    pairs,
    pairedKeys,
    judgedOtherwise,
    onlyBaseline: [...before.keys()].filter((key) => !after.has(key)),
    onlyCandidate: [...after.keys()].filter((key) => !before.has(key)),
  };
}

/**
 * Reports whether the same definitions judged both sides, each in one version and by one judge, by the same expectations. A side without
 * any verdict is like all others.
 */
function isSameBasis(tests: readonly Observation[], others: readonly Observation[]): boolean {
  const [first, second] = [tests, others].map((all) =>
    Map.groupBy(
      all.flatMap(({ basis = [] }) => basis),
      ({ definitionId }) => definitionId,
    ),
  );
  if (!first?.size || !second?.size) return true;
  if (first.size !== second.size) return false;
  return [...first].every(([id, ofFirst]) => {
    const ofSecond = second.get(id) ?? [];
    const all = [...ofFirst, ...ofSecond];
    // An average over several versions would depend on how many tests each of them judged.
    if (ofSecond.length === 0 || new Set(all.map(({ by }) => by)).size > 1) return false;
    const isStored = all.every(({ applied }) => applied !== null);
    const [before, after] = [ofFirst, ofSecond].map(
      (verdicts) => new Set(verdicts.map(({ applied, expects }) => (isStored ? applied : expects))),
    );
    return before?.symmetricDifference(after ?? new Set()).size === 0;
  });
}

function sideOf(tests: readonly Observation[]): PairSide {
  const scores = tests.flatMap(({ score }) => score ?? []);
  return {
    rate: settledMean(tests.map(({ rate }) => rate)),
    score: scores.length === 0 ? null : settledMean(scores),
    tests: tests.length,
  };
}

export const COMPARISON_METHODS = ['SIGN_FLIP', 'NEWCOMBE_INDEPENDENT'] as const;
export type ComparisonMethod = (typeof COMPARISON_METHODS)[number];

/**
 * Difference of the pass rates of combinations tested on both sides: candidate minus baseline. Shares are from 0 to
 * 1, differences from −1 to 1.
 */
export interface Difference extends Interval {
  baseline: number;
  candidate: number;
  estimate: number;
  /** Two-sided p value. */
  pValue: number;
  question: StatisticalQuestion;
  clusteredBy: ClusterLevel;
  /** Number of these; for tests, of both sides together. */
  clusters: number;
  method: ComparisonMethod;
  /** Upper bound of the interval if nothing of the candidate had passed. */
  highIfNonePassed: number;
}

export interface DifferenceOptions {
  question: StatisticalQuestion;
  confidence: number;
  /** True if each task has the same weight, however many pairs it has. */
  equalTasks?: boolean;
}

/**
 * Computes the difference of pairs (at least one). Each combination of task and input has the same weight, or each task with
 * `equalTasks`.
 */
export function differenceOf(pairs: readonly Pair[], options: DifferenceOptions): Difference {
  const failed = pairs.map((pair) => ({ ...pair, candidate: { ...pair.candidate, rate: 0 } }));
  return { ...differenceOfPairs(pairs, options), highIfNonePassed: differenceOfPairs(failed, options).high };
}

function differenceOfPairs(
  pairs: readonly Pair[],
  { question, confidence, equalTasks = false }: DifferenceOptions,
): Omit<Difference, 'highIfNonePassed'> {
  const ofTasks = Map.groupBy(pairs, ({ taskId }) => taskId);
  const weights = pairs.map(({ taskId }) => (equalTasks ? 1 / (ofTasks.get(taskId)?.length ?? 1) : 1));
  const { baseline, candidate } = weightedRates(pairs, weights);
  const clusteredBy = clusterLevelOf(question, ofTasks.size);
  const means = {
    baseline,
    candidate,
    estimate: settled(candidate - baseline),
    question: answeredQuestion(question, ofTasks.size),
    clusteredBy,
  };
  return clusteredBy === 'TEST'
    ? { ...means, ...ofTests(pairs, weights, confidence) }
    : { ...means, ...ofClusters(pairs, weights, { clusteredBy, confidence }) };
}

/** Returns the means of both sides, each pair with its weight. */
function weightedRates(
  pairs: readonly Pair[],
  weights: readonly number[],
): { baseline: number; candidate: number } {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (side: 'baseline' | 'candidate'): number =>
    settled(pairs.reduce((sum, pair, i) => sum + pair[side].rate * (weights[i] as number), 0) / total);
  return { baseline: mean('baseline'), candidate: mean('candidate') };
}

/** Computes the difference for these very examples: only their tests vary. */
function ofTests(pairs: readonly Pair[], weights: readonly number[], confidence: number) {
  const shareOf = (side: 'baseline' | 'candidate') =>
    meanShare(
      pairs.map((pair) => ({ share: pair[side].rate, count: pair[side].tests })),
      weights,
    );
  const [first, second] = [shareOf('baseline'), shareOf('candidate')] as const;
  return {
    ...independentDifference(first, second, reach(confidence)),
    pValue: independentPValue(first, second),
    clusters: pairs.reduce((sum, pair) => sum + pair.baseline.tests + pair.candidate.tests, 0),
    method: 'NEWCOMBE_INDEPENDENT' as const,
  };
}

const DIFFERENCES: Interval = { low: -1, high: 1 };

/**
 * Computes the difference by sign flips of the pairs, and of the tasks too if these are a sample: what either does not exclude is
 * possible. A bound on the far side of no difference is at least as far as Gaffke's, which assumes nothing of what was not seen.
 */
function ofClusters(
  pairs: readonly Pair[],
  weights: readonly number[],
  { clusteredBy, confidence }: { clusteredBy: 'EXAMPLE' | 'TASK'; confidence: number },
) {
  const examples = pairs.map((pair, i) => clusterOf(pair, weights[i] as number));
  const levels = clusteredBy === 'TASK' ? [examples, dampened(byTask(pairs, examples))] : [examples];
  const { low, high } = meanInterval(sumsOf(examples.map(toShare)), confidence);
  const farthest = { low: 2 * low - 1, high: 2 * high - 1 };
  // Equal pairs never make up for too few that differ.
  const changed = examples.filter(({ sum }) => sum !== 0).length;
  return {
    ...(canDecide(changed, confidence)
      ? decided(levels, farthest, confidence)
      : { low: Math.min(0, farthest.low), high: Math.max(0, farthest.high) }),
    pValue: canDecide(changed) ? Math.max(...levels.map((level) => signFlipPValue(level, 0))) : 1,
    clusters: levels.at(-1)?.length ?? 0,
    method: 'SIGN_FLIP' as const,
  };
}

function decided(levels: readonly Cluster[][], farthest: Interval, confidence: number): Interval {
  const intervals = levels.map((level) => signFlipInterval(level, { confidence, range: DIFFERENCES }));
  const low = Math.min(...intervals.map((interval) => interval.low));
  const high = Math.max(...intervals.map((interval) => interval.high));
  return {
    low: low > 0 ? low : Math.min(low, farthest.low),
    high: high < 0 ? high : Math.max(high, farthest.high),
  };
}

const clusterOf = ({ baseline, candidate }: Pair, weight: number): Cluster => ({
  sum: (candidate.rate - baseline.rate) * weight,
  count: weight,
});

/** Maps differences from −1 to 1 to values from 0 to 1. */
const toShare = ({ sum, count }: Cluster): Cluster => ({ sum: (sum + count) / 2, count });

function byTask(pairs: readonly Pair[], examples: readonly Cluster[]): Cluster[] {
  const tasks = new Map<string, Cluster>();
  for (const [i, { taskId }] of pairs.entries()) {
    const task = tasks.get(taskId) ?? { sum: 0, count: 0 };
    const { sum, count } = examples[i] as Cluster;
    tasks.set(taskId, { sum: task.sum + sum, count: task.count + count });
  }
  return [...tasks.values()];
}
