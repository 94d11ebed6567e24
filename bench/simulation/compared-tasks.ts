import type { Random } from './samples.ts';
import { drawCorrelated } from './samples.ts';

/** Runs that are compared: how many tasks, examples and tests, how often they pass, and what they lose. */
export interface ComparedDesign {
  tasks: number;
  /** Number of examples of a task; with `isUneven`, the mean of half, once and one and a half times as many. */
  examples: number;
  repeats: number;
  /** Share of the baseline's tests that pass. */
  rate: number;
  /** Correlation of two tests of one example. */
  correlation: number;
  /** Mean loss of the candidate, as a share. */
  loss: number;
  /** Standard deviation of the loss between tasks. */
  spread: number;
  isUneven: boolean;
}

/** Differences of pairs, candidate less baseline, task by task. */
export interface DrawnPairs {
  differences: Float64Array;
  /** Number of pairs of each task. */
  sizes: readonly number[];
}

const PARTS_OF_SIZE = [1, 0.5, 1.5];

export function sizesOf({ tasks, examples, isUneven }: ComparedDesign): number[] {
  return Array.from({ length: tasks }, (_, task) =>
    isUneven ? Math.max(1, Math.round(examples * (PARTS_OF_SIZE[task % 3] as number))) : examples,
  );
}

/**
 * Draws the pairs of two runs. Examples are more or less difficult; a task loses (or gains) by examples that fail (or pass) in
 * all their tests from then on.
 */
export function drawPairs(random: Random, design: ComparedDesign, sizes: readonly number[]): DrawnPairs {
  const differences = new Float64Array(sizes.reduce((sum, size) => sum + size, 0));
  const { repeats, rate, loss, spread, correlation } = design;
  const twice = { examples: 1, repeats: 2 * repeats, rate, correlation };
  let place = 0;
  for (const size of sizes) {
    const ofTask = loss + (spread === 0 ? 0 : spread * gaussian(random));
    for (let i = 0; i < size; i++) {
      const both = drawCorrelated(random, twice);
      const before = drawHalf(random, both, repeats);
      differences[place++] = (after(random, { ofTask, rate, repeats, as: both - before }) - before) / repeats;
    }
  }
  return { differences, sizes };
}

function after(
  random: Random,
  { ofTask, rate, repeats, as }: { ofTask: number; rate: number; repeats: number; as: number },
): number {
  if (ofTask > 0) return random() < ofTask / rate ? 0 : as;
  return random() < -ofTask / (1 - rate) ? repeats : as;
}

/** Draws how many of `passed` among 2 · `count` tests fall into the first half of them. */
function drawHalf(random: Random, passed: number, count: number): number {
  let inFirst = 0;
  for (let i = 0; i < count; i++) if (random() * (2 * count - i) < passed - inFirst) inFirst += 1;
  return inFirst;
}

const gaussian = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Returns the mean difference of a design: losses cannot exceed the rate, nor gains what fails. */
export function trueDifference({ rate, loss, spread }: ComparedDesign): number {
  const limited = (ofTask: number): number => Math.max(Math.min(ofTask, rate), rate - 1);
  if (spread === 0) return -limited(loss);
  let [sum, weights] = [0, 0];
  for (let z = -6; z <= 6; z += 0.005) {
    const weight = Math.exp((-z * z) / 2);
    sum += weight * limited(loss + spread * z);
    weights += weight;
  }
  return -sum / weights;
}
