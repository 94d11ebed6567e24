import { addedSums, type ClusterSums, complementOf, weighingOne } from './clusters.ts';
import { meanInterval } from './mean-interval.ts';
import { type ClusterLevel, FEWEST_TASKS } from './question.ts';
import { dampened, signFlipInterval } from './sign-flip.ts';
import type { Interval } from './wilson.ts';

const SHARES: Interval = { low: 0, high: 1 };
/** Tolerance for the rounding of sums. */
const ROUNDING = 1e-9;

interface Options {
  confidence: number;
  clusteredBy: ClusterLevel;
  /** True if each task has the same weight, however many tests it has. */
  equalTasks: boolean;
}

/**
 * Computes the interval of the mean of values from 0 to 1 of tasks (at least one), each with the sums over its examples. It is
 * Gaffke's over the examples, and for tasks like these, of which there are at least five, also excludes only what sign
 * flips of tasks exclude: the wider of both bounds applies. Where fewer than five tasks are imperfect, the perfect ones
 * never widen it: they say no worse of these few. `sumsOfSome` returns the sums over the examples of some tasks, by their places, where tasks share
 * examples.
 */
export function twoLevelInterval(
  tasks: readonly ClusterSums[],
  options: Options,
  sumsOfSome?: SumsOfSome,
): Interval {
  const weighed = options.equalTasks ? tasks.map(weighingOne) : tasks;
  const ofSome: SumsOfSome =
    sumsOfSome ?? ((places) => addedSums(places.map((place) => weighed[place] as ClusterSums)));
  return {
    low: lowerBound(weighed, ofSome, options),
    high: 1 - lowerBound(weighed.map(complementOf), (places) => complementOf(ofSome(places)), options),
  };
}

type SumsOfSome = (places: readonly number[]) => ClusterSums;

function lowerBound(
  tasks: readonly ClusterSums[],
  ofSome: SumsOfSome,
  { confidence, clusteredBy }: Options,
): number {
  const byExamples = meanInterval(ofSome([...tasks.keys()]), confidence).low;
  if (clusteredBy !== 'TASK') return byExamples;
  const clusters = dampened(tasks.map(({ sum, values }) => ({ sum, count: values })));
  const byTasks = signFlipInterval(clusters, { confidence, range: SHARES }).low;
  return Math.max(Math.min(byExamples, byTasks), ofFewImperfect(tasks, ofSome, confidence));
}

/** Returns the bound for the imperfect tasks and the largest others, four in all; 0 with five imperfect ones. */
function ofFewImperfect(tasks: readonly ClusterSums[], ofSome: SumsOfSome, confidence: number): number {
  const isPerfect = ({ sum, values }: ClusterSums): boolean => sum >= values * (1 - ROUNDING);
  const { imperfect = [], perfect = [] } = Object.groupBy(
    tasks.map((task, place) => ({ ...task, place })),
    (task) => (isPerfect(task) ? 'perfect' : 'imperfect'),
  );
  if (imperfect.length >= FEWEST_TASKS) return 0;
  const largest = perfect.toSorted((a, b) => b.clusters - a.clusters || b.values - a.values);
  const few = [...imperfect, ...largest].slice(0, FEWEST_TASKS - 1).map(({ place }) => place);
  return meanInterval(ofSome(few), confidence).low;
}
