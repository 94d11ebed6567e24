import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { givenTime, shortText, traceId, uuid } from '../../contract/values.ts';
import { judgementIssues, MIN_CRITIQUE_OF_FAILURE } from './judgement.ts';

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
  })
  .superRefine((body, context) => {
    for (const { message, path, code } of judgementIssues(body))
      context.addIssue({ code: 'custom', message, path, params: { code } });
  })
  .refine((body) => body.queueItemId === null || body.source === 'REVIEW_QUEUE', {
    path: ['queueItemId'],
    error: 'is allowed only with the source REVIEW_QUEUE',
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
