import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { queues } from '../human-annotation-queues/record.ts';
import { UNDO_MS } from '../../traces/withheld/store.ts';
import { hasCompletion } from './completion.ts';
import type { ReviewVerdict } from './contract.ts';
import { queueItemRows, queueItems, reviews } from './record.ts';
import type { FieldsOf } from '../../storage/record.ts';

export type ReviewQueue = FieldsOf<typeof queues>;

interface OfItem {
  application: number;
  itemId: string;
}

const itemTimes = queueItemRows.pick('id', 'queueId', 'completedAt', 'expiresAt', 'isDisputed', 'reviews');

/** Item of a queue, with its queue. */
export interface ItemOfQueue {
  item: { id: string; queueId: string; traceId: Uint8Array; completedAt: number | null; expiresAt: number };
  queue: ReviewQueue;
  isDisputed: boolean;
}

/** Returns an item with its queue. Throws `not_found`. */
export function requireItem(database: Database, { application, itemId }: OfItem): ItemOfQueue {
  const row = database.get<ItemOfQueue['item'] & { isDisputed: number }>(
    `SELECT id, queue_id AS "queueId", trace_id AS "traceId", completed_at AS "completedAt",
       expires_at AS "expiresAt", is_disputed AS "isDisputed"
     FROM annotation_queue_item WHERE application = :application AND id = :itemId`,
    { application, itemId },
  );
  if (!row) throw new AppError('not_found', 'queue item not found');
  const { isDisputed, ...item } = row;
  return { item, queue: queues.require(database, application, item.queueId), isDisputed: isDisputed === 1 };
}

/** Reports whether any one verdict completes the items of a queue. */
const isPlain = ({ isBlind, criteria, reviewsPerItem }: ReviewQueue): boolean =>
  !isBlind && criteria.length === 0 && reviewsPerItem === 1;

/** Returns the number of people who have to judge an item. */
export const neededReviews = (
  { reviewsPerItem, disagreement }: Pick<ReviewQueue, 'reviewsPerItem' | 'disagreement'>,
  isDisputed: boolean,
): number => reviewsPerItem + (isDisputed && disagreement === 'THIRD' ? 1 : 0);

/** Throws `forbidden` unless a person may review the items of a queue. */
export function requireReviewer(database: Database, { reviewerIds }: ReviewQueue, person: string): void {
  if (reviewerIds.length === 0 || reviewerIds.includes(person)) return;
  const names = namesOf(database, reviewerIds);
  const shown = reviewerIds.slice(0, 5).map((id) => names.get(id) ?? id);
  const more = reviewerIds.length > shown.length ? ` and ${reviewerIds.length - shown.length} more` : '';
  throw new AppError(
    'forbidden',
    `Only reviewers of this queue may review its items: ${shown.join(', ')}${more}`,
  );
}

/** Returns the names of the users with these ids. */
export const namesOf = (database: Database, ids: readonly string[]): Map<string, string> =>
  new Map(
    [...new Set(ids)].flatMap((id): [string, string][] => {
      const user = database.get<{ name: string }>('SELECT name FROM user_account WHERE id = :id', { id });
      return user ? [[id, user.name]] : [];
    }),
  );

/** Returns what a person has to do with an item. */
export const findReview = (
  database: Database,
  { application, itemId, person }: OfItem & { person: string },
) => reviews.all(database, application, 'item_id = :itemId AND person = :person', { itemId, person })[0];

/** Counts the other people who have judged an item, or for whom it is reserved. */
export const countOthers = (
  database: Database,
  { application, itemId, person, at }: OfItem & { person: string; at: number },
): number =>
  database.get<{ n: number }>(
    `SELECT count(*) AS n FROM annotation_review
     WHERE application = :application AND item_id = :itemId AND person <> :person
       AND (state = 'JUDGED' OR state = 'LEASED' AND expires_at > :at)`,
    { application, itemId, person, at },
  )?.n ?? 0;

export interface OpenReview extends OfItem {
  traceId: Uint8Array;
  person: string;
  /** Token of the lease under which the person judges; null without one. */
  leaseToken: string | null;
  /** Id of an earlier verdict of the person on the trace and criterion. */
  earlier: string | undefined;
  at: number;
}

/**
 * Returns the queue of an item that a person may judge now. In a queue whose items one verdict completes, a completed item may be judged by
 * other people and by other criteria too. Throws `not_found`, `forbidden` and `conflict`.
 */
export function openReview(
  database: Database,
  { application, itemId, traceId, person, leaseToken, earlier, at }: OpenReview,
): ItemOfQueue {
  const found = requireItem(database, { application, itemId });
  const { item, queue, isDisputed } = found;
  if (!Buffer.from(item.traceId).equals(traceId))
    throw new AppError('conflict', 'The queue item belongs to another trace');
  requireReviewer(database, queue, person);
  const mine = findReview(database, { application, itemId, person });
  if (mine?.state === 'EXCLUDED')
    throw new AppError('conflict', 'You have seen the verdicts on this item and cannot review it any more');
  if (mine?.state === 'JUDGED' && !isPlain(queue))
    throw new AppError(
      'conflict',
      `You have already reviewed this item: annotation ${mine.annotationId ?? ''}`,
    );
  if (leaseToken !== null && (mine?.state !== 'LEASED' || mine.token !== leaseToken))
    throw new AppError('conflict', 'The reservation of the queue item is lost');
  if (isPlain(queue) && earlier === undefined && hasCompletion(item, 'COMPLETED', at)) return found;
  if (!hasCompletion(item, 'PENDING', at)) {
    const state = hasCompletion(item, 'COMPLETED', at) ? 'already completed' : 'expired';
    throw new AppError('conflict', `The queue item is ${state}`);
  }
  if (countOthers(database, { application, itemId, person, at }) >= neededReviews(queue, isDisputed))
    throw new AppError('conflict', 'Other reviewers have reserved the queue item');
  return found;
}

/** Records what a person has judged, and settles the item when that was the last review it needs. */
export function recordReview(
  database: Database,
  {
    application,
    found: { item, queue },
    person,
    reviewId,
    annotationId,
    verdicts,
    at,
  }: {
    application: number;
    found: ItemOfQueue;
    person: string;
    /** Id of the review if it is new. */
    reviewId: string;
    annotationId: string;
    /** Verdict by criterion; empty for a note. */
    verdicts: Readonly<Record<string, ReviewVerdict>>;
    at: number;
  },
): void {
  const itemId = item.id;
  const mine = findReview(database, { application, itemId, person });
  const judged = {
    state: 'JUDGED' as const,
    endedAt: at,
    expiresAt: null,
    annotationId: mine?.annotationId ?? annotationId,
    verdicts: { ...mine?.verdicts, ...verdicts },
  };
  if (mine) reviews.update(database, { application, id: mine.id, at }, judged);
  else {
    const { queueId, traceId } = item;
    const row = { id: reviewId, itemId, queueId, traceId, person, startedAt: at, ...judged };
    reviews.insert(database, { application, at }, row);
  }
  settleItem(database, { application, itemId, queue, at });
}

/** Replaces the verdicts of a review that its person has changed. */
export function changeReview(
  database: Database,
  {
    application,
    itemId,
    person,
    verdicts,
    at,
  }: OfItem & {
    person: string;
    verdicts: Readonly<Record<string, ReviewVerdict>>;
    at: number;
  },
): void {
  const mine = findReview(database, { application, itemId, person });
  if (mine?.state !== 'JUDGED') return;
  reviews.update(database, { application, id: mine.id, at }, { verdicts: { ...mine.verdicts, ...verdicts } });
  const { queue } = requireItem(database, { application, itemId });
  settleItem(database, { application, itemId, queue, at });
}

/**
 * Undoes a review: the item waits for the person again. Does nothing for an annotation that is no review, and for a review
 * that is too old to be undone. Throws `conflict` for an old one of a blind queue, whose verdicts the person may have seen.
 */
export function undoReview(
  database: Database,
  {
    application,
    itemId,
    annotationId,
    person,
    at,
  }: OfItem & { annotationId: string; person: string; at: number },
): void {
  const mine = findReview(database, { application, itemId, person });
  if (mine?.state !== 'JUDGED' || mine.annotationId !== annotationId) return;
  const { queue } = requireItem(database, { application, itemId });
  if ((mine.endedAt ?? 0) + UNDO_MS <= at) {
    if (queue.isBlind) throw new AppError('conflict', 'A review can be undone for ten minutes only');
    return;
  }
  reviews.delete(database, { application, id: mine.id });
  settleItem(database, { application, itemId, queue, at });
}

/** Computes from its reviews whether an item is disputed and completed. */
function settleItem(
  database: Database,
  { application, itemId, queue, at }: OfItem & { queue: ReviewQueue; at: number },
): void {
  const judged = reviews.all(database, application, "item_id = :itemId AND state = 'JUDGED'", { itemId });
  const [before] = itemTimes.all(database, application, 'id = :itemId', { itemId });
  if (!before) return;
  const isDisputed = judged.length >= 2 && differ(judged.map(({ verdicts }) => verdicts ?? {}));
  const isSettled = judged.length > 0 && judged.length >= neededReviews(queue, isDisputed);
  const completedAt = before.completedAt === null ? at : Date.parse(before.completedAt);
  queueItems.update(
    database,
    { application, id: itemId, at },
    {
      reviews: judged.length,
      isDisputed,
      completedAt: isSettled ? completedAt : null,
      leasedUntil: leasedUntil(database, { application, itemId }),
    },
  );
}

/** Returns the end of the last reservation of an item; null without one. */
export const leasedUntil = (database: Database, { application, itemId }: OfItem): number | null =>
  database.get<{ until: number | null }>(
    `SELECT max(expires_at) AS until FROM annotation_review
     WHERE application = :application AND item_id = :itemId AND state = 'LEASED'`,
    { application, itemId },
  )?.until ?? null;

/** Reports whether two people differ on a criterion. */
function differ(all: readonly Readonly<Record<string, ReviewVerdict>>[]): boolean {
  const given = new Map<string, ReviewVerdict>();
  return all.some((verdicts) =>
    Object.entries(verdicts).some(([criterion, verdict]) => {
      const other = given.get(criterion);
      given.set(criterion, verdict);
      return other !== undefined && other !== verdict;
    }),
  );
}
