import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { traceId, uuid } from '../../contract/values.ts';
import { EVAL_STATUSES } from '../../evaluate/eval-record.ts';
import { createDefinitionBody } from '../definitions/contract.ts';

/** Most tests, traces or texts of one call. */
const MAX_TRIED = 20;
const MAX_TEXT = 20_000;

const PICKS = ['RECENT', 'FAILED', 'REVIEWED', 'DISAGREEMENTS'] as const;
export type TryPick = (typeof PICKS)[number];

const given = z.string().min(1).max(MAX_TEXT);
const { type, styleGuideId, repeats } = createDefinitionBody.shape;

export const tryBody = z
  .object({
    definition: z
      .object({
        name: createDefinitionBody.shape.name.optional().describe('Default: that of `definitionId`.'),
        type,
        globalConfig: createDefinitionBody.shape.globalConfig
          .unwrap()
          .optional()
          .describe('Configuration to try, as `POST /v0/definitions` takes it.'),
        styleGuideId,
        repeats,
      })
      .describe('Definition to try, which is not stored.'),
    definitionId: uuid
      .optional()
      .describe('Stored definition that it would replace, with whose verdicts it is compared.'),
    sample: z
      .object({
        pick: z
          .enum(PICKS)
          .optional()
          .describe(
            'Newest completed tests and traces (`RECENT`), those that the stored definition, or any one without `definitionId`, has failed (`FAILED`), those that people have judged by it, as many failed as passed (`REVIEWED`), or those where it and people differ (`DISAGREEMENTS`).',
          ),
        count: z
          .int()
          .min(1)
          .max(MAX_TRIED)
          .default(5)
          .describe('Number of tests and traces to pick, at most.'),
        testIds: z.array(uuid).min(1).max(MAX_TRIED).optional(),
        traceIds: z.array(traceId).min(1).max(MAX_TRIED).optional(),
        texts: z
          .array(
            z.object({
              input: given.optional(),
              output: given,
              expected: given.optional().describe('Expected output.'),
            }),
          )
          .min(1)
          .max(MAX_TRIED)
          .optional(),
      })
      .refine(
        ({ pick, testIds, traceIds, texts }) =>
          [pick, testIds, traceIds, texts].filter((one) => one !== undefined).length === 1,
        { error: 'must have exactly one of `pick`, `testIds`, `traceIds` and `texts`' },
      )
      .describe(
        'What to judge. The held-out half of random samples is never picked, and rejected (409) if it is named; verdicts that are withheld from the caller are left out.',
      ),
    dryRun: z
      .boolean()
      .default(false)
      .describe('True to return the sample and the expected cost only, without asking a judge.'),
  })
  .refine(
    ({ definitionId, sample: { pick } }) =>
      definitionId !== undefined || (pick !== 'REVIEWED' && pick !== 'DISAGREEMENTS'),
    { path: ['definitionId'], error: 'is required with this `pick`' },
  );
export type TryBody = z.output<typeof tryBody>;

const count = z.int().min(0);

const verdictNow = z.object({
  status: z.enum(EVAL_STATUSES).extract(['COMPLETED', 'FAILED', 'SKIPPED']),
  passed: z.boolean().nullable(),
  score: z.number().nullable(),
  reason: z.string().nullable(),
  quotes: z
    .array(z.object({ text: z.string(), start: count, end: count }))
    .describe('Words of the output that the reason quotes, with their places in the complete output.'),
  inputTokens: count,
  outputTokens: count,
  cost: z.number().nullable().describe('US dollars; null when it is unknown.'),
  latencyMs: count,
});

export const triedSubject = namedObject('TriedSubject', {
  testId: uuid.nullable(),
  traceId: uuid.nullable().describe('Null for a given text, and for a test without a trace.'),
  input: z.string().nullable().describe('The first 2000 characters.'),
  output: z.string().nullable().describe('The first 2000 characters.'),
  human: z
    .object({
      verdict: z.enum(['PASS', 'FAIL', 'UNDECIDED']).describe('That of the majority.'),
      people: count,
      critique: z.string().nullable().describe('The newest one.'),
    })
    .nullable()
    .describe('What people said of it: by this definition, else of the complete trace.'),
  stored: z
    .object({ definitionVersion: count, passed: z.boolean().nullable(), score: z.number().nullable() })
    .nullable()
    .describe('Current verdict of the stored definition.'),
  now: verdictNow.nullable().describe('Verdict of the definition that is tried; null in a dry run.'),
});
export type TriedSubject = z.input<typeof triedSubject>;

export const tryResult = namedObject('TryResult', {
  expected: z
    .object({
      subjects: count,
      judge: z.string().nullable().describe('Name of the judge in the settings; null if none is asked.'),
      calls: count,
      inputTokens: count,
      outputTokens: count,
      cost: z
        .number()
        .nullable()
        .describe('US dollars; 0 if no judge is asked, null when no price is configured.'),
      leftToday: z
        .number()
        .nullable()
        .describe(
          'US dollars that the limits of the judges leave today; null without a limit. Nothing more is judged once it is 0.',
        ),
    })
    .describe(
      'What the verdicts are expected to take, by the lengths of the texts. Questions that depend on earlier answers are not included.',
    ),
  spent: z.object({
    calls: count.describe('Verdicts for which a judge or a scorer was asked.'),
    inputTokens: count,
    outputTokens: count,
    cost: z.number().nullable(),
  }),
  leftOut: count.describe(
    'Number of candidates that are held out or whose verdicts are withheld from the caller.',
  ),
  results: z.array(triedSubject),
});
export type TryResult = z.input<typeof tryResult>;
