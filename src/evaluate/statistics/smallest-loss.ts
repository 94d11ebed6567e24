import { bisect } from './bisect.ts';
import { normalQuantile, reach } from './normal.ts';
import { FEWEST_TASKS } from './question.ts';
import { FEWEST_OBSERVATIONS } from './sign-flip.ts';

/** Tests that are to be compared with the same ones of a baseline. */
export interface ComparedTests {
  tasks: number;
  /** Number of examples of each task, and of tests of each example on each side. */
  examples: number;
  repeats: number;
  /** Share of tests of the baseline that pass, 0 to 1. */
  share: number;
  /** Correlation of two tests of one example, 0 to 1. */
  correlation: number;
}

/** Probability with which the loss is shown. */
const POWER = 0.8;

/**
 * Computes the smallest loss, 0 to 1, that a comparison shows with a probability of 80 % at a confidence of 95 %: one that hits
 * some of the examples, in all tasks alike. Null if no loss could be shown. By the normal distribution of the mean difference;
 * `npm run bench:statistics` compares it with simulated comparisons.
 */
export function smallestLoss(tests: ComparedTests): number | null {
  const pairs = tests.tasks * tests.examples;
  const isShown = (loss: number): boolean => {
    if (pairs * loss < expectedForFive()) return false;
    const deviation = Math.sqrt(varianceOfPair(tests, loss) / pairs);
    const levels = tests.tasks >= FEWEST_TASKS ? [pairs, tests.tasks] : [pairs];
    return levels.every((count) => loss >= (threshold(count) + normalQuantile(POWER)) * deviation);
  };
  if (pairs < FEWEST_OBSERVATIONS || !isShown(tests.share)) return null;
  return bisect((loss) => (isShown(loss) ? 1 : 0), 0.5, 0, tests.share);
}

/** Returns the expected number of pairs that change of which five or more do with a probability of 80 % (Poisson). */
const expectedForFive = (): number => 6.72;

/** Most standard errors that are needed: if all of five observations are on one side, their deviations do not matter. */
const MOST_ERRORS = 3;

/** Returns how many standard errors the mean of so many observations must be away from 0. */
function threshold(count: number): number {
  const needed = reach(0.95) ** 2;
  if (count <= needed) return Number.POSITIVE_INFINITY;
  return Math.min(MOST_ERRORS, Math.sqrt((needed * (count - 1)) / (count - needed)));
}

/** Returns the variance of the difference of a pair: chance on both sides, and a loss that hits some examples only. */
function varianceOfPair({ share, correlation, repeats }: ComparedTests, loss: number): number {
  const ofTest = (share * (1 - share) * (1 - correlation)) / repeats;
  return ofTest * (2 - loss / share) + loss * (share - loss);
}

/** Returns the smallest number of examples of each task with which a loss is shown; null above `most`. */
export function examplesToShow(
  loss: number,
  tests: Omit<ComparedTests, 'examples'>,
  most: number,
): number | null {
  const isEnough = (examples: number): boolean => {
    const found = smallestLoss({ ...tests, examples });
    return found !== null && found <= loss;
  };
  if (!isEnough(most)) return null;
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
