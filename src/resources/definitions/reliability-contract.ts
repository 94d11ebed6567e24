import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { uuid } from '../../contract/values.ts';

/** Number of human verdicts on randomly drawn traces below which no pass rate is corrected. */
export const MIN_VERDICTS = 30;
/** Neither by a judge whose rates of true positives and negatives are together no more above 1. */
export const MIN_YOUDEN = 0.2;

const percent = z.number().min(0).max(100);
const count = z.int().min(0);
const kappaValue = z.number().min(-1).max(1);
const rate = z
  .object({ rate: percent, low: percent, high: percent })
  .describe('In percent, with its 95 % confidence interval (Wilson).');

export const reliabilityQuery = z.object({
  version: queryInteger(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Of the definition. Default: the current one.'),
});

export const reliability = namedObject('Reliability', {
  definitionId: uuid,
  version: z.int().describe('The version of the definition whose evals these are.'),
  verdicts: z
    .object({
      compared: count.describe('Evals with a human verdict: what all figures here are made of.'),
      tied: count.describe('Evals on which as many people said pass as fail; they don’t count.'),
      unjudged: count.describe('Annotated traces that this version has no completed eval of.'),
      random: count.describe('Of those compared, on traces that a queue drew at random.'),
      missing: count.describe(
        `How many more on traces drawn at random it takes to have ${MIN_VERDICTS}, so that the pass rate can be corrected.`,
      ),
    })
    .describe(
      'The human verdict is that of the majority; of each person the newest annotation of the trace counts.',
    ),
  confusion: z
    .object({
      truePositives: count.describe('Both say pass.'),
      falsePositives: count.describe('The definition says pass, people say fail.'),
      falseNegatives: count.describe('The definition says fail, people say pass.'),
      trueNegatives: count.describe('Both say fail.'),
    })
    .describe('Evals by what the definition and what people say.'),
  agreement: rate.nullable().describe('How often both say the same. Null without verdicts.'),
  kappa: z
    .object({ value: kappaValue, low: kappaValue, high: kappaValue })
    .nullable()
    .describe(
      'Cohen’s kappa: agreement beyond what chance would bring, 0 none, 1 perfect, with its 95 % confidence interval. Null without verdicts, and when both say pass always, or fail always.',
    ),
  truePositiveRate: rate
    .nullable()
    .describe('Of what people let pass, how much the definition lets pass. Null when there is none.'),
  trueNegativeRate: rate
    .nullable()
    .describe('Of what people let fail, how much the definition lets fail. Null when there is none.'),
  correctedPassRate: z
    .object({
      rate: percent,
      low: percent,
      high: percent,
      isClamped: z.boolean().describe('The correction led out of 0 to 100 and was cut there.'),
      judged: count.describe('Evals of this version on traces other than those drawn at random.'),
      judgedPassRate: percent.describe('In percent: how many of these passed.'),
    })
    .nullable()
    .describe(
      'In percent: how much would pass if people judged it all, with the 95 % confidence interval (Rogan and Gladen; Lang and Reiczigel). The rates of true positives and negatives are taken from traces drawn at random alone.',
    ),
  refusal: z
    .object({
      code: z.enum(['TOO_FEW_VERDICTS', 'ONE_SIDED_VERDICTS', 'WEAK_JUDGE', 'NOTHING_ELSE_JUDGED']),
      message: z.string(),
    })
    .nullable()
    .describe('Why there is no corrected pass rate.'),
});
export type Reliability = z.input<typeof reliability>;
export type Refusal = NonNullable<Reliability['refusal']>;
