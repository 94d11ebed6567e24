import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';
import { COMPARISON_METHODS } from '../../evaluate/statistics/comparison.ts';
import { correctedRate } from '../definitions/corrected-rate.ts';
import { isAdvisory } from '../definitions/reliability-contract.ts';
import { clusteredBy, question, rateInterval } from '../tests/rate-interval.ts';

export const MAX_COMPARED_TESTS = 40_000;
export const MAX_SHOWN_TASKS = 50;
export const MAX_SHOWN_UNPAIRED = 50;
/** Most traces of each side that are read for changes of the app. */
export const MAX_READ_TRACES = 200;

const percent = z.number().min(0).max(100);
const points = z.number().min(-100).max(100);

const side = z
  .object({
    runIds: z.array(uuid).min(1).max(10_000).optional().describe('All tests of these runs.'),
    variantId: uuid.optional().describe('All tests of this variant of an experiment.'),
  })
  .refine(({ runIds, variantId }) => (runIds === undefined) !== (variantId === undefined), {
    error: 'must have either runIds or variantId',
  });
export type ComparedSide = z.output<typeof side>;

export const compareBody = z
  .object({
    baseline: side,
    candidates: z.array(side).min(1).max(10),
    definitionId: uuid
      .optional()
      .describe('Compare only evals of this evaluation definition. Default: all evals.'),
    confidence: z
      .number()
      .min(0.5)
      .max(0.999)
      .default(0.95)
      .describe('Confidence of the intervals, 0 to 1. Compare p values with 1 − confidence.'),
    question: question.default('EXAMPLES_LIKE_THESE'),
    by: z
      .enum(['VERDICTS', 'OUTCOME'])
      .default('VERDICTS')
      .describe(
        'What the result of a test is: `VERDICTS`, the share of its evals that passed; `OUTCOME`, whether the test passed. With `OUTCOME`, `withAdvisory` has no effect, and `definitionId` is rejected.',
      ),
    equalTasks: z
      .boolean()
      .default(false)
      .describe(
        'Give each task the same weight, however many tests or pairs it has: how an app does on a task like these. By default each test (in a difference, each pair) weighs the same: how it does on an example like these.',
      ),
    withAdvisory: z
      .boolean()
      .default(false)
      .describe(
        'Let the verdicts of advisory definitions count: those of a judge model without a valid gate. With `definitionId`, that definition always counts.',
      ),
    withChanges: z
      .boolean()
      .default(false)
      .describe(
        `Report too what changed in the app between the sides, as their traces show it: \`changes\` of each candidate. Reads the traces of at most ${MAX_READ_TRACES} tests of each side.`,
      ),
  })
  .refine(({ by, definitionId }) => by === 'VERDICTS' || definitionId === undefined, {
    error: 'cannot be combined with by: OUTCOME',
    path: ['definitionId'],
  });
export type CompareBody = z.output<typeof compareBody>;

const sideTests = {
  tests: z
    .int()
    .describe(
      'Number of tests that count: completed with a verdict, or failed because of the app, which counts as 0. With `definitionId`, only tests that it judged.',
    ),
  unfinished: z.int().describe('Number of unfinished tests, which do not count.'),
  errors: z.int().describe('Number of tests that failed for reasons outside the app, which do not count.'),
  tracesDeleted: z
    .int()
    .describe(
      'Number of tests without a verdict whose trace was deleted: nothing can judge them, and they do not count.',
    ),
  passRate: percent
    .nullable()
    .describe(
      'Percentage: mean over all its tests of the share of their evals that passed; with `equalTasks`, mean of that of its tasks.',
    ),
  passRateInterval: rateInterval.nullable().describe('Interval of the pass rate, in percent.'),
};

const difference = z
  .object({
    baseline: percent.describe('Percentage: pass rate of the baseline over the pairs.'),
    candidate: percent.describe('Percentage: pass rate of the candidate over the pairs.'),
    estimate: points.describe('Percentage points by which the candidate is higher.'),
    low: points,
    high: points.describe('Bound of the interval of the difference, in percentage points.'),
    question,
    clusteredBy,
    clusters: z.int().describe('Number of observations.'),
    method: z
      .enum(COMPARISON_METHODS)
      .describe(
        'Method of the p value and the interval: `SIGN_FLIP` over examples, and over tasks where these are the observations; `NEWCOMBE_INDEPENDENT` for the same examples.',
      ),
    reason: z.string().describe('What counts as one observation, and why.'),
    highIfNonePassed: points.describe(
      'The upper bound if nothing of the candidate had passed: if it is not below 0, no result could have shown a loss.',
    ),
    smallestLoss: z
      .number()
      .min(0)
      .max(200)
      .describe(
        'About the smallest loss that the comparison would have shown, in percentage points: how far below the estimate no difference would have been excluded, with results that differ as much as these.',
      ),
    pValue: z.number().min(0).max(1).describe('Two-sided p value for no difference.'),
    adjustedPValue: z
      .number()
      .min(0)
      .max(1)
      .describe('P value adjusted for the number of candidates (Holm); compare this one with the limit.'),
    falseDiscoveryPValue: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'P value adjusted by Benjamini and Hochberg: among all candidates below a limit, at most that share is found by chance.',
      ),
  })
  .describe(
    'Each pair of a task and an input has the same weight, or each task with `equalTasks`. Repeating a comparison returns the same result.',
  );

const effectSize = z
  .object({
    riskDifference: z.number().min(-1).max(1).describe('The difference, from −1 to 1.'),
    oddsRatio: z
      .number()
      .nullable()
      .describe(
        'Ratio of the odds of passing to those of the baseline; null when a side always or never passes.',
      ),
    cohensD: z
      .number()
      .nullable()
      .describe(
        'Standard deviations by which the scores of the pairs are higher; null with fewer than two pairs with scores on both sides, or without variation.',
      ),
  })
  .describe('Values over the pairs.');

const taskDifference = z.object({
  taskId: uuid,
  title: z.string(),
  pairs: z.int(),
  baseline: percent,
  candidate: percent,
  difference: points,
});

const definitionDifference = z.object({
  id: uuid,
  name: z.string(),
  type: z.string(),
  isAdvisory,
  pairs: z.int(),
  baseline: percent,
  candidate: percent,
  difference: points,
  correctedBaseline: correctedRate,
  correctedCandidate: correctedRate,
});

const changedTasks = z.object({
  better: z.int(),
  worse: z.int(),
  same: z.int(),
  mostImproved: z
    .array(taskDifference)
    .describe(`Tasks, largest difference first, at most ${MAX_SHOWN_TASKS}.`),
  mostWorsened: z
    .array(taskDifference)
    .describe(`Tasks, largest difference first, at most ${MAX_SHOWN_TASKS}.`),
});

const UNPAIRED_REASONS = [
  'NOT_IN_BASELINE',
  'NOT_IN_CANDIDATE',
  'DOES_NOT_COUNT_IN_BASELINE',
  'DOES_NOT_COUNT_IN_CANDIDATE',
  'DOES_NOT_COUNT',
  'JUDGED_OTHERWISE',
] as const;

const unpaired = z.object({
  taskId: uuid,
  exampleId: uuid.nullable(),
  prompt: z.string().describe('First 100 characters of the prompt.'),
  reason: z
    .enum(UNPAIRED_REASONS)
    .describe(
      'Why it is no pair: a side was not tested with it, none of its tests there counts, or it was judged by other versions there.',
    ),
});
export type Unpaired = z.input<typeof unpaired>;

const share = z.number().min(0).max(1);
const appChange = z.object({
  kind: z
    .enum(['SYSTEM_MESSAGE', 'MODEL', 'PARAMETER', 'TOOLS', 'ATTRIBUTE'])
    .describe(
      'What changed: the instructions of a call of a model, its model, a parameter of it, the tools that it was given, or an attribute of the app, such as a version.',
    ),
  name: z.string().describe('Name of the call, of the parameter or of the attribute.'),
  baseline: z
    .string()
    .nullable()
    .describe('Value of most traces; null if most have none. At most 4,000 characters.'),
  candidate: z
    .string()
    .nullable()
    .describe('Value of most traces; null if most have none. At most 4,000 characters.'),
  baselineShare: share.describe('Share of the traces of the baseline with that value, from 0 to 1.'),
  candidateShare: share.describe('Share of the traces of the candidate with that value, from 0 to 1.'),
});
export type AppChange = z.input<typeof appChange>;

const appChanges = {
  changes: z
    .array(appChange)
    .describe(
      'What at least half of the traces of each side have otherwise than those of the other, at most 50. Attributes that name one request or one machine are left out.',
    ),
  tracesRead: z
    .object({ baseline: z.int(), candidate: z.int() })
    .describe('Number of traces that were read for `changes`.'),
};
export type AppChanges = z.input<z.ZodObject<typeof appChanges>>;

const candidate = z.object({
  ...sideTests,
  pairs: z
    .int()
    .describe(
      'Number of combinations of task and input that count on both sides, judged by the same; only these are compared.',
    ),
  onlyInBaseline: z.int().describe('Number of combinations that count for the baseline only.'),
  onlyInCandidate: z.int().describe('Number of combinations that count for the candidate only.'),
  judgedOtherwise: z
    .int()
    .describe(
      'Number of combinations that are not compared because what was expected, a definition or a judge had another version on the other side.',
    ),
  pairedShare: percent.describe(
    'Percentage of all combinations that were tested on a side, whether or not they count, that are pairs: that of the side where it is lower.',
  ),
  unpaired: z.array(unpaired).describe(`Combinations that are no pair, at most ${MAX_SHOWN_UNPAIRED}.`),
  difference: difference.nullable().describe('Comparison of the pairs; null without pairs.'),
  effectSize: effectSize.nullable(),
  tasks: changedTasks,
  definitions: z
    .array(definitionDifference)
    .describe(
      'Results of each definition that judged both sides, by its id. Use `definitionId` to get an interval.',
    ),
  changes: appChanges.changes.optional(),
  tracesRead: appChanges.tracesRead.optional(),
});

export const comparison = namedObject('RunComparison', {
  confidence: z.number(),
  question,
  definitionId: uuid.nullable(),
  baseline: z.object(sideTests),
  candidates: z.array(candidate).describe('Candidates in the order of the request.'),
});
export type RunComparison = z.input<typeof comparison>;
export type SideMetrics = z.input<z.ZodObject<typeof sideTests>>;
export type ComparedCandidate = z.input<typeof candidate>;
export type TaskDifference = z.input<typeof taskDifference>;
