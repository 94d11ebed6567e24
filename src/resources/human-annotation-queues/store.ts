import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { AnnotationQueue, GivenQueueFields, QueueFields, QueuesQuery } from './contract.ts';
import { queues } from './record.ts';
import { topics } from '../topics/record.ts';

type Counts = Pick<AnnotationQueue, 'pendingCount' | 'completedCount'>;

/** Counts the pending and the completed items of each queue at `now` (Unix milliseconds). Empty queues are left out. */
export type CountItems = (
  database: Database,
  args: { application: number; queueIds: readonly string[]; now: number },
) => Map<string, Counts>;

const EMPTY: Counts = { pendingCount: 0, completedCount: 0 };

function queueStore(countItems: CountItems) {
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
    const counts = countItems(database, { application: owner.application, queueIds: [id], now });
    return { ...queues.get(database, { owner, id }), ...(counts.get(id) ?? EMPTY) };
  }

  function listQueues(
    database: Database,
    { owner, query: page, now }: { owner: Owner; query: QueuesQuery; now: number },
  ): ListOf<AnnotationQueue> {
    const { data, pagination } = queues.list(database, owner, { where: [], page });
    const queueIds = data.map(({ id }) => id);
    const counts = countItems(database, { application: owner.application, queueIds, now });
    return { data: data.map((queue) => ({ ...queue, ...(counts.get(queue.id) ?? EMPTY) })), pagination };
  }

  return { createQueue, updateQueue, getQueue, listQueues };
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

export function annotationQueueCommands(countItems: CountItems) {
  const { createQueue, updateQueue } = queueStore(countItems);
  return {
    createAnnotationQueue: createQueue,
    updateAnnotationQueue: ifUnchanged(queues, updateQueue),
    removeAnnotationQueue: removeQueue,
  };
}

export function annotationQueueQueries(countItems: CountItems) {
  const { getQueue, listQueues } = queueStore(countItems);
  return { getAnnotationQueue: getQueue, listAnnotationQueues: listQueues };
}
