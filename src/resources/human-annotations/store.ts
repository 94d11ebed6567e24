import { invalid } from '../../contract/errors.ts';
import { AppError } from '../../errors.ts';
import { createdWithin, oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { inForm } from '../../contract/text-forms.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { completeQueueItem } from '../human-annotation-queue-items/store.ts';
import { ofTraces, requireTrace } from '../traces/trace-reference.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import {
  type AnnotationsQuery,
  type GivenJudgement,
  type HumanAnnotation,
  isExplained,
  type Judgement,
  type NewAnnotation,
  UNEXPLAINED,
} from './contract.ts';
import { annotations } from './record.ts';

/** Characters without a width. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

interface CreateAnnotation extends ById {
  annotation: NewAnnotation;
  /** Id of the user or the key that makes the call. */
  annotatedBy: string;
  at: number;
}

/**
 * Throws `forbidden` if an annotator named by someone else has an account. Ids of accounts and keys are random, so they are
 * compared with those of all applications; email addresses can be guessed, so only those that the application may
 * know are: of its members, and of people whom it has invited.
 */
function requireNoAccount(
  database: Database,
  { application, annotatorId }: { application: number; annotatorId: string },
): void {
  const shown = asShown(annotatorId);
  const found = database.get(
    `SELECT 1 FROM membership m JOIN user_account u ON u.id = m.user_id
     WHERE m.application = :application AND u.email = :lower
     UNION ALL SELECT 1 FROM invitation WHERE application = :application AND email = :lower
     UNION ALL SELECT 1 FROM user_account WHERE id = :lower
     UNION ALL SELECT 1 FROM api_key WHERE key_id = :shown LIMIT 1`,
    { application, shown, lower: shown.toLowerCase() },
  );
  if (found)
    throw new AppError(
      'forbidden',
      '`annotatorId` names a user or another API key; whoever has an account annotates with it',
    );
}

/** Returns a text as people see it: full-width letters and characters without a width would make another of the same address. */
const asShown = (text: string): string => inForm(text, 'NFKC').replaceAll(INVISIBLE, '').trim();

/** Creates an annotation and completes its queue item. Throws `not_found` and `conflict`. */
function createAnnotation(
  database: Database,
  { owner, id, annotation, annotatedBy, at }: CreateAnnotation,
): HumanAnnotation {
  const { application } = owner;
  const { queueItemId, annotatorId } = annotation;
  if (annotatorId !== annotatedBy) requireNoAccount(database, { application, annotatorId });
  const traceId = requireTrace(database, application, annotation.traceId);
  if (queueItemId !== null) completeQueueItem(database, { application, id: queueItemId, traceId, at });
  annotations.insert(database, { application, at }, { ...annotation, id, traceId });
  return annotations.get(database, { owner, id });
}

/** Throws `not_found`, and `forbidden` unless everybody's or this annotator's annotation may be changed. */
function requireOwn(
  database: Database,
  { owner, id, annotatorId }: ById & { annotatorId: string | null },
): HumanAnnotation {
  const annotation = annotations.get(database, { owner, id });
  if (annotatorId !== null && annotation.annotatorId !== annotatorId)
    throw new AppError('forbidden', 'The annotation is of another annotator; the scope "write" is needed');
  return annotation;
}

/** Throws `not_found`, `forbidden` and `invalid`. */
function updateAnnotation(
  database: Database,
  {
    owner,
    id,
    annotatorId,
    given,
    at,
  }: ById & {
    annotatorId: string | null;
    given: GivenJudgement;
    at: number;
  },
): HumanAnnotation {
  const judgement = applyPatch<Judgement>(requireOwn(database, { owner, id, annotatorId }), given);
  if (!isExplained(judgement)) throw invalid([UNEXPLAINED]);
  annotations.update(database, { application: owner.application, id, at }, given);
  return annotations.get(database, { owner, id });
}

function deleteAnnotation(
  database: Database,
  { owner, id, annotatorId }: ById & { annotatorId: string | null },
): void {
  requireOwn(database, { owner, id, annotatorId });
  // The queue item that it completed stays completed.
  annotations.delete(database, { application: owner.application, id });
}

/** Deletes some annotations of a trace; returns how many. */
const purgeAnnotations = (
  database: Database,
  { application, ...some }: { application: number; traceId: Uint8Array; limit: number },
): number => annotations.deleteSome(database, application, 'trace_id = :traceId', some);

function listAnnotations(
  database: Database,
  { owner, query }: { owner: Owner; query: AnnotationsQuery },
): ListOf<HumanAnnotation> {
  return annotations.list(database, owner, { where: conditions(query), page: query });
}

function conditions(query: AnnotationsQuery): SqlFragment[] {
  const { traceId, verdict, annotatorId, source, queueItemId, orderBy } = query;
  const where = oneOfEach({ annotator_id: annotatorId, source, queue_item_id: queueItemId });
  if (traceId) where.push(ofTraces(traceId));
  if (verdict !== undefined) where.push({ sql: 'verdict = ?', values: [Number(verdict)] });
  // The plus keeps SQLite on the index of the order, which has this column too.
  return [...where, ...createdWithin(query, orderBy === 'createdAt' ? 'created_at' : '+created_at')];
}

export const humanAnnotationCommands = {
  createHumanAnnotation: createAnnotation,
  updateHumanAnnotation: ifUnchanged(annotations, updateAnnotation),
  deleteHumanAnnotation: deleteAnnotation,
};
export const humanAnnotationQueries = {
  getHumanAnnotation: annotations.get,
  listHumanAnnotations: listAnnotations,
};
export const humanAnnotationHooks = { purgeRows: [purgeAnnotations] } satisfies Partial<TraceHooks>;
