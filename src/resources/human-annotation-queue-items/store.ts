import type { ListOf } from '../../contract/paging.ts';
import { oneOfEach } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import { owned } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, valuesOf } from '../../storage/dialect.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';
import { ofTraces, requireTrace } from '../traces/trace-reference.ts';
import { completionIn } from './completion.ts';
import type { NewQueueItem, QueueItem, QueueItemsQuery } from './contract.ts';
import { keepDeletedItems } from './deleted-items.ts';
import { type Draw, type DrawResult, drawTraces, isFree } from './draw.ts';
import { shownItem } from './item-status.ts';
import { leaseCommands } from './leases.ts';
import { draws, queueItemRows, queueItems, reviews } from './record.ts';
import { reviewContent } from './review-content.ts';
import { queues } from '../human-annotation-queues/record.ts';

const DAY_MS = 86_400_000;
const DEFAULT_LIFE_MS = 90 * DAY_MS;

const NEW_ITEM = { reviews: 0, isDisputed: false };

/**
 * Adds a trace to a queue. Throws `not_found` for the queue or the trace, and `conflict` when the trace is already
 * pending in the queue.
 */
function createQueueItem(
  database: Database,
  { owner, id, item, at }: ById & { item: NewQueueItem; at: number },
): QueueItem {
  const { application } = owner;
  const { queueId, selection } = item;
  queues.requireAll(database, application, [queueId]);
  const traceId = requireTrace(database, application, item.traceId);
  if (isPending(database, { application, queueId, traceId, at }))
    throw new AppError('conflict', 'The trace is already pending in this queue');
  const expiresAt = expiry(item, at);
  queueItems.insert(
    database,
    { application, at },
    { ...NEW_ITEM, id, queueId, traceId, selection, expiresAt },
  );
  return getQueueItem(database, { owner, id, now: at });
}

/** Reports whether a trace waits for a verdict in a queue. */
function isPending(
  database: Database,
  {
    application,
    queueId,
    traceId,
    at,
  }: { application: number; queueId: string; traceId: Uint8Array; at: number },
): boolean {
  const pending = completionIn(['PENDING'], at);
  const waiting = database.get(
    `SELECT 1 FROM annotation_queue_item ${byIndex('annotation_queue_item_by_trace')}
     WHERE application = ? AND trace_id = ? AND queue_id = ? AND ${pending.sql}`,
    application,
    traceId,
    queueId,
    ...pending.values,
  );
  return waiting !== undefined;
}

/**
 * Adds chosen traces to a queue. Returns for each whether it was added, waits in the queue already, or does not exist any more.
 * Throws `not_found` for the queue.
 */
function createChosenItems(
  database: Database,
  {
    owner: { application },
    queueId,
    traces,
    at,
  }: { owner: Owner; queueId: string; traces: readonly { id: string; traceId: string }[]; at: number },
): ('ADDED' | 'ALREADY' | 'NOT_FOUND')[] {
  queues.requireAll(database, application, [queueId]);
  return traces.map(({ id, traceId: given }) => {
    const traceId = findStoredTrace(database, application, traceIdCandidates(given))?.traceId;
    if (!traceId) return 'NOT_FOUND';
    if (isPending(database, { application, queueId, traceId, at })) return 'ALREADY';
    const expiresAt = at + DEFAULT_LIFE_MS;
    const fields = { ...NEW_ITEM, id, queueId, traceId, selection: 'MANUAL' as const, expiresAt };
    queueItems.insert(database, { application, at }, fields);
    return 'ADDED';
  });
}

export interface DrawnItems extends Omit<DrawResult, 'traces'> {
  draw: Draw;
  drawId: string;
  /** Traces in the order in which they were drawn. */
  drawn: readonly { id: string; traceId: Uint8Array; weight: number }[];
}

/**
 * Adds the traces of `drawTraces` to the queue, except those added in the meantime, whose items become random ones.
 * Throws `not_found`.
 */
function createDrawnItems(
  database: Database,
  { owner, items: drawing, at }: { owner: Owner; items: DrawnItems; at: number },
): QueueItem[] {
  const { application } = owner;
  const { draw, drawId, selection, drawn, population, offered } = drawing;
  const { queueId, evalDefinitionId, allowRepeats, expiresAt: _expiry, ...filter } = draw;
  queues.requireAll(database, application, [queueId]);
  const expiresAt = expiry(draw, at);
  const isRandom = selection === 'RANDOM';
  const ids = drawn
    .filter(({ traceId }) =>
      isFree(database, { application, queueId, selection, evalDefinitionId, allowRepeats, traceId }),
    )
    .map(({ id, traceId, weight }, place) => {
      const of = isRandom ? { drawnAt: at, place, weight, drawId, evalDefinitionId } : { drawId };
      const known = isRandom ? findActive(database, { application, queueId, traceId, at }) : undefined;
      if (known === undefined)
        queueItemRows.insert(
          database,
          { application, at },
          { ...NEW_ITEM, id, queueId, traceId, selection, expiresAt, ...of },
        );
      else queueItemRows.update(database, { application, id: known, at }, { selection, ...of });
      return known ?? id;
    });
  if (selection !== 'FAILED')
    draws.insert(
      database,
      { application, at },
      { id: drawId, queueId, evalDefinitionId, filter, population, offered, drawn: ids.length },
    );
  const items = queueItems.byIds(database, application, ids);
  return ids.flatMap((id) => items.get(id) ?? []).map((item) => owned(shownItem(item, at), owner));
}

/** Returns the id of the item of a trace that is in the queue, has not expired, and is of no random draw. */
function findActive(
  database: Database,
  {
    application,
    traceId,
    queueId,
    at,
  }: { application: number; traceId: Uint8Array; queueId: string; at: number },
): string | undefined {
  const { sql, values } = completionIn(['ACTIVE'], at);
  return database.get<{ id: string }>(
    `SELECT id FROM annotation_queue_item ${byIndex('annotation_queue_item_by_trace')}
     WHERE application = ? AND trace_id = ? AND queue_id = ? AND drawn_at IS NULL AND ${sql}
     ORDER BY completed_at IS NULL, created_at DESC, id LIMIT 1`,
    application,
    traceId,
    queueId,
    ...values,
  )?.id;
}

const expiry = ({ expiresAt }: { expiresAt?: string | undefined }, at: number): number =>
  expiresAt === undefined ? at + DEFAULT_LIFE_MS : Date.parse(expiresAt);

/** Returns an item. Throws `not_found`. */
const getQueueItem = (database: Database, { owner, id, now }: ById & { now: number }): QueueItem =>
  owned(shownItem(queueItems.require(database, owner.application, id), now), owner);

/** Deletes some reviews, or some items, of a trace; returns their number. */
const purgeQueueItems = (
  database: Database,
  { application, ...some }: { application: number; traceId: Uint8Array; limit: number },
): number =>
  reviews.deleteSome(database, application, 'trace_id = :traceId', some) ||
  queueItems.deleteSome(database, application, 'trace_id = :traceId', some);

/** Most rows that one command deletes. */
const STEP_ROWS = 500;

/** Deletes some reviews, items and draws of a queue; returns whether there may be more. */
const removeItemsOfQueue = (
  database: Database,
  { application, queueId }: { application: number; queueId: string },
): boolean =>
  [reviews, queueItems, draws].some(
    (of) =>
      of.deleteSome(database, application, 'queue_id = :queueId', { queueId, limit: STEP_ROWS }) ===
      STEP_ROWS,
  );

export interface ItemCounts {
  pendingCount: number;
  completedCount: number;
  /** Number of pending items that someone has judged or reserved. */
  begunCount: number;
  disputedCount: number;
}

/** Counts the items of each queue that has any. */
export function countQueueItems(
  database: Database,
  { application, queueIds, now }: { application: number; queueIds: readonly string[]; now: number },
): Map<string, ItemCounts> {
  const [pending, completed] = [completionIn(['PENDING'], now), completionIn(['COMPLETED'], now)];
  const rows = database.all<ItemCounts & { queueId: string }>(
    `SELECT queue_id AS queueId, sum(${pending.sql}) AS pendingCount, sum(${completed.sql}) AS completedCount,
       sum((completed_at IS NULL AND expires_at > ? AND (reviews > 0 OR coalesce(leased_until, 0) > ?))) AS begunCount,
       sum((completed_at IS NULL AND expires_at > ? AND is_disputed = 1)) AS disputedCount
     FROM annotation_queue_item WHERE application = ? AND queue_id IN ${valuesOf('?')}
     GROUP BY queue_id`,
    ...pending.values,
    ...completed.values,
    now,
    now,
    now,
    application,
    JSON.stringify(queueIds),
  );
  return new Map(rows.map(({ queueId, ...counts }) => [queueId, counts]));
}

// Items that are not completed are last in both directions.
const ORDER = { completedAt: 'completed_at IS NULL, completed_at' };

function listQueueItems(
  database: Database,
  { owner, query, now }: { owner: Owner; query: QueueItemsQuery; now: number },
): ListOf<QueueItem> {
  const { queueId, completion, traceId, ...page } = query;
  const where = oneOfEach({ queue_id: queueId });
  if (completion) where.push(completionIn(completion, now));
  if (traceId) where.push(ofTraces(traceId));
  const { data, pagination } = queueItems.list(database, owner, { where, order: ORDER, page });
  return { data: data.map((item) => shownItem(item, now)), pagination };
}

export const annotationQueueItemCommands = {
  createQueueItem,
  createChosenItems,
  createDrawnItems,
  removeItemsOfQueue,
  ...leaseCommands,
};
export const annotationQueueItemQueries = { listQueueItems, getQueueItem, drawTraces, reviewContent };
export const annotationQueueItemHooks = {
  beforeTraceDeleted: [keepDeletedItems],
  purgeRows: [purgeQueueItems],
} satisfies Partial<TraceHooks>;
