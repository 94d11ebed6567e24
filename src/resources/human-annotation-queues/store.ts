import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { AnnotationQueue, GivenQueueFields, QueueFields, QueuesQuery } from './contract.ts';
import { AppError } from '../../errors.ts';
import type { RecordOf } from '../../storage/record.ts';
import { definitions } from '../definitions/record.ts';
import { documents } from '../documents/record.ts';
import { agreementOf, hasReviews } from '../human-annotation-queue-items/agreement.ts';
import { countAvailable } from '../human-annotation-queue-items/leases.ts';
import { namesOf } from '../human-annotation-queue-items/reviews.ts';
import { countQueueItems, type ItemCounts } from '../human-annotation-queue-items/store.ts';
import { topics } from '../topics/record.ts';
import { queues } from './record.ts';

/** Time of a call, and who makes it. */
interface SeenBy {
  /** Id of the caller, for the number of items to review. */
  person: string;
  now: number;
}

const NO_ITEMS: ItemCounts = { pendingCount: 0, completedCount: 0, begunCount: 0, disputedCount: 0 };

/** Creates a queue; throws `not_found` for the topic, a definition and a document. */
function createQueue(
  database: Database,
  { owner, id, fields, person, at }: ById & { fields: QueueFields; person: string; at: number },
): AnnotationQueue {
  checkReferences(database, owner, fields);
  queues.insert(database, { application: owner.application, at }, { ...fields, id, dueAt: dueTime(fields) });
  return getQueue(database, { owner, id, person, now: at });
}

const dueTime = ({ dueAt }: { dueAt?: string | null | undefined }): number | null =>
  dueAt == null ? null : Date.parse(dueAt);

/**
 * Updates a queue without counting its items, which may be very many. Throws `not_found` for the queue and what it refers to, and
 * `conflict` for a change that would make reviews incomparable or show what was withheld.
 */
function updateQueue(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenQueueFields; at: number },
): void {
  const { application } = owner;
  checkReferences(database, owner, given);
  const before = queues.require(database, application, id);
  const fixed = FIXED_BY_REVIEWS.find(
    (field) => given[field] !== undefined && JSON.stringify(given[field]) !== JSON.stringify(before[field]),
  );
  if (fixed !== undefined && hasReviews(database, { application, queueId: id }))
    throw new AppError('conflict', `\`${fixed}\` can be changed only before the first review of the queue`);
  const { dueAt, ...changes } = given;
  queues.update(
    database,
    { application, id, at },
    { ...changes, ...(dueAt !== undefined && { dueAt: dueTime({ dueAt }) }) },
  );
}

const FIXED_BY_REVIEWS = ['reviewsPerItem', 'isBlind', 'criteria', 'disagreement'] as const;

/** Returns a queue with its progress; throws `not_found`. */
function getQueue(database: Database, { owner, id, ...seen }: ById & SeenBy): AnnotationQueue {
  const row = queues.get(database, { owner, id });
  return withProgress(database, { owner, rows: [row], ...seen })[0] as AnnotationQueue;
}

function listQueues(
  database: Database,
  { owner, query: page, ...seen }: { owner: Owner; query: QueuesQuery } & SeenBy,
): ListOf<AnnotationQueue> {
  const { data, pagination } = queues.list(database, owner, { where: [], page });
  return { data: withProgress(database, { owner, rows: data, ...seen }), pagination };
}

function withProgress(
  database: Database,
  {
    owner: { application },
    rows,
    person,
    now,
  }: { owner: Owner; rows: readonly RecordOf<typeof queues>[] } & SeenBy,
): AnnotationQueue[] {
  const counts = countQueueItems(database, { application, queueIds: rows.map(({ id }) => id), now });
  const names = namesOf(
    database,
    rows.flatMap(({ reviewerIds }) => reviewerIds),
  );
  return rows.map((queue) => {
    const { pendingCount, completedCount, begunCount, disputedCount } = counts.get(queue.id) ?? NO_ITEMS;
    const items = pendingCount + completedCount;
    return {
      ...queue,
      reviewers: queue.reviewerIds.map((id) => ({ id, name: names.get(id) ?? null })),
      pendingCount,
      completedCount,
      progress: { items, completed: completedCount, begun: begunCount, disputed: disputedCount },
      mine: pendingCount === 0 ? 0 : countAvailable(database, { application, queue, person, at: now }),
      agreement:
        queue.reviewsPerItem === 1 ? null : agreementOf(database, { application, queueId: queue.id }),
    };
  });
}

function checkReferences(database: Database, { application }: Owner, given: GivenQueueFields): void {
  topics.requireAll(database, application, [given.topicId]);
  const evaluators = (given.criteria ?? []).map(({ evalDefinitionId }) => evalDefinitionId);
  definitions.requireAll(database, application, evaluators);
  documents.requireAll(database, application, given.documentIds ?? []);
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
