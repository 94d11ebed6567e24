import { type Cluster, type ClusterSums, sumsOf } from './clusters.ts';
import { meanInterval } from './mean-interval.ts';
import { type ClusterLevel, clusterLevelOf, type StatisticalQuestion } from './question.ts';
import { settled } from './settled.ts';
import type { Interval } from './wilson.ts';

/** Result of a test that counts. */
export interface TestRate {
  taskId: string;
  /** Id of the example; null for a test without one. */
  exampleId: string | null;
  /** Share of its evals that passed, 0 to 1. */
  rate: number;
}

/** Interval of a pass rate, from 0 to 1, and what it was computed from. */
export interface RateInterval extends Interval {
  question: StatisticalQuestion;
  clusteredBy: ClusterLevel;
  /** Number of these. */
  clusters: number;
  examples: number;
  tests: number;
}

/** Computes the pass rate of tests (at least one): the mean of their rates, each of which weighs the same. */
export const meanRate = (tests: readonly TestRate[]): number =>
  settled(tests.reduce((sum, { rate }) => sum + rate, 0) / tests.length);

/** Computes the interval of the mean rate of tests (at least one). */
export function computeRateInterval(
  tests: readonly TestRate[],
  {
    question = 'EXAMPLES_LIKE_THESE',
    confidence = 0.95,
  }: { question?: StatisticalQuestion; confidence?: number } = {},
): RateInterval {
  const examples = clustersOf(tests, exampleKey);
  const tasks = clustersOf(tests, ({ taskId }) => taskId);
  const clusteredBy = clusterLevelOf(question, tasks.length);
  const clusters = {
    TEST: tests.map(({ rate }) => ({ sum: rate, count: 1 })),
    EXAMPLE: examples,
    TASK: tasks,
  }[clusteredBy];
  return {
    ...meanInterval(sumsOf(clusters), confidence),
    question,
    clusteredBy,
    clusters: clusters.length,
    examples: examples.length,
    tests: tests.length,
  };
}

/** Sums over the tests of a group, with its examples and its tasks as clusters. */
export interface RateSums {
  examples: ClusterSums;
  tasks: ClusterSums;
}

/** Computes the same interval, for examples like these, from sums. */
export function rateIntervalOfSums({ examples, tasks }: RateSums): RateInterval {
  const question = 'EXAMPLES_LIKE_THESE';
  const clusteredBy = clusterLevelOf(question, tasks.clusters);
  const sums = clusteredBy === 'TASK' ? tasks : examples;
  return {
    ...meanInterval(sums),
    question,
    clusteredBy,
    clusters: sums.clusters,
    examples: examples.clusters,
    tests: examples.values,
  };
}

/** Returns a text that two tests have in common if they are of the same example. */
export const exampleKey = ({ taskId, exampleId }: Pick<TestRate, 'taskId' | 'exampleId'>): string =>
  `${taskId} ${exampleId}`;

/** Returns the clusters of tests that have a key in common. */
export const clustersOf = (tests: readonly TestRate[], keyOf: (test: TestRate) => string): Cluster[] =>
  [...Map.groupBy(tests, keyOf).values()].map((group) => ({
    sum: group.reduce((sum, { rate }) => sum + rate, 0),
    count: group.length,
  }));
