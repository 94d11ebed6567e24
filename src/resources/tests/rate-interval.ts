import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { CLUSTER_LEVELS, QUESTIONS } from '../../evaluate/statistics/question.ts';
import { RATE_METHODS, type RateInterval } from '../../evaluate/statistics/rate-interval.ts';
import { percent } from '../../evaluate/statistics/settled.ts';

const percentage = z.number().min(0).max(100);

/** Question that an interval answers. */
export const question = z
  .enum(QUESTIONS)
  .describe(
    'What the interval says something about: `THESE_EXAMPLES` other tests of the same examples, `THESE_TASKS` other examples of the same tasks, `EXAMPLES_LIKE_THESE` other examples, of other tasks if there are at least five; of the same two to four tasks it says `THESE_TASKS`.',
  );

export const clusteredBy = z
  .enum(CLUSTER_LEVELS)
  .describe(
    'What counts as one observation: a test, an example with all its tests (examples of one task with the same input are one), or a task with all its examples.',
  );

export const rateInterval = namedObject('RateInterval', {
  low: percentage,
  high: percentage,
  question,
  clusteredBy,
  clusters: z.int().describe('Number of observations.'),
  examples: z.int().describe('Number of different examples.'),
  tests: z.int().describe('Number of tests that count.'),
  method: z
    .enum(RATE_METHODS)
    .describe(
      'Method: `GAFFKE`, the bound of Gaffke over examples, which is that of Clopper and Pearson for single tests; `TWO_LEVEL`, the wider of it and of sign flips over tasks.',
    ),
});
export type ShownRateInterval = z.input<typeof rateInterval>;

/** Returns the interval of a group of tests as the API shows it; null if none of them counts. */
export const shownOrNull = (interval: RateInterval | undefined): ShownRateInterval | null =>
  interval ? shownRateInterval(interval) : null;

/** Returns an interval as the API shows it, in percent. */
export const shownRateInterval = ({ low, high, ...rest }: RateInterval): ShownRateInterval => ({
  low: percent(low),
  high: percent(high),
  ...rest,
});
