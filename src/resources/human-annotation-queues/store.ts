import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { AnnotationQueue, GivenQueueFields, QueueFields, QueuesQuery } from './contract.ts';
import { queues } from './record.ts';
import { countQueueItems, type ItemCounts } from '../human-annotation-queue-items/store.ts';
import { topics } from '../topics/record.ts';

const EMPTY: ItemCounts = { pendingCount: 0, completedCount: 0 };

/** Creates a queue; throws `not_found` for the topic. */
function createQueue(
  database: Database,
  { owner, id, fields, at }: ById & { fields: QueueFields; at: number },
): AnnotationQueue {
  checkTopic(database, owner, fields);
  queues.insert(database, { application: owner.application, at }, { ...fields, id });
  return getQueue(database, { owner, id, now: at });
}

/**
 * Updates a queue without counting its items, which may be very many. Throws `not_found` for the queue or the
 * topic.
 */
function updateQueue(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenQueueFields; at: number },
): void {
  checkTopic(database, owner, given);
  queues.update(database, { application: owner.application, id, at }, given);
}

/** Returns a queue with its counts; throws `not_found`. */
function getQueue(database: Database, { owner, id, now }: ById & { now: number }): AnnotationQueue {
  const counts = countQueueItems(database, { application: owner.application, queueIds: [id], now });
  return { ...queues.get(database, { owner, id }), ...(counts.get(id) ?? EMPTY) };
}

function listQueues(
  database: Database,
  { owner, query: page, now }: { owner: Owner; query: QueuesQuery; now: number },
): ListOf<AnnotationQueue> {
  const { data, pagination } = queues.list(database, owner, { where: [], page });
  const queueIds = data.map(({ id }) => id);
  const counts = countQueueItems(database, { application: owner.application, queueIds, now });
  return { data: data.map((queue) => ({ ...queue, ...(counts.get(queue.id) ?? EMPTY) })), pagination };
}

function checkTopic(database: Database, { application }: Owner, { topicId }: GivenQueueFields): void {
  topics.requireAll(database, application, [topicId]);
}

/** Deletes a queue. */
function removeQueue(database: Database, { application, id }: { application: number; id: string }): void {
  database.run('DELETE FROM annotation_queue WHERE application = :application AND id = :id', {
    application,
    id,
  });
}

export const annotationQueueCommands = {
  createAnnotationQueue: createQueue,
  updateAnnotationQueue: ifUnchanged(queues, updateQueue),
  removeAnnotationQueue: removeQueue,
};
export const annotationQueueQueries = { getAnnotationQueue: getQueue, listAnnotationQueues: listQueues };
