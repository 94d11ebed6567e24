import { addedSums, type Cluster, type ClusterSums, sumsOf } from './clusters.ts';
import { answeredQuestion, type ClusterLevel, clusterLevelOf, type StatisticalQuestion } from './question.ts';
import { settled } from './settled.ts';
import { twoLevelInterval } from './two-level.ts';
import type { Interval } from './wilson.ts';

/** Result of a test that counts. */
export interface TestRate {
  taskId: string;
  /** Text that tests have in common if they sent the same input. */
  input: string;
  /** Share of its evals that passed, 0 to 1. */
  rate: number;
}

export const RATE_METHODS = ['GAFFKE', 'TWO_LEVEL'] as const;

/** Interval of a pass rate, from 0 to 1, and what it was computed from. */
export interface RateInterval extends Interval {
  question: StatisticalQuestion;
  clusteredBy: ClusterLevel;
  /** Number of these. */
  clusters: number;
  /** Number of different inputs. */
  examples: number;
  tests: number;
  method: (typeof RATE_METHODS)[number];
}

/**
 * Computes the pass rate of tests (at least one): the mean of their rates, each of which weighs the same; or with
 * `equalTasks`, that of the rates of their tasks.
 */
export function meanRate(tests: readonly TestRate[], equalTasks = false): number {
  if (!equalTasks) return settled(tests.reduce((sum, { rate }) => sum + rate, 0) / tests.length);
  const tasks = [...Map.groupBy(tests, ({ taskId }) => taskId).values()];
  return settled(tasks.reduce((sum, task) => sum + meanRate(task), 0) / tasks.length);
}

export interface RateOptions {
  question?: StatisticalQuestion;
  confidence?: number;
  equalTasks?: boolean;
}

/** Computes the interval of the mean rate of tests (at least one). */
export function computeRateInterval(tests: readonly TestRate[], options: RateOptions = {}): RateInterval {
  const ofTasks = [...Map.groupBy(tests, ({ taskId }) => taskId).values()];
  const examples = new Set(tests.map(({ input }) => input)).size;
  if (options.question === 'THESE_EXAMPLES') {
    const tasks = ofTasks.map((own) => sumsOf(own.map(({ rate }) => ({ sum: rate, count: 1 }))));
    return { ...rateIntervalOfTasks(tasks, options), examples, tests: tests.length };
  }
  const tasks = ofTasks.map((own) => sumsOf(clustersOf(own)));
  const sumsOfSome = (places: readonly number[]): ClusterSums =>
    sumsOf(
      sharedClusters(
        places.map((place) => ofTasks[place] ?? []),
        options.equalTasks === true,
      ),
    );
  const interval = rateIntervalOfTasks(tasks, options, sumsOfSome);
  const clusters = interval.clusteredBy === 'TASK' ? tasks.length : examples;
  return { ...interval, clusters, examples, tests: tests.length };
}

/** Returns the clusters of tests with the same input, whatever their tasks, each test with the weight that its task gives it. */
function sharedClusters(tasks: readonly (readonly TestRate[])[], equalTasks: boolean): Cluster[] {
  const clusters = new Map<string, Cluster>();
  for (const tests of tasks) {
    const weight = equalTasks ? 1 / tests.length : 1;
    for (const { input, rate } of tests) {
      const { sum, count } = clusters.get(input) ?? { sum: 0, count: 0 };
      clusters.set(input, { sum: sum + rate * weight, count: count + weight });
    }
  }
  return [...clusters.values()];
}

/**
 * Computes the same interval from the sums over the examples of each task (at least one); of the tests, for `THESE_EXAMPLES`. `sumsOfSome` returns
 * the sums over the examples of some tasks, by their places, where tasks may share examples.
 */
export function rateIntervalOfTasks(
  tasks: readonly ClusterSums[],
  { question = 'EXAMPLES_LIKE_THESE', confidence = 0.95, equalTasks = false }: RateOptions = {},
  sumsOfSome?: (places: readonly number[]) => ClusterSums,
): RateInterval {
  const clusteredBy = clusterLevelOf(question, tasks.length);
  const { clusters, values } = addedSums(tasks);
  return {
    ...twoLevelInterval(tasks, { confidence, clusteredBy, equalTasks }, sumsOfSome),
    question: answeredQuestion(question, tasks.length),
    clusteredBy,
    clusters: clusteredBy === 'TASK' ? tasks.length : clusters,
    examples: clusters,
    tests: values,
    method: clusteredBy === 'TASK' ? 'TWO_LEVEL' : 'GAFFKE',
  };
}

/** Returns a text that two tests have in common if they are of the same task and input. */
export const exampleKey = ({ taskId, input }: Pick<TestRate, 'taskId' | 'input'>): string =>
  `${taskId} ${input}`;

/** Returns the clusters of tests with the same input. */
export const clustersOf = (tests: readonly TestRate[]): Cluster[] => sharedClusters([tests], false);
