import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { definition } from '../definitions/contract.ts';

const count = z.int().min(0);
const percent = z.number().min(0).max(100);

export const definitionVersionsQuery = z.object({
  against: queryInteger(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Version with which the verdicts of each version are compared, on what both have judged.'),
});

export const definitionVersion = namedObject('DefinitionVersion', {
  version: z.int(),
  isCurrent: z.boolean(),
  type: definition.shape.type.nullable(),
  globalConfig: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'Configuration as it was applied. Null for an earlier version that gave no verdict, or whose verdicts have lost their texts.',
    ),
  repeats: z.int().nullable(),
  firstVerdictAt: dateTime.nullable(),
  lastVerdictAt: dateTime.nullable(),
  judged: count.describe('Number of tests and traces that it has judged.'),
  passRate: z
    .object({ rate: percent, low: percent, high: percent })
    .nullable()
    .describe(
      'Percentage of these that passed, with its 95 % confidence interval (Wilson); null without any.',
    ),
  shared: z
    .object({
      judged: count,
      bothPassed: count,
      onlyThisPassed: count,
      onlyOtherPassed: count,
      bothFailed: count,
    })
    .nullable()
    .describe('Verdicts of this version and of `against` on what both have judged; null without `against`.'),
});
export type DefinitionVersion = z.input<typeof definitionVersion>;

const HALVES = ['DRAFT', 'HOLDOUT'] as const;

export const disagreementsQuery = z.object({
  half: z
    .enum(HALVES)
    .optional()
    .describe('Those of this half only. `DRAFT` includes what no random sample has drawn.'),
  limit: queryInteger(1, 50).default(20).describe('Number of disagreements to return.'),
});

export const disagreement = namedObject('Disagreement', {
  testId: uuid.nullable(),
  traceId: uuid,
  evalId: uuid,
  half: z
    .enum(HALVES)
    .describe('`HOLDOUT`: held out of a random sample, so that no criterion is tried on it.'),
  input: z.string().nullable().describe('The first 400 characters.'),
  output: z.string().nullable().describe('The first 400 characters.'),
  passed: z.boolean().nullable().describe('Verdict of the definition.'),
  reason: z.string().nullable(),
  people: z.array(
    z.object({
      name: z.string(),
      said: z.enum(['PASS', 'FAIL', 'UNSURE']),
      critique: z.string().nullable(),
    }),
  ),
});
export type ShownDisagreement = z.input<typeof disagreement>;

export const disagreements = z.object({
  data: z.array(disagreement),
  definitionId: uuid,
  counts: z.object({ draft: count, holdout: count }).describe('Number of all disagreements, by half.'),
});

const STEPS = ['NONE', 'SET_GATE', 'JUDGE', 'MEASURE', 'SAMPLE', 'REVIEW'] as const;

export const agreementStepRecord = namedObject('AgreementStep', {
  definitionId: uuid,
  step: z
    .enum(STEPS)
    .describe(
      'What is missing until the definition is blocking. `NONE`: nothing. `SET_GATE`: a required agreement. `JUDGE`: a first verdict. `MEASURE`: verdicts of this version on what people have judged. `SAMPLE`: tests and traces drawn at random. `REVIEW`: verdicts of people on those.',
    ),
  count: count.describe('Number of verdicts, samples or reviews that are missing.'),
  queueId: uuid.nullable().describe('Queue to draw into, or to review; null if there is none yet.'),
  pending: count.describe('Number of drawn tests and traces that no one has judged.'),
  reason: z.string(),
});
export type AgreementStep = z.input<typeof agreementStepRecord>;

export const evaluateReviewedBody = z.object({
  dryRun: z.boolean().default(false).describe('True to count only.'),
});

export const evaluatedReviewed = namedObject('EvaluateReviewedResult', {
  reviewed: count.describe('Number of reviewed tests and traces without a verdict of the current version.'),
  evals: count.describe('Number of evals that run now.'),
  cost: z
    .number()
    .nullable()
    .describe('Expected cost in US dollars, by the mean of earlier verdicts; null when it is unknown.'),
});
