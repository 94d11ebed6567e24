import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows } from '../list-rows.ts';
import { requireRows } from '../require-rows.ts';
import { withGiven } from '../with-given.ts';
import type { AnnotationQueue, GivenQueueFields, QueueFields, QueuesQuery } from './contract.ts';

type Counts = Pick<AnnotationQueue, 'pendingCount' | 'completedCount'>;

/** What is in each of the queues that has items, at `now` (Unix milliseconds). */
export type CountItems = (
  database: Database,
  args: { application: number; queueIds: readonly string[]; now: number },
) => Map<string, Counts>;

const EMPTY: Counts = { pendingCount: 0, completedCount: 0 };

type Row = QueueFields & { id: string; createdAt: number; modifiedAt: number };
const COLUMNS = `id, topic_id AS topicId, title, assignee_id AS assigneeId, created_at AS createdAt,
  modified_at AS modifiedAt`;
const ORDER = { createdAt: 'created_at', modifiedAt: 'modified_at', title: 'title', id: 'id' };

interface ById {
  owner: Owner;
  id: string;
}

function queueStore(countItems: CountItems) {
  /** Throws `not_found` of the topic. */
  function createQueue(
    database: Database,
    { owner, id, fields, at }: ById & { fields: QueueFields; at: number },
  ): AnnotationQueue {
    checkTopic(database, owner, fields);
    database.run(
      `INSERT INTO annotation_queue (id, application, topic_id, title, assignee_id, created_at, modified_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
      id,
      owner.application,
      fields.topicId,
      fields.title,
      fields.assigneeId,
      at,
    );
    return getQueue(database, { owner, id, now: at });
  }

  /** Counts nothing: a queue may have very many items. Throws `not_found` of the queue or the topic. */
  function updateQueue(
    database: Database,
    { owner, id, given, at }: ById & { given: GivenQueueFields; at: number },
  ): void {
    const fields = withGiven<QueueFields>(rowOf(database, { owner, id }), given);
    checkTopic(database, owner, fields);
    database.run(
      `UPDATE annotation_queue SET topic_id = ?, title = ?, assignee_id = ?, modified_at = ?
       WHERE application = ? AND id = ?`,
      fields.topicId,
      fields.title,
      fields.assigneeId,
      at,
      owner.application,
      id,
    );
  }

  /** Throws `not_found`. */
  function getQueue(database: Database, { owner, id, now }: ById & { now: number }): AnnotationQueue {
    const row = rowOf(database, { owner, id });
    return queueOf(row, owner, countItems(database, { application: owner.application, queueIds: [id], now }));
  }

  function listQueues(
    database: Database,
    { owner, query: page, now }: { owner: Owner; query: QueuesQuery; now: number },
  ): { data: AnnotationQueue[]; pagination: Pagination } {
    const { application } = owner;
    const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
      application,
      table: 'annotation_queue',
      columns: COLUMNS,
      where: [],
      order: ORDER,
      page,
    });
    const counts = countItems(database, { application, queueIds: rows.map(({ id }) => id), now });
    return { data: rows.map((row) => queueOf(row, owner, counts)), pagination };
  }

  return { createQueue, updateQueue, getQueue, listQueues };
}

/** Throws `not_found`. */
function rowOf(database: Database, { owner, id }: ById): Row {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM annotation_queue WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'annotation queue not found');
  return row;
}

function checkTopic(database: Database, { application }: Owner, { topicId }: QueueFields): void {
  if (topicId !== null) requireRows(database, application, 'topic', [topicId]);
}

const queueOf = (
  row: Row,
  { orgId, applicationId }: Owner,
  counts: ReadonlyMap<string, Counts>,
): AnnotationQueue => ({
  ...row,
  orgId,
  applicationId,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
  ...(counts.get(row.id) ?? EMPTY),
});

export function annotationQueueCommands(countItems: CountItems) {
  const { createQueue, updateQueue } = queueStore(countItems);
  return { createAnnotationQueue: createQueue, updateAnnotationQueue: updateQueue };
}

export function annotationQueueQueries(countItems: CountItems) {
  const { getQueue, listQueues } = queueStore(countItems);
  return { getAnnotationQueue: getQueue, listAnnotationQueues: listQueues };
}
