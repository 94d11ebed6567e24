import { randomUUID } from 'node:crypto';
import { dates, ID, owner } from '../../contract/example-values.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { Principal } from '../../contract/scope.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  createHumanAnnotation,
  deleteHumanAnnotation,
  getHumanAnnotation,
  listHumanAnnotations,
  updateHumanAnnotation,
} from './calls.ts';
import {
  annotationsQuery,
  createAnnotationBody,
  type HumanAnnotation,
  humanAnnotation,
  updateAnnotationBody,
} from './contract.ts';

type HumanAnnotationDeps = StoreCalls;

const judged = {
  traceId: ID.trace,
  verdict: true,
  source: 'REVIEW_QUEUE',
  queueItemId: ID.queueItem,
} as const;

const exampleAnnotation: HumanAnnotation = {
  id: ID.annotation,
  ...owner,
  ...dates,
  ...judged,
  evalDefinitionId: ID.definition,
  score: null,
  unsure: false,
  critique: null,
  annotatorId: 'ada',
  annotatorName: null,
  correctedOutput: null,
  criteria: null,
  partOf: null,
};

const OWN_ONLY = 'Without the scope `write`, only annotations of the caller can be changed (403).';

export function humanAnnotationRoutes({ read, write, now }: HumanAnnotationDeps): Route[] {
  const annotations = recordRoutes({
    path: '/v0/human-annotations',
    group: 'Human annotation',
    record: humanAnnotation,
    example: exampleAnnotation,
    now,
    scope: 'annotate',
  });
  return [
    annotations.create({
      operationId: 'createAnnotation',
      summary: 'Annotate a trace',
      description:
        'A person has one verdict on a trace for each criterion (`evalDefinitionId`; without one, for the complete trace): a second one replaces it and has its id. Without `verdict`, `score` and `unsure`, the `critique` is a note. With a `queueItemId` it completes that item: rejected with 409 if the item belongs to another trace or has expired, if the same person has already judged it by this criterion, and if it is reserved for others. A queue with criteria requires `criteria`.',
      body: createAnnotationBody,
      example: { body: judged },
      errors: ['not_found', 'conflict'],
      handler: ({ fields, ...args }, principal) => {
        const annotation = { ...fields, annotatorId: annotatorOf(principal, fields.annotatorId) };
        return write(createHumanAnnotation, {
          ...args,
          annotation,
          annotatedBy: principal.actor.id,
          partIds: (fields.criteria ?? []).map(() => randomUUID()),
          reviewId: randomUUID(),
        });
      },
    }),
    annotations.list({
      operationId: 'listAnnotations',
      summary: 'List human annotations',
      query: annotationsQuery,
      handler: (args, principal) => read(listHumanAnnotations, { ...args, seenBy: seenBy(principal, now()) }),
    }),
    annotations.get({
      operationId: 'getAnnotation',
      summary: 'Get a human annotation',
      handler: (args) => read(getHumanAnnotation, args),
    }),
    annotations.update({
      operationId: 'updateAnnotation',
      summary: 'Update the verdict, critique or corrected output of a human annotation',
      description: OWN_ONLY,
      body: updateAnnotationBody,
      example: { verdict: true },
      errors: ['conflict'],
      handler: (args, principal) =>
        write(updateHumanAnnotation, { ...args, annotatorId: onlyAnnotator(principal) }),
    }),
    annotations.remove({
      operationId: 'deleteAnnotation',
      summary: 'Delete a human annotation',
      description: `Within ten minutes of a review, its person can undo it so: the queue item then waits for them again. Later, the item stays completed, and a review of a blind queue cannot be deleted (409). Its parts are deleted with it. ${OWN_ONLY}`,
      errors: ['conflict'],
      handler: (args, principal) =>
        write(deleteHumanAnnotation, { ...args, annotatorId: onlyAnnotator(principal) }),
    }),
  ];
}

/**
 * Returns the annotator of a new annotation: the caller, unless a key with the scope `write` names someone who has no account.
 * Throws `forbidden`.
 */
function annotatorOf({ actor, scopes }: Principal, given: string | undefined): string {
  if (actor.type === 'user' || given === undefined || given === actor.id) return actor.id;
  if (scopes.has('write')) return given;
  throw new AppError(
    'forbidden',
    'An API key annotates as itself; only one with the scope "write" may name annotators',
  );
}

/** Returns the annotator whose annotations the caller may change; null if those of everybody. */
const onlyAnnotator = ({ scopes, actor }: Principal): string | null =>
  scopes.has('write') ? null : actor.id;
