import { type Cluster, sumsOf } from './clusters.ts';
import { independentDifference, independentPValue, meanShare } from './independent-difference.ts';
import { meanInterval, meanPValue } from './mean-interval.ts';
import { reach } from './normal.ts';
import { type ClusterLevel, clusterLevelOf, type StatisticalQuestion } from './question.ts';
import { exampleKey, type TestRate } from './rate-interval.ts';
import { settled, settledMean } from './settled.ts';
import type { Interval } from './wilson.ts';

/** A test that counts. */
export interface Observation extends TestRate {
  /** Score from 0 to 1; null when nothing was scored. */
  score: number | null;
}

/** Result of one side for a task and input example: means over its tests. */
export interface PairSide {
  rate: number;
  score: number | null;
  tests: number;
}

/** A combination of task and input example that was tested on both sides. */
export interface Pair {
  taskId: string;
  baseline: PairSide;
  candidate: PairSide;
}

export interface Pairing {
  pairs: Pair[];
  /** Number of combinations of task and input example that were tested on one side only. */
  onlyBaseline: number;
  onlyCandidate: number;
}

export function pairUp(baseline: readonly Observation[], candidate: readonly Observation[]): Pairing {
  const before = Map.groupBy(baseline, exampleKey);
  const after = Map.groupBy(candidate, exampleKey);
  const pairs: Pair[] = [];
  for (const [key, tests] of before) {
    const others = after.get(key);
    if (others)
      pairs.push({
        taskId: (tests[0] as Observation).taskId,
        baseline: sideOf(tests),
        candidate: sideOf(others),
      });
  }
  return { pairs, onlyBaseline: before.size - pairs.length, onlyCandidate: after.size - pairs.length };
}

function sideOf(tests: readonly Observation[]): PairSide {
  const scores = tests.flatMap(({ score }) => score ?? []);
  return {
    rate: settledMean(tests.map(({ rate }) => rate)),
    score: scores.length === 0 ? null : settledMean(scores),
    tests: tests.length,
  };
}

export const COMPARISON_METHODS = ['GAFFKE', 'NEWCOMBE_INDEPENDENT'] as const;
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
}

/**
 * Computes the difference. Each combination of task and input example has the same weight; there is at least one
 * pair.
 */
export function differenceOf(
  pairs: readonly Pair[],
  { question, confidence }: { question: StatisticalQuestion; confidence: number },
): Difference {
  const baseline = settledMean(pairs.map((pair) => pair.baseline.rate));
  const candidate = settledMean(pairs.map((pair) => pair.candidate.rate));
  const means = { baseline, candidate, estimate: settled(candidate - baseline), question };
  const clusteredBy = clusterLevelOf(question, new Set(pairs.map(({ taskId }) => taskId)).size);
  return clusteredBy === 'TEST'
    ? { ...means, clusteredBy, ...ofTests(pairs, confidence) }
    : { ...means, clusteredBy, ...ofClusters(pairs, clusteredBy, confidence) };
}

/** Computes the difference for these very examples: only their tests vary. */
function ofTests(pairs: readonly Pair[], confidence: number) {
  const shareOf = (side: 'baseline' | 'candidate') =>
    meanShare(pairs.map((pair) => ({ share: pair[side].rate, count: pair[side].tests })));
  const [first, second] = [shareOf('baseline'), shareOf('candidate')] as const;
  return {
    ...independentDifference(first, second, reach(confidence)),
    pValue: independentPValue(first, second),
    clusters: pairs.reduce((sum, pair) => sum + pair.baseline.tests + pair.candidate.tests, 0),
    method: 'NEWCOMBE_INDEPENDENT' as const,
  };
}

/** Difference of two equal rates where differences from −1 to 1 are mapped to values from 0 to 1. */
const NO_DIFFERENCE = 0.5;

function ofClusters(pairs: readonly Pair[], by: 'EXAMPLE' | 'TASK', confidence: number) {
  const clusters = by === 'TASK' ? byTask(pairs) : pairs.map((pair) => clusterOf([pair]));
  const sums = sumsOf(clusters);
  const { low, high } = meanInterval(sums, confidence);
  return {
    low: 2 * low - 1,
    high: 2 * high - 1,
    pValue: meanPValue(sums, NO_DIFFERENCE),
    clusters: clusters.length,
    method: 'GAFFKE' as const,
  };
}

const byTask = (pairs: readonly Pair[]): Cluster[] =>
  [...Map.groupBy(pairs, ({ taskId }) => taskId).values()].map(clusterOf);

const clusterOf = (pairs: readonly Pair[]): Cluster => ({
  sum: pairs.reduce((sum, { baseline, candidate }) => sum + (1 + candidate.rate - baseline.rate) / 2, 0),
  count: pairs.length,
});
