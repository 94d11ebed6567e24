import type { Pagination } from '../../contract/paging.ts';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import {
  ofTraces,
  requireTrace,
  shownTraceId,
  type TraceColumns,
  traceColumns,
} from '../traces/trace-reference.ts';
import { completionIn, hasCompletion, type ItemTimes } from './completion.ts';
import type { DrawBody, NewQueueItem, QueueItem, QueueItemsQuery } from './contract.ts';
import { drawTraces, isFree } from './draw.ts';
import { queues } from '../human-annotation-queues/record.ts';

const DAY_MS = 86_400_000;
const DEFAULT_LIFE_MS = 90 * DAY_MS;

/** Throws `not_found` of the queue or the trace, and `conflict` when the trace waits in the queue already. */
function createQueueItem(
  database: Database,
  { owner, id, item, at }: { owner: Owner; id: string; item: NewQueueItem; at: number },
): QueueItem {
  const { application } = owner;
  const { queueId, selection } = item;
  queues.requireAll(database, application, [queueId]);
  const traceId = requireTrace(database, application, item.traceId);
  const pending = completionIn(['PENDING'], at);
  const waiting = database.get(
    `SELECT 1 FROM annotation_queue_item INDEXED BY annotation_queue_item_by_trace
     WHERE application = ? AND trace_id = ? AND queue_id = ? AND ${pending.sql}`,
    application,
    traceId,
    queueId,
    ...pending.values,
  );
  if (waiting) throw new AppError('conflict', 'The trace waits in this queue already');
  insertItem(database, { application, id, queueId, traceId, selection, expiresAt: expiry(item, at), at });
  return getQueueItem(database, { owner, id });
}

export interface DrawnTraces extends Pick<DrawBody, 'queueId' | 'selection' | 'expiresAt'> {
  drawn: readonly { id: string; traceId: Uint8Array }[];
}

/**
 * Puts what `drawTraces` answered into the queue, but for traces that have been taken meanwhile. Items that the queue has of
 * them become random ones. Throws `not_found`.
 */
function createDrawnItems(
  database: Database,
  { owner, items, at }: { owner: Owner; items: DrawnTraces; at: number },
): QueueItem[] {
  const { application } = owner;
  const { queueId, selection, drawn } = items;
  queues.requireAll(database, application, [queueId]);
  const expiresAt = expiry(items, at);
  const ids = drawn
    .filter(({ traceId }) => isFree(database, { application, queueId, selection, traceId }))
    .map((one) => {
      const item = { ...one, application, queueId, selection, expiresAt, at };
      const known = selection === 'RANDOM' ? makeRandom(database, item) : undefined;
      if (known === undefined) insertItem(database, item);
      return known ?? one.id;
    });
  return ids.map((id) => getQueueItem(database, { owner, id }));
}

/** The item that the queue has of a trace, unless it expired: from now on it is one that was drawn at random. */
function makeRandom(
  database: Database,
  { application, traceId, queueId, at }: InsertItem,
): string | undefined {
  const { sql, values } = completionIn(['ACTIVE'], at);
  return database.get<{ id: string }>(
    `UPDATE annotation_queue_item SET selection = 'RANDOM' WHERE id = (
       SELECT id FROM annotation_queue_item INDEXED BY annotation_queue_item_by_trace
       WHERE application = ? AND trace_id = ? AND queue_id = ? AND ${sql}
       ORDER BY completed_at IS NULL, created_at DESC, id LIMIT 1)
     RETURNING id`,
    application,
    traceId,
    queueId,
    ...values,
  )?.id;
}

const expiry = ({ expiresAt }: { expiresAt?: string | undefined }, at: number): number =>
  expiresAt === undefined ? at + DEFAULT_LIFE_MS : Date.parse(expiresAt);

interface InsertItem extends Pick<QueueItem, 'id' | 'queueId' | 'selection'> {
  application: number;
  traceId: Uint8Array;
  expiresAt: number;
  at: number;
}

function insertItem(database: Database, item: InsertItem): void {
  database.run(
    `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, expires_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    item.id,
    item.application,
    item.queueId,
    item.traceId,
    item.selection,
    item.expiresAt,
    item.at,
  );
}

/** Completes an item that waits for a verdict on this trace. Throws `not_found` and `conflict`. */
export function completeQueueItem(
  database: Database,
  { application, id, traceId, at }: { application: number; id: string; traceId: Uint8Array; at: number },
): void {
  const item = database.get<ItemTimes & { traceId: Buffer }>(
    `SELECT trace_id AS traceId, completed_at AS completedAt, expires_at AS expiresAt
     FROM annotation_queue_item WHERE application = ? AND id = ?`,
    application,
    id,
  );
  if (!item) throw new AppError('not_found', 'queue item not found');
  if (!item.traceId.equals(traceId)) throw new AppError('conflict', 'The queue item is of another trace');
  if (!hasCompletion(item, 'PENDING', at)) {
    const state = hasCompletion(item, 'COMPLETED', at) ? 'completed already' : 'expired';
    throw new AppError('conflict', `The queue item is ${state}`);
  }
  database.run(
    'UPDATE annotation_queue_item SET completed_at = ? WHERE application = ? AND id = ?',
    at,
    application,
    id,
  );
}

/** Removes some items of a trace; how many. */
export function purgeQueueItems(
  database: Database,
  { application, traceId, limit }: { application: number; traceId: Uint8Array; limit: number },
): number {
  return database.run(
    `DELETE FROM annotation_queue_item WHERE application = ?1 AND id IN (
       SELECT id FROM annotation_queue_item WHERE application = ?1 AND trace_id = ?2 LIMIT ?3)`,
    application,
    traceId,
    limit,
  );
}

export interface ItemCounts {
  pendingCount: number;
  completedCount: number;
}

/** Of each of the queues that has items. */
export function countQueueItems(
  database: Database,
  { application, queueIds, now }: { application: number; queueIds: readonly string[]; now: number },
): Map<string, ItemCounts> {
  const [pending, completed] = [completionIn(['PENDING'], now), completionIn(['COMPLETED'], now)];
  const rows = database.all<ItemCounts & { queueId: string }>(
    `SELECT queue_id AS queueId, sum(${pending.sql}) AS pendingCount, sum(${completed.sql}) AS completedCount
     FROM annotation_queue_item WHERE application = ? AND queue_id IN (SELECT value FROM json_each(?))
     GROUP BY queue_id`,
    ...pending.values,
    ...completed.values,
    application,
    JSON.stringify(queueIds),
  );
  return new Map(rows.map(({ queueId, ...counts }) => [queueId, counts]));
}

const TABLE = 'annotation_queue_item';
const COLUMNS = `id, queue_id AS queueId, ${traceColumns(TABLE)}, selection, completed_at AS completedAt,
  expires_at AS expiresAt, created_at AS createdAt`;
const ORDER = {
  createdAt: 'created_at',
  // What is not completed comes last in both directions.
  completedAt: 'completed_at IS NULL, completed_at',
  expiresAt: 'expires_at',
  traceId: 'trace_id',
  id: 'id',
};

type Row = Pick<QueueItem, 'id' | 'queueId' | 'selection'> & TraceColumns & ItemTimes & { createdAt: number };

/** Throws `not_found`. */
function getQueueItem(database: Database, { owner, id }: { owner: Owner; id: string }): QueueItem {
  const sql = `SELECT ${COLUMNS} FROM ${TABLE} WHERE application = ? AND id = ?`;
  const row = database.get<Row>(sql, owner.application, id);
  if (!row) throw new AppError('not_found', 'queue item not found');
  return itemOf(row, owner);
}

function listQueueItems(
  database: Database,
  { owner, query, now }: { owner: Owner; query: QueueItemsQuery; now: number },
): { data: QueueItem[]; pagination: Pagination } {
  const { queueId, completion, traceId, ...page } = query;
  const where: SqlFragment[] = [];
  if (queueId) where.push(oneOf('queue_id', queueId));
  if (completion) where.push(completionIn(completion, now));
  if (traceId) where.push(ofTraces(traceId));
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: TABLE,
    columns: COLUMNS,
    where,
    order: ORDER,
    page,
  });
  return { data: rows.map((row) => itemOf(row, owner)), pagination };
}

const itemOf = ({ traceId, native, ...row }: Row, { orgId, applicationId }: Owner): QueueItem => ({
  ...row,
  orgId,
  applicationId,
  traceId: shownTraceId({ traceId, native }),
  completedAt: row.completedAt === null ? null : isoTime(row.completedAt),
  expiresAt: isoTime(row.expiresAt),
  createdAt: isoTime(row.createdAt),
});

export const annotationQueueItemCommands = { createQueueItem, createDrawnItems };
export const annotationQueueItemQueries = { listQueueItems, getQueueItem, drawTraces };
