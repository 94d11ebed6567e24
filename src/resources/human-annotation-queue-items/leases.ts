import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { owned } from '../../storage/record.ts';
import { queues } from '../human-annotation-queues/record.ts';
import type { QueueItem } from './contract.ts';
import { shownItem } from './item-status.ts';
import { queueItems, reviews } from './record.ts';
import {
  countOthers,
  findReview,
  leasedUntil,
  neededReviews,
  requireItem,
  requireReviewer,
  type ReviewQueue,
} from './reviews.ts';

const LEASE_MS = 10 * 60_000;
/** Most items that are reserved for one person: the one on screen, and the next. */
const MAX_LEASES = 2;

/** Reservation of an item for a person. */
export interface LeasedItem {
  item: QueueItem;
  /** The 16 bytes of the trace. */
  traceId: Uint8Array;
  lease: { token: string; expiresAt: number };
  /** Documents that are shown beside the item. */
  documentIds: readonly string[];
}

interface OfPerson {
  owner: Owner;
  person: string;
  at: number;
}

/** Conditions of the items of a queue that a person can review now; `needed` is the number of reviews of an undisputed item. */
const AVAILABLE = `annotation_queue_item.application = :application AND annotation_queue_item.queue_id = :queueId
  AND completed_at IS NULL AND annotation_queue_item.expires_at > :at
  AND NOT EXISTS (SELECT 1 FROM annotation_review AS mine
    WHERE mine.application = :application AND mine.item_id = annotation_queue_item.id AND mine.person = :person
      AND mine.state IN ('JUDGED', 'UNCLEAR', 'EXCLUDED'))
  AND (SELECT count(*) FROM annotation_review AS other
    WHERE other.application = :application AND other.item_id = annotation_queue_item.id AND other.person <> :person
      AND (other.state = 'JUDGED' OR other.state = 'LEASED' AND other.expires_at > :at))
    < :needed + is_disputed * :more`;

const skippedAt = `(SELECT ended_at FROM annotation_review AS mine WHERE mine.application = :application
  AND mine.item_id = annotation_queue_item.id AND mine.person = :person AND mine.state = 'SKIPPED')`;

const ofQueue = (queue: ReviewQueue) => ({
  needed: queue.reviewsPerItem,
  more: neededReviews(queue, true) - queue.reviewsPerItem,
});

/** Counts the items of a queue that a person can review now. */
export function countAvailable(
  database: Database,
  { application, queue, person, at }: { application: number; queue: ReviewQueue; person: string; at: number },
): number {
  if (queue.reviewerIds.length > 0 && !queue.reviewerIds.includes(person)) return 0;
  const values = { application, queueId: queue.id, person, at, ...ofQueue(queue) };
  return (
    database.get<{ n: number }>(`SELECT count(*) AS n FROM annotation_queue_item WHERE ${AVAILABLE}`, values)
      ?.n ?? 0
  );
}

/**
 * Reserves the next item of a queue for a person: one that is reserved for them already (with `prefetch`: one more), else a
 * disputed one, one that others have judged, any other in the order of the draws, and at last one that they have skipped.
 * Returns null when nothing is left. Throws `not_found` and `forbidden`.
 */
function leaseNextItem(
  database: Database,
  {
    owner,
    queueId,
    person,
    prefetch,
    itemId,
    token,
    id,
    at,
  }: OfPerson & { queueId: string; prefetch: boolean; itemId: string | null; token: string; id: string },
): LeasedItem | null {
  const { application } = owner;
  const queue = queues.require(database, application, queueId);
  requireReviewer(database, queue, person);
  if (itemId !== null) requireItem(database, { application, itemId });
  const held = reviews.all(
    database,
    application,
    "person = :person AND state = 'LEASED' AND expires_at > :at ORDER BY started_at, id",
    { person, at },
  );
  const here = held.filter((review) => review.queueId === queueId);
  const again = itemId === null ? here[prefetch ? 1 : 0] : here.find((review) => review.itemId === itemId);
  const values = { application, queueId, person, at, ...ofQueue(queue) };
  const wanted = again?.itemId ?? itemId;
  const next = database.get<{ id: string }>(
    wanted === null
      ? `SELECT id FROM annotation_queue_item WHERE ${AVAILABLE} AND ${NOT_HELD}
         ORDER BY is_disputed DESC, reviews DESC, ${skippedAt} IS NOT NULL, ${skippedAt},
           created_at, coalesce(place, 0), id LIMIT 1`
      : `SELECT id FROM annotation_queue_item WHERE ${AVAILABLE} AND id = :wanted`,
    wanted === null ? values : { ...values, wanted },
  );
  if (!next) {
    if (itemId !== null) throw new AppError('conflict', 'The queue item cannot be reserved for you');
    return null;
  }
  const kept = held.filter((review) => review.itemId !== next.id);
  for (const review of kept.slice(0, Math.max(0, kept.length - MAX_LEASES + 1)))
    endLease(database, { application, review, at });
  return leaseItem(database, { owner, itemId: next.id, person, token, id, at });
}

const NOT_HELD = `annotation_queue_item.id NOT IN (SELECT item_id FROM annotation_review AS mine
  WHERE mine.application = :application AND mine.person = :person AND mine.state = 'LEASED' AND mine.expires_at > :at)`;

/** Reserves an item that the person may review. */
function leaseItem(
  database: Database,
  { owner, itemId, person, token, id, at }: OfPerson & { itemId: string; token: string; id: string },
): LeasedItem {
  const { application } = owner;
  const { item, queue } = requireItem(database, { application, itemId });
  const mine = findReview(database, { application, itemId, person });
  const isHeld = mine?.state === 'LEASED' && (mine.expiresAt ?? 0) > at;
  const expiresAt = at + LEASE_MS;
  const lease = { state: 'LEASED' as const, token: isHeld ? mine.token : token, expiresAt, endedAt: null };
  if (mine)
    reviews.update(
      database,
      { application, id: mine.id, at },
      { ...lease, ...(!isHeld && { startedAt: at }) },
    );
  else {
    const { queueId, traceId } = item;
    reviews.insert(
      database,
      { application, at },
      { id, itemId, queueId, traceId, person, startedAt: at, ...lease },
    );
  }
  queueItems.update(database, { application, id: itemId, at }, { leasedUntil: expiresAt });
  const row = queueItems.require(database, application, itemId);
  return {
    item: owned(shownItem(row, at), owner),
    traceId: item.traceId,
    lease: { token: lease.token ?? token, expiresAt },
    documentIds: queue.documentIds,
  };
}

/** Extends the reservation of an item. Throws `not_found`, and `conflict` when the reservation is lost. */
function renewItemLease(
  database: Database,
  { owner: { application }, itemId, person, token, at }: OfPerson & { itemId: string; token: string },
): { token: string; expiresAt: number } {
  const { item, queue, isDisputed } = requireItem(database, { application, itemId });
  const mine = findReview(database, { application, itemId, person });
  const isFree =
    item.completedAt === null &&
    countOthers(database, { application, itemId, person, at }) < neededReviews(queue, isDisputed);
  if (mine?.state !== 'LEASED' || mine.token !== token || !isFree)
    throw new AppError('conflict', 'The reservation of the queue item is lost');
  const expiresAt = at + LEASE_MS;
  reviews.update(database, { application, id: mine.id, at }, { expiresAt });
  queueItems.update(database, { application, id: itemId, at }, { leasedUntil: expiresAt });
  return { token, expiresAt };
}

/** Ends the reservation of an item by a person who does not judge it now (`SKIP`) or ever (`UNCLEAR`). Throws `not_found`. */
function releaseItemLease(
  database: Database,
  {
    owner: { application },
    itemId,
    person,
    reason,
    at,
  }: OfPerson & { itemId: string; reason: 'SKIP' | 'UNCLEAR' },
): void {
  requireItem(database, { application, itemId });
  const review = findReview(database, { application, itemId, person });
  if (review?.state !== 'LEASED') return;
  endLease(database, { application, review, at, state: reason === 'SKIP' ? 'SKIPPED' : 'UNCLEAR' });
}

function endLease(
  database: Database,
  {
    application,
    review,
    at,
    state,
  }: {
    application: number;
    review: { id: string; itemId: string };
    at: number;
    state?: 'SKIPPED' | 'UNCLEAR';
  },
): void {
  if (state === undefined) reviews.delete(database, { application, id: review.id });
  else {
    const ended = { state, endedAt: at, expiresAt: null, token: null };
    reviews.update(database, { application, id: review.id, at }, ended);
  }
  const { itemId } = review;
  const until = leasedUntil(database, { application, itemId });
  queueItems.update(database, { application, id: itemId, at }, { leasedUntil: until });
}

/**
 * Excludes a person from the review of an item, whose verdicts they may see from now on. Throws `not_found`, and `conflict` if
 * they have judged it.
 */
function unblindItem(
  database: Database,
  { owner: { application }, itemId, person, id, at }: OfPerson & { itemId: string; id: string },
): void {
  const { item } = requireItem(database, { application, itemId });
  const mine = findReview(database, { application, itemId, person });
  if (mine?.state === 'EXCLUDED') return;
  if (mine?.state === 'JUDGED')
    throw new AppError('conflict', 'You have reviewed this item; its verdicts are shown when it is settled');
  const excluded = { state: 'EXCLUDED' as const, endedAt: at, expiresAt: null, token: null };
  if (mine) {
    endLease(database, { application, review: mine, at, state: 'SKIPPED' });
    reviews.update(database, { application, id: mine.id, at }, excluded);
  } else {
    const { queueId, traceId } = item;
    reviews.insert(
      database,
      { application, at },
      { id, itemId, queueId, traceId, person, startedAt: at, ...excluded },
    );
  }
}

export const leaseCommands = { leaseNextItem, renewItemLease, releaseItemLease, unblindItem };
