import { type Cluster, clusterBootstrap, reachesConfidence } from './cluster-bootstrap.ts';
import { independentDifference, independentPValue, meanShare } from './independent-difference.ts';
import { mcnemar } from './mcnemar.ts';
import { reach } from './normal.ts';
import { type PairCounts, pairedDifference } from './paired-difference.ts';
import { settled } from './settled.ts';
import type { Interval } from './wilson.ts';

/** A test that counts. */
export interface Observation {
  taskId: string;
  /** Id of the example; null for a test of the time before examples. */
  exampleId: string | null;
  /** Share of its evals that passed, 0 to 1. */
  rate: number;
  /** Score from 0 to 1; null when nothing was scored. */
  score: number | null;
}

/** Result of one side for a task and input example: means over its tests. */
export interface PairSide {
  rate: number;
  score: number | null;
  tests: number;
  /** True if each of these tests passed or failed completely, without mixed evals. */
  isWhole: boolean;
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
  const before = Map.groupBy(baseline, keyOf);
  const after = Map.groupBy(candidate, keyOf);
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

const keyOf = ({ taskId, exampleId }: Observation): string => `${taskId} ${exampleId}`;

function sideOf(tests: readonly Observation[]): PairSide {
  const scores = tests.flatMap(({ score }) => score ?? []);
  return {
    rate: meanOf(tests.map(({ rate }) => rate)),
    score: scores.length === 0 ? null : meanOf(scores),
    tests: tests.length,
    isWhole: tests.every(({ rate }) => rate === 0 || rate === 1),
  };
}

const meanOf = (values: readonly number[]): number =>
  settled(values.reduce((sum, value) => sum + value, 0) / values.length);

export type ComparisonMethod =
  | 'MCNEMAR_EXACT'
  | 'MCNEMAR_CORRECTED'
  | 'CLUSTER_BOOTSTRAP'
  | 'NEWCOMBE_INDEPENDENT';

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
  method: ComparisonMethod;
  /** Reason for the choice of the method. */
  reason: string;
}

/** Number of tasks below which the interval of the bootstrap would be too narrow. */
const MIN_CLUSTERS = 6;

/**
 * Computes the difference. Each combination of task and input example has the same weight; there is at least one
 * pair.
 */
export function differenceOf(pairs: readonly Pair[], confidence: number): Difference {
  const baseline = meanOf(pairs.map((pair) => pair.baseline.rate));
  const candidate = meanOf(pairs.map((pair) => pair.candidate.rate));
  const means = { baseline, candidate, estimate: settled(candidate - baseline) };
  if (pairs.every(isOneToOne)) return { ...means, ...byMcNemar(pairs, confidence) };
  const clusters = clustersOf(pairs);
  if (clusters.length < MIN_CLUSTERS || !reachesConfidence(clusters.length, confidence)) {
    const reason = `A task and input example has several tests on a side, or a test with mixed evals, and there are too few tasks, ${clusters.length}: at this confidence a bootstrap over them would be too sure. The interval speaks of these very tasks and input examples, and each test counts as independent.`;
    return { ...means, ...asIndependent(pairs, confidence), reason };
  }
  if (new Set(clusters.map(({ sum, count }) => settled(sum / count))).size === 1) {
    const reason =
      'The difference is the same in every task, so that a bootstrap over tasks has nothing to go by. The interval speaks of these very tasks and input examples, and each test counts as independent.';
    return { ...means, ...asIndependent(pairs, confidence), reason };
  }
  return {
    ...means,
    ...clusterBootstrap(clusters, { confidence }),
    method: 'CLUSTER_BOOTSTRAP',
    reason:
      'A task and input example has several tests on a side, or a test with mixed evals: tests of one task are not independent, so complete tasks are drawn.',
  };
}

const isOneToOne = ({ baseline, candidate }: Pair): boolean =>
  [baseline, candidate].every(({ tests, isWhole }) => tests === 1 && isWhole);

function byMcNemar(pairs: readonly Pair[], confidence: number) {
  const count = (before: number, after: number): number =>
    pairs.filter(({ baseline, candidate }) => baseline.rate === before && candidate.rate === after).length;
  const counts: PairCounts = {
    both: count(1, 1),
    onlyFirst: count(1, 0),
    onlySecond: count(0, 1),
    neither: count(0, 0),
  };
  const { method, pValue } = mcnemar(counts.onlyFirst, counts.onlySecond);
  const pairing = 'Each task and input example has one test on each side, which passed or failed completely';
  const which =
    method === 'MCNEMAR_EXACT' ? 'few pairs differ: the exact test' : 'with the continuity correction';
  return {
    ...pairedDifference(counts, reach(confidence)),
    pValue,
    method,
    reason: `${pairing}; ${which}.`,
  };
}

function asIndependent(pairs: readonly Pair[], confidence: number) {
  const shareOf = (side: 'baseline' | 'candidate') =>
    meanShare(pairs.map((pair) => ({ share: pair[side].rate, count: pair[side].tests })));
  const [first, second] = [shareOf('baseline'), shareOf('candidate')] as const;
  return {
    ...independentDifference(first, second, reach(confidence)),
    pValue: independentPValue(first, second),
    method: 'NEWCOMBE_INDEPENDENT' as const,
  };
}

function clustersOf(pairs: readonly Pair[]): Cluster[] {
  const ofTasks = Map.groupBy(pairs, ({ taskId }) => taskId);
  return [...ofTasks.values()].map((ofTask) => ({
    sum: ofTask.reduce((sum, { baseline, candidate }) => sum + candidate.rate - baseline.rate, 0),
    count: ofTask.length,
  }));
}
