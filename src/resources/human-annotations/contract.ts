import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { dateTime, traceId, uuid } from '../../contract/values.ts';

const MAX_CRITIQUE = 2_048;
const MIN_CRITIQUE_OF_FAILURE = 20;

const source = z
  .enum(['REVIEW_QUEUE', 'TRACE_PAGE', 'TEST_PAGE'])
  .describe('Where the person was when judging.');
const verdict = z.boolean().describe('Whether the trace passes.');

export const humanAnnotation = namedObject('HumanAnnotation', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  traceId: uuid,
  verdict,
  critique: z.string().nullable(),
  annotatorId: z.string().describe('Who judged.'),
  source,
  queueItemId: uuid.nullable().describe('The queue item that it completed.'),
});
export type HumanAnnotation = z.input<typeof humanAnnotation>;

const critique = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CRITIQUE)
  .nullable()
  .describe(
    `What is good or bad about it, in 1 to ${MAX_CRITIQUE} characters. Of a trace that does not pass it is needed, with at least ${MIN_CRITIQUE_OF_FAILURE}.`,
  );

/** Judgement of a person on a trace. */
export interface Judgement {
  verdict: boolean;
  critique: string | null;
}

/** Reports whether a judgement says enough. */
export const isExplained = (judgement: Judgement): boolean =>
  judgement.verdict || (judgement.critique ?? '').length >= MIN_CRITIQUE_OF_FAILURE;

export const UNEXPLAINED = {
  code: 'too_small',
  message: `must have at least ${MIN_CRITIQUE_OF_FAILURE} characters when the verdict is false`,
  path: ['critique'],
};

export const createAnnotationBody = z
  .object({
    traceId,
    verdict,
    critique: critique.default(null),
    annotatorId: z
      .string()
      .trim()
      .min(1)
      .max(256)
      .optional()
      .describe(
        'Who judged: an identifier of a user. Default: the `keyId` of the API key. Somebody who is signed in always judges under the own user id.',
      ),
    source,
    queueItemId: uuid
      .nullable()
      .default(null)
      .describe('With `REVIEW_QUEUE` only: the item of this trace that this completes.'),
  })
  .refine(isExplained, {
    path: UNEXPLAINED.path,
    error: UNEXPLAINED.message,
    params: { code: UNEXPLAINED.code },
  })
  .refine((body) => body.queueItemId === null || body.source === 'REVIEW_QUEUE', {
    path: ['queueItemId'],
    error: 'goes with the source REVIEW_QUEUE only',
  });
export type NewAnnotation = z.output<typeof createAnnotationBody> & { annotatorId: string };

export const updateAnnotationBody = z.object({ verdict, critique }).partial();
export type GivenJudgement = z.output<typeof updateAnnotationBody>;

export const annotationsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  traceId: several(traceId).describe('Annotations of one of these traces.'),
  verdict: queryBoolean.optional().describe('Annotations with this verdict.'),
  annotatorId: several(z.string().min(1).max(256)).describe('Annotations of one of these people.'),
  source: several(source).describe('Annotations made at one of these places.'),
  queueItemId: several(uuid).describe('Annotations that completed one of these queue items.'),
  startDate: dateTime.optional().describe('Annotations made at this time or later.'),
  endDate: dateTime.optional().describe('Annotations made at this time or earlier.'),
});
export type AnnotationsQuery = z.output<typeof annotationsQuery>;
