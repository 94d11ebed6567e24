import { invalid } from '../../contract/errors.ts';
import { AppError } from '../../errors.ts';
import { createdWithin, oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { inForm } from '../../contract/text-forms.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { unindexed } from '../../storage/dialect.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';
import {
  changeReview,
  type ItemOfQueue,
  openReview,
  recordReview,
  undoReview,
} from '../human-annotation-queue-items/reviews.ts';
import type { ReviewVerdict } from '../human-annotation-queue-items/contract.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import { ofTraces, requireTrace } from '../traces/trace-reference.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import {
  type AnnotationsQuery,
  type GivenJudgement,
  type HumanAnnotation,
  type NewAnnotation,
} from './contract.ts';
import { type Judgement, judgementIssues, reviewVerdictOf, withOverall } from './judgement.ts';
import { forgetAsked, keepAsked, keepDeletedVerdicts } from './deleted-verdicts.ts';
import { annotations } from './record.ts';
import { withVerdict } from './scale.ts';

/** Characters without a width. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

interface CreateAnnotation extends ById {
  annotation: NewAnnotation;
  /** Id of the user or the key that makes the call. */
  annotatedBy: string;
  /** Ids of the annotations by the criteria of the review. */
  partIds: readonly string[];
  /** Id of the review that the annotation makes. */
  reviewId: string;
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

/** Adds the name of the user who judged to each annotation. */
function withNames<T extends { annotatorId: string }>(
  database: Database,
  found: readonly T[],
): (T & { annotatorName: string | null })[] {
  const ids = new Set(found.map(({ annotatorId }) => annotatorId));
  const names = new Map(
    ids.values().map((id) => {
      const user = database.get<{ name: string }>('SELECT name FROM user_account WHERE id = :id', { id });
      return [id, user?.name ?? null] as const;
    }),
  );
  return found.map((one) => ({ ...one, annotatorName: names.get(one.annotatorId) ?? null }));
}

const getAnnotation = (database: Database, of: ById): HumanAnnotation =>
  withNames(database, [annotations.get(database, of)])[0] as HumanAnnotation;

/** Person, trace and criterion of a verdict; each has one verdict at most. */
interface VerdictKey {
  application: number;
  traceId: Uint8Array;
  annotatorId: string;
  evalDefinitionId: string | null;
}

/** Returns the id of the verdict of a person on a trace by a criterion; undefined if there is none. Notes are no verdicts. */
const findVerdict = (database: Database, key: VerdictKey): string | undefined =>
  database.get<{ id: string }>(
    `SELECT id FROM human_annotation
     WHERE application = :application AND trace_id = :traceId AND annotator_id = :annotatorId
       AND eval_definition_id IS NOT DISTINCT FROM :evalDefinitionId AND (verdict IS NOT NULL OR unsure = 1)
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    { ...key },
  )?.id;

const criterionParts = annotations.pick('evalDefinitionId');

/** Most annotations by the criteria of one review. */
const MAX_PARTS = 100;

const isVerdict = ({ verdict, unsure }: Judgement): boolean => verdict !== null || unsure;

/** Returns a judgement with its verdict, after all checks. Throws `not_found` and `invalid`. */
function checked<J extends Judgement>(
  database: Database,
  of: { application: number; evalDefinitionId: string | null },
  given: J,
): J {
  const { judgement, issues } = withVerdict(database, of, given);
  const faults = [...issues, ...judgementIssues(judgement)];
  if (faults.length > 0) throw invalid(faults);
  return judgement;
}

/**
 * Creates an annotation and completes its queue item; a verdict replaces the earlier one of the same person on the same trace
 * and criterion. Throws `not_found`, `forbidden`, `invalid` and `conflict`.
 */
function createAnnotation(
  database: Database,
  { owner, id, annotation: given, annotatedBy, partIds, reviewId, at }: CreateAnnotation,
): HumanAnnotation {
  const { application } = owner;
  const { queueItemId, annotatorId, evalDefinitionId, leaseToken } = given;
  if (annotatorId !== annotatedBy) requireNoAccount(database, { application, annotatorId });
  const traceId = requireTrace(database, application, given.traceId);
  const fields = checked(database, { application, evalDefinitionId }, withOverall(given));
  const key = { application, traceId, annotatorId };
  const earlier = isVerdict(fields) ? findVerdict(database, { ...key, evalDefinitionId }) : undefined;
  const found =
    queueItemId === null
      ? null
      : openReview(database, {
          application,
          itemId: queueItemId,
          traceId,
          person: annotatorId,
          leaseToken,
          earlier,
          at,
        });
  if (found !== null) requireCriteria(found.queue, fields.criteria);
  const annotationId = earlier ?? id;
  save(database, { application, at, earlier }, { ...fields, id: annotationId, traceId, partOf: null });
  if (found !== null) {
    const parts = { ...key, found, fields, annotationId, partIds, at };
    const verdicts = saveParts(database, parts);
    recordReview(database, { application, found, person: annotatorId, reviewId, annotationId, verdicts, at });
  }
  return getAnnotation(database, { owner, id: annotationId });
}

type SavedAnnotation = Parameters<typeof annotations.insert>[2];

function save(
  database: Database,
  { earlier, ...when }: { application: number; at: number; earlier: string | undefined },
  fields: SavedAnnotation,
): void {
  if (earlier === undefined) annotations.insert(database, when, fields);
  else annotations.update(database, { ...when, id: earlier }, fields);
}

/** Throws `invalid` unless a review has a verdict by each criterion of its queue. */
function requireCriteria({ criteria }: ItemOfQueue['queue'], given: NewAnnotation['criteria']): void {
  const [wanted, judged] = [criteria, given ?? []].map((all) =>
    all.map((one) => ('criterionId' in one ? one.criterionId : one.id)).toSorted(),
  );
  if (JSON.stringify(wanted) === JSON.stringify(judged)) return;
  const message =
    criteria.length === 0
      ? 'is allowed only for a queue with criteria'
      : `must have one verdict by each of ${criteria.map(({ id }) => `\`${id}\``).join(', ')}`;
  throw invalid([{ code: 'custom', message, path: ['criteria'] }]);
}

/**
 * Stores the verdicts by the criteria that name an evaluator as annotations of their own, which show how far it agrees with people.
 * Returns all verdicts of the review, by criterion.
 */
function saveParts(
  database: Database,
  {
    application,
    traceId,
    annotatorId,
    found: { queue },
    fields,
    annotationId,
    partIds,
    at,
  }: {
    application: number;
    traceId: Uint8Array;
    annotatorId: string;
    found: ItemOfQueue;
    fields: NewAnnotation;
    annotationId: string;
    partIds: readonly string[];
    at: number;
  },
): Record<string, ReviewVerdict> {
  const overall = reviewVerdictOf(fields);
  if (fields.criteria === null)
    return overall === null ? {} : { [fields.evalDefinitionId ?? 'overall']: overall };
  const verdicts: Record<string, ReviewVerdict> = {};
  for (const [place, { criterionId, verdict }] of fields.criteria.entries()) {
    verdicts[criterionId] = verdict;
    const evalDefinitionId = queue.criteria.find(({ id }) => id === criterionId)?.evalDefinitionId ?? null;
    if (evalDefinitionId === null) continue;
    const earlier = findVerdict(database, { application, traceId, annotatorId, evalDefinitionId });
    const { source, queueItemId } = fields;
    save(
      database,
      { application, at, earlier },
      {
        id: earlier ?? (partIds[place] as string),
        traceId,
        annotatorId,
        source,
        queueItemId,
        evalDefinitionId,
        partOf: annotationId,
        verdict: verdict === 'UNSURE' ? null : verdict === 'PASS',
        unsure: verdict === 'UNSURE',
        score: null,
        critique: null,
        correctedOutput: null,
        criteria: null,
      },
    );
  }
  return verdicts;
}

/** Throws `not_found`, and `forbidden` unless everybody's or this annotator's annotation may be changed. */
function requireOwn(
  database: Database,
  { owner, id, annotatorId }: ById & { annotatorId: string | null },
): HumanAnnotation {
  const annotation = getAnnotation(database, { owner, id });
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
  const { application } = owner;
  const before = requireOwn(database, { owner, id, annotatorId });
  const { evalDefinitionId } = before;
  // A new score without a verdict, and the other way round, replaces both.
  const replaced = given.score !== undefined || given.verdict !== undefined || given.unsure === true;
  const kept: Judgement = replaced ? { ...before, score: null, verdict: null, unsure: false } : before;
  const changed = checked(database, { application, evalDefinitionId }, applyPatch(kept, given));
  if (isVerdict(changed) && !isVerdict(before)) {
    const traceId = requireTrace(database, application, before.traceId);
    const key = { application, traceId, annotatorId: before.annotatorId, evalDefinitionId };
    if (findVerdict(database, key) !== undefined)
      throw new AppError('conflict', 'The annotator has another verdict on this trace and criterion');
  }
  const { verdict, score, unsure } = changed;
  const isChanged = reviewVerdictOf(changed) !== reviewVerdictOf(before);
  if (isChanged && (before.criteria !== null || before.partOf !== null))
    throw new AppError('conflict', 'The verdict follows from the criteria; undo the review and judge again');
  if (isVerdict(before)) keepAskedOf(database, application, before);
  annotations.update(database, { application, id, at }, { ...given, verdict, score, unsure });
  const review = reviewVerdictOf(changed);
  if (isChanged && before.queueItemId !== null && review !== null)
    changeReview(database, {
      application,
      itemId: before.queueItemId,
      person: before.annotatorId,
      verdicts: { [evalDefinitionId ?? 'overall']: review },
      at,
    });
  return getAnnotation(database, { owner, id });
}

function keepAskedOf(
  database: Database,
  application: number,
  { traceId, evalDefinitionId }: Pick<HumanAnnotation, 'traceId' | 'evalDefinitionId'>,
): void {
  const stored = findStoredTrace(database, application, traceIdCandidates(traceId));
  if (stored) keepAsked(database, { application, traceId: stored.traceId, evalDefinitionId });
}

function deleteAnnotation(
  database: Database,
  { owner, id, annotatorId, at }: ById & { annotatorId: string | null; at: number },
): void {
  const { application } = owner;
  const annotation = requireOwn(database, { owner, id, annotatorId });
  const { queueItemId: itemId, annotatorId: person, traceId } = annotation;
  if (annotation.partOf !== null)
    throw new AppError('conflict', `The annotation is a part of ${annotation.partOf}; delete that one`);
  if (itemId !== null) undoReview(database, { application, itemId, annotationId: id, person, at });
  if (isVerdict(annotation)) keepAskedOf(database, application, annotation);
  for (const { evalDefinitionId } of criterionParts.all(database, application, 'part_of = :id', { id }))
    keepAskedOf(database, application, { traceId, evalDefinitionId });
  annotations.deleteSome(database, application, 'part_of = :id', { id, limit: MAX_PARTS });
  annotations.delete(database, { application, id });
}

/** Deletes some annotations of a trace; returns how many. */
const purgeAnnotations = (
  database: Database,
  { application, ...some }: { application: number; traceId: Uint8Array; limit: number },
): number => annotations.deleteSome(database, application, 'trace_id = :traceId', some);

function listAnnotations(
  database: Database,
  { owner, query, seenBy }: { owner: Owner; query: AnnotationsQuery; seenBy: SeenBy },
): ListOf<HumanAnnotation> {
  const where = conditions(query);
  const { application } = owner;
  const shown = query.verdict === undefined ? null : shownTo(database, { application, ...seenBy });
  if (shown) {
    const { sql, values } = shown.trace('human_annotation.trace_id');
    where.push({ sql: `(annotator_id = ? OR ${sql})`, values: [seenBy.reviewer.id, ...values] });
  }
  const { data, pagination } = annotations.list(database, owner, { where, page: query });
  return { data: withNames(database, data), pagination };
}

function conditions(query: AnnotationsQuery): SqlFragment[] {
  const { traceId, verdict, annotatorId, source, queueItemId, evalDefinitionId, orderBy } = query;
  const where = oneOfEach({
    annotator_id: annotatorId,
    source,
    queue_item_id: queueItemId,
    // The plus keeps SQLite on the index of the order, which has this column too.
    [unindexed('eval_definition_id')]: evalDefinitionId,
  });
  if (traceId) where.push(ofTraces(traceId));
  if (verdict !== undefined) where.push({ sql: 'verdict = ?', values: [Number(verdict)] });
  // The plus keeps SQLite on the index of the order, which has this column too.
  return [...where, ...createdWithin(query, orderBy === 'createdAt' ? 'created_at' : '+created_at')];
}

export const humanAnnotationCommands = {
  createHumanAnnotation: createAnnotation,
  updateHumanAnnotation: ifUnchanged(annotations, updateAnnotation),
  deleteHumanAnnotation: deleteAnnotation,
  forgetAskedCriteria: forgetAsked,
};
export const humanAnnotationQueries = {
  getHumanAnnotation: getAnnotation,
  listHumanAnnotations: listAnnotations,
};
export const humanAnnotationHooks = {
  beforeTraceDeleted: [keepDeletedVerdicts],
  purgeRows: [purgeAnnotations],
} satisfies Partial<TraceHooks>;
