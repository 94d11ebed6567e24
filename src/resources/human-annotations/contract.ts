import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { givenTime, shortText, traceId, uuid } from '../../contract/values.ts';
import { reviewVerdict } from '../human-annotation-queue-items/contract.ts';
import { withheld } from '../../contract/withheld.ts';
import { judgementIssues, MIN_CRITIQUE_OF_FAILURE, withOverall } from './judgement.ts';

const MAX_CRITIQUE = 2_048;
const MAX_OUTPUT_CHARACTERS = 200_000;

const source = z
  .enum(['REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE'])
  .describe('Place where the person judged the trace.');
const verdict = z
  .boolean()
  .nullable()
  .describe(
    'True if the trace passes; by the criterion if `evalDefinitionId` names one. Null for a note, and for a person who is unsure.',
  );
const evalDefinitionId = uuid
  .nullable()
  .describe('Definition whose criterion the verdict is about; null for a verdict on the complete trace.');
const score = z
  .number()
  .nullable()
  .describe(
    'Score on the scale of the definition: that of `CUSTOM` with a `scale`, or 1 to 5 for `STYLE` and `NATURALNESS`. The verdict follows from it.',
  );
const unsure = z
  .boolean()
  .describe(
    'True if the person judged and could not decide: such a verdict counts half as pass and half as fail.',
  );

const MAX_CITATIONS = 20;
const MAX_QUOTE = 2_000;
const MAX_CRITERIA = 10;

const citation = z
  .object({
    field: z.enum(['input', 'output']).default('output'),
    start: z.int().min(0),
    end: z.int().min(1),
    quote: z.string().min(1).max(MAX_QUOTE),
  })
  .refine(({ start, end }) => start < end, { path: ['end'], error: 'must be greater than `start`' })
  .describe('Words that the verdict is about: their place in the text in UTF-16 code units, and the words.');

const criterionVerdict = z.object({
  criterionId: shortText.describe('Criterion of the queue.'),
  verdict: reviewVerdict,
  citations: z.array(citation).max(MAX_CITATIONS).default([]),
});
export type CriterionVerdict = z.output<typeof criterionVerdict>;

export const humanAnnotation = namedObject('HumanAnnotation', {
  ...recordFields,
  traceId: uuid,
  evalDefinitionId,
  verdict,
  score,
  unsure,
  critique: z.string().nullable(),
  annotatorId: z.string().describe('Identifier of the person who judged.'),
  annotatorName: z.string().nullable().describe('Name of the user with this id; null if there is none.'),
  source,
  queueItemId: uuid.nullable().describe('Queue item that the annotation completed.'),
  correctedOutput: z
    .unknown()
    .describe('What the output should have been, any JSON; null if the annotation has none.'),
  criteria: z
    .array(criterionVerdict)
    .nullable()
    .describe('Verdicts by the criteria of the queue; null for an annotation without them.'),
  partOf: uuid
    .nullable()
    .describe('Annotation whose verdict by one criterion this is; null for one that was created by itself.'),
  withheld,
});
export type HumanAnnotation = z.input<typeof humanAnnotation>;

const critique = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CRITIQUE)
  .nullable()
  .describe(
    `Critique of the trace, with 1 to ${MAX_CRITIQUE} characters. Required, with at least ${MIN_CRITIQUE_OF_FAILURE}, when the trace does not pass.`,
  );

const correctedOutput = shortAsJson(exact(z.unknown()), MAX_OUTPUT_CHARACTERS).describe(
  'What the output should have been, any JSON. An example that is made of the trace expects it; null means none.',
);

export const createAnnotationBody = z
  .object({
    traceId,
    evalDefinitionId: evalDefinitionId.default(null),
    verdict: verdict.default(null),
    score: score.default(null),
    unsure: unsure.default(false),
    critique: critique.default(null),
    correctedOutput: correctedOutput.default(null),
    annotatorId: shortText
      .optional()
      .describe(
        'Who judged. Default: the `keyId` of the API key. A key with the scope `write` may name a person without an account, such as one of another system; naming a member or another key is rejected (403), as is any other name by a key without that scope. Someone who is signed in always judges under the own user id.',
      ),
    source,
    queueItemId: uuid
      .nullable()
      .default(null)
      .describe('Item of this trace that the annotation completes; for `REVIEW_QUEUE` only.'),
    leaseToken: shortText
      .nullable()
      .default(null)
      .describe('Token of the reservation under which the item was judged; null without one.'),
    criteria: z
      .array(criterionVerdict)
      .min(1)
      .max(MAX_CRITERIA)
      .nullable()
      .default(null)
      .describe(
        'A verdict by each criterion of the queue, which requires them. The overall verdict follows: it fails if one does, is unsure if one is unsure and none fails, and passes otherwise. Those whose criterion names an evaluator are also stored as annotations of their own.',
      ),
  })
  .superRefine((body, context) => {
    for (const { message, path, code } of judgementIssues(body.criteria ? withOverall(body) : body))
      context.addIssue({ code: 'custom', message, path, params: { code } });
  })
  .refine((body) => body.queueItemId === null || body.source === 'REVIEW_QUEUE', {
    path: ['queueItemId'],
    error: 'is allowed only with the source REVIEW_QUEUE',
  })
  .refine((body) => body.queueItemId !== null || (body.criteria === null && body.leaseToken === null), {
    path: ['queueItemId'],
    error: 'is required with `criteria` and `leaseToken`',
  })
  .refine(
    (body) => body.criteria === null || (body.verdict === null && body.score === null && !body.unsure),
    {
      path: ['criteria'],
      error: 'is allowed only without `verdict`, `score` and `unsure`, which follow from it',
    },
  )
  .refine((body) => body.criteria === null || body.evalDefinitionId === null, {
    path: ['criteria'],
    error: 'is allowed only without `evalDefinitionId`',
  });
export type NewAnnotation = z.output<typeof createAnnotationBody> & { annotatorId: string };

export const updateAnnotationBody = z.object({ verdict, score, unsure, critique, correctedOutput }).partial();
export type GivenJudgement = z.output<typeof updateAnnotationBody>;

export const annotationsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  traceId: several(traceId).describe('Annotations of one of these traces.'),
  evalDefinitionId: several(uuid).describe('Annotations on the criterion of one of these definitions.'),
  verdict: queryBoolean.optional().describe('Annotations with this verdict.'),
  annotatorId: several(shortText).describe('Annotations of one of these people.'),
  source: several(source).describe('Annotations from one of these places.'),
  queueItemId: several(uuid).describe('Annotations that completed one of these queue items.'),
  startDate: givenTime.optional().describe('Annotations created at this time or later.'),
  endDate: givenTime.optional().describe('Annotations created at this time or earlier.'),
});
export type AnnotationsQuery = z.output<typeof annotationsQuery>;
