import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';

export const MAX_COMPARED_TESTS = 10_000;
export const MAX_SHOWN_TASKS = 50;

const percent = z.number().min(0).max(100);
const points = z.number().min(-100).max(100);

const side = z
  .object({
    runIds: z.array(uuid).min(1).max(100).optional().describe('All tests of these runs together.'),
    variantId: uuid.optional().describe('All tests of this variant of an experiment.'),
  })
  .refine(({ runIds, variantId }) => (runIds === undefined) !== (variantId === undefined), {
    error: 'must have either runIds or variantId',
  });
export type ComparedSide = z.output<typeof side>;

export const compareBody = z.object({
  baseline: side,
  candidates: z.array(side).min(1).max(10),
  definitionId: uuid
    .optional()
    .describe('Compare by the evals of this evaluation definition alone. Default: by all of them.'),
  confidence: z
    .number()
    .min(0.5)
    .max(0.999)
    .default(0.95)
    .describe('Of the intervals, 0 to 1. What it leaves of 1 is also what p values are to be held against.'),
});
export type CompareBody = z.output<typeof compareBody>;

const interval = z.object({ low: percent, high: percent });
const sideTests = {
  tests: z
    .int()
    .describe(
      'That count: completed with a verdict, or failed by the fault of the app, which counts as 0. With `definitionId` only those that it judged.',
    ),
  unfinished: z.int().describe('Not over yet; they don’t count.'),
  errors: z.int().describe('Failed, and not by the fault of the app; they don’t count.'),
  passRate: percent
    .nullable()
    .describe('In percent: the mean over all its tests of the share of their evals that passed.'),
  passRateInterval: interval
    .nullable()
    .describe('In percent: the interval of the pass rate (Wilson), each test one observation.'),
};

const difference = z
  .object({
    baseline: percent.describe('In percent: the pass rate of the baseline over the pairs.'),
    candidate: percent.describe('In percent: the pass rate of the candidate over the pairs.'),
    estimate: points.describe('In percentage points: how much higher that of the candidate is.'),
    low: points,
    high: points.describe('In percentage points: with `low` the interval of the difference.'),
    method: z
      .enum(['MCNEMAR_EXACT', 'MCNEMAR_CORRECTED', 'CLUSTER_BOOTSTRAP', 'NEWCOMBE_INDEPENDENT'])
      .describe('How p value and interval were found.'),
    reason: z.string().describe('Why in this way.'),
    pValue: z.number().min(0).max(1).describe('Of there being no difference; two-sided.'),
    adjustedPValue: z
      .number()
      .min(0)
      .max(1)
      .describe('The p value adjusted for the number of candidates (Holm): hold this one against the limit.'),
  })
  .describe(
    'Each pair, which is a task and input example, has the same weight. The same comparison has the same result each time.',
  );

const effectSize = z
  .object({
    riskDifference: z.number().min(-1).max(1).describe('The difference, from −1 to 1.'),
    oddsRatio: z
      .number()
      .nullable()
      .describe('The odds of passing by those of the baseline; null when a side passes always or never.'),
    cohensD: z
      .number()
      .nullable()
      .describe(
        'By how many standard deviations the scores of the pairs are higher; null with fewer than two pairs that have scores on both sides, or when these don’t vary.',
      ),
  })
  .describe('Over the pairs.');

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
  pairs: z.int(),
  baseline: percent,
  candidate: percent,
  difference: points,
});

const changedTasks = z.object({
  better: z.int(),
  worse: z.int(),
  same: z.int(),
  mostImproved: z.array(taskDifference).describe(`The largest difference first, at most ${MAX_SHOWN_TASKS}.`),
  mostWorsened: z.array(taskDifference).describe(`The largest difference first, at most ${MAX_SHOWN_TASKS}.`),
});

const candidate = z.object({
  ...sideTests,
  pairs: z
    .int()
    .describe('Tasks and input examples that were tested on both sides: only these are compared.'),
  onlyInBaseline: z.int().describe('Tasks and input examples that the candidate was not tested with.'),
  onlyInCandidate: z.int().describe('Tasks and input examples that the baseline was not tested with.'),
  difference: difference.nullable().describe('Null when there is no pair.'),
  effectSize: effectSize.nullable(),
  tasks: changedTasks,
  definitions: z
    .array(definitionDifference)
    .describe(
      'By the evals of each definition that judged both sides, by its id. For an interval ask with `definitionId`.',
    ),
});

export const comparison = namedObject('RunComparison', {
  confidence: z.number(),
  definitionId: uuid.nullable(),
  baseline: z.object(sideTests),
  candidates: z.array(candidate).describe('In the order in which they were asked for.'),
});
export type RunComparison = z.input<typeof comparison>;
export type SideMetrics = z.input<z.ZodObject<typeof sideTests>>;
export type ComparedCandidate = z.input<typeof candidate>;
export type TaskDifference = z.input<typeof taskDifference>;
