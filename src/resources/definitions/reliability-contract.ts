import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';

/** Number of human verdicts on randomly drawn traces below which no pass rate is corrected. */
export const MIN_VERDICTS = 30;
/** Smallest sum of the rates of true positives and negatives, minus 1, for which a pass rate is corrected. */
export const MIN_YOUDEN = 0.2;

const percent = z.number().min(0).max(100);
const count = z.int().min(0);
const half = z.number().min(0).multipleOf(0.5);
const kappaValue = z.number().min(-1).max(1);
const rate = z
  .object({ rate: percent, low: percent, high: percent })
  .describe('Percentage with its 95 % confidence interval (Wilson).');

export const reliabilityQuery = z.object({
  version: queryInteger(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Version of the definition. Default: the current one.'),
});

export const isAdvisory = z
  .boolean()
  .describe(
    'True if the verdicts of this definition are only shown: a judge model decides, and no valid gate proves that it agrees with people.',
  );

export const reliability = namedObject('Reliability', {
  definitionId: uuid,
  version: z.int().describe('Version of the definition that made these evals.'),
  judgeVersion: z
    .string()
    .nullable()
    .describe(
      'Hash of provider, base URL, model, parameters, prompts, criterion, style guide and repeats of the newest eval. All numbers are based on evals with the same hash, because a changed judge is another judge. Null for rules and without evals.',
    ),
  isAdvisory,
  gate: z
    .object({
      minKappa: kappaValue,
      minAnnotations: count,
      isValid: z.boolean().describe('True if the last test passed and newer verdicts do not contradict it.'),
      reason: z.string().nullable().describe('Reason why the gate is not valid.'),
      verdicts: count.describe('Number of human verdicts on tests and traces drawn at random.'),
      lastTest: z
        .object({
          number: count,
          verdicts: count.describe('Number of verdicts that the test used: the first ones.'),
          kappa: kappaValue.nullable(),
          low: kappaValue.nullable().describe('Lower bound of kappa.'),
          confidence: z.number().describe('One-sided confidence of the bound, 0 to 1.'),
          isPassed: z.boolean(),
          isPossible: z
            .boolean()
            .describe(
              'False if the judge could not have passed, whatever people said: too few of what it let pass or fail were drawn. Such a test leaves its share of the error to the next one.',
            ),
        })
        .nullable(),
      revokedBy: z
        .object({ verdicts: count, kappa: kappaValue, high: kappaValue.describe('Upper bound of kappa.') })
        .nullable()
        .describe('Kappa of the newest verdicts, when its upper bound is below `minKappa`.'),
      nextTestAt: count.describe('Number of verdicts at the next test, twice that of the last one.'),
      awaited: count.describe(
        'Number of tests and traces that the next test takes, because they were drawn first, and that no one has judged.',
      ),
      maxAgeDays: count.describe('Days after which the gate expires.'),
      canaries: count.describe('Number of canaries that are frozen, at most.'),
      expiresAt: dateTime
        .nullable()
        .describe('Time when the gate expires or has expired; null if the last test did not pass.'),
    })
    .nullable()
    .describe('State of the gate of the definition; null when it has none.'),
  verdicts: z
    .object({
      compared: count.describe('Number of evals with a human verdict; all numbers here are based on them.'),
      tied: count.describe(
        'Number of the compared evals on which people are tied or unsure. They count half as pass and half as fail, until one more person decides.',
      ),
      settled: count.describe(
        'Number of the compared evals on which people differed and the majority, such as a third person, decided.',
      ),
      unjudged: count.describe('Number of annotated traces without a completed eval of this version.'),
      random: count.describe('Number of the compared evals on traces that a queue drew at random.'),
      missing: count.describe(
        `Number of further verdicts on traces drawn at random until there are ${MIN_VERDICTS}, from which on the pass rate can be corrected.`,
      ),
    })
    .describe(
      'Only verdicts of people on this definition count: those that name it with `evalDefinitionId`, and, if the definition `isOverall`, those on the complete trace. The human verdict is that of the majority, counting the newest verdict of each person on the trace.',
    ),
  confusion: z
    .object({
      truePositives: half.describe('Both say pass.'),
      falsePositives: half.describe('The definition says pass, people say fail.'),
      falseNegatives: half.describe('The definition says fail, people say pass.'),
      trueNegatives: half.describe('Both say fail.'),
    })
    .describe(
      'Number of evals by the verdicts of the definition and of people; one on which people are tied counts half in two places.',
    ),
  agreement: rate.nullable().describe('Share of evals on which both agree. Null without verdicts.'),
  kappa: z
    .object({ value: kappaValue, low: kappaValue, high: kappaValue })
    .nullable()
    .describe(
      'Cohen’s kappa: agreement beyond chance (0 none, 1 perfect), with its 95 % confidence interval. Null without verdicts, and when both always pass or both always fail.',
    ),
  annotators: z
    .object({
      traces: count.describe('Number of traces on which two or more people gave a verdict.'),
      alpha: z
        .object({ value: kappaValue, low: kappaValue, high: kappaValue })
        .nullable()
        .describe(
          'Krippendorff’s alpha: agreement beyond chance (0 none, 1 perfect), with its confidence interval, which contains the truth in about 95 % of cases, in 92 % with few traces. Null without such traces, and when all their verdicts are alike.',
        ),
      fleissKappa: z
        .object({ value: kappaValue, low: kappaValue, high: kappaValue })
        .nullable()
        .describe(
          'Fleiss’ kappa of the same verdicts, in which each trace weighs the same; null as alpha is.',
        ),
      people: z
        .array(
          z.object({
            annotatorId: z.string(),
            verdicts: count.describe('Number of traces that the person judged.'),
            passRate: percent.describe('Percentage of these that the person let pass; unsure counts half.'),
            shared: count.describe('Number of these that others judged too.'),
            bias: z
              .number()
              .min(-100)
              .max(100)
              .nullable()
              .describe(
                'Percentage points by which the person lets more of the shared traces pass than the others do on average; null without any.',
              ),
          }),
        )
        .describe('The people with the most verdicts, at most 20.'),
      pairs: z
        .array(
          z.object({
            annotatorIds: z.array(z.string()).length(2),
            traces: count.describe('Number of traces that both judged.'),
            agreed: count.describe('Number of these on which they agree.'),
            kappa: kappaValue.nullable().describe('Cohen’s kappa of the two; null when it is undefined.'),
          }),
        )
        .describe('Each two of these people who have judged the same traces.'),
    })
    .describe('How far people agree with each other. A judge cannot agree with people more than they do.'),
  truePositiveRate: rate
    .nullable()
    .describe('Share that the definition passes, of those that people pass. Null when people pass none.'),
  trueNegativeRate: rate
    .nullable()
    .describe('Share that the definition fails, of those that people fail. Null when people fail none.'),
  correctedPassRate: z
    .object({
      rate: percent,
      low: percent,
      high: percent,
      isClamped: z
        .boolean()
        .describe('True if the corrected rate was outside 0 to 100 and was limited to that range.'),
      judged: count.describe('Number of evals of this version on traces other than those drawn at random.'),
      judgedPassRate: percent.describe('Percentage of these evals that passed.'),
    })
    .nullable()
    .describe(
      'Estimated percentage that would pass if people judged all of them, with the 95 % confidence interval (Rogan and Gladen; Lang and Reiczigel). The rates of true positives and negatives are measured on traces drawn at random only.',
    ),
  refusal: z
    .object({
      code: z.enum(['TOO_FEW_VERDICTS', 'ONE_SIDED_VERDICTS', 'WEAK_JUDGE', 'NOTHING_ELSE_JUDGED']),
      message: z.string(),
    })
    .nullable()
    .describe('Reason why there is no corrected pass rate.'),
});
export type Reliability = z.input<typeof reliability>;
export type UncorrectedReason = NonNullable<Reliability['refusal']>;
