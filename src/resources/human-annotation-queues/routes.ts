import { dates, ID, owner } from '../../contract/example-values.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  createAnnotationQueue,
  getAnnotationQueue,
  listAnnotationQueues,
  updateAnnotationQueue,
} from './calls.ts';
import {
  type AnnotationQueue,
  annotationQueue,
  createQueueBody,
  queuesQuery,
  updateQueueBody,
} from './contract.ts';

type AnnotationQueueDeps = StoreCalls;

const exampleQueue: AnnotationQueue = {
  id: ID.queue,
  ...owner,
  ...dates,
  topicId: ID.topic,
  title: 'Returns, weekly',
  assigneeId: 'ada',
  reviewsPerItem: 1,
  isBlind: false,
  criteria: [],
  reviewerIds: [],
  reviewers: [],
  documentIds: [],
  disagreement: 'NONE',
  dueAt: null,
  pendingCount: 1,
  completedCount: 0,
  progress: { items: 1, completed: 0, begun: 0, disputed: 0 },
  mine: 1,
  agreement: null,
};

export function annotationQueueRoutes({ read, write, now }: AnnotationQueueDeps): Route[] {
  const queues = recordRoutes({
    path: '/v0/human-annotation-queues',
    group: 'Human annotation',
    record: annotationQueue,
    example: exampleQueue,
    now,
  });
  return [
    queues.create({
      operationId: 'createAnnotationQueue',
      summary: 'Create an annotation queue',
      body: createQueueBody,
      example: {
        body: { title: 'Returns, weekly', topicId: ID.topic, assigneeId: 'ada' },
        response: {
          ...exampleQueue,
          pendingCount: 0,
          progress: { ...exampleQueue.progress, items: 0 },
          mine: 0,
        },
      },
      errors: ['not_found'],
      handler: (args, { actor }) => write(createAnnotationQueue, { ...args, person: actor.id }),
    }),
    queues.list({
      operationId: 'listAnnotationQueues',
      summary: 'List annotation queues',
      query: queuesQuery,
      handler: (args, { actor }) => read(listAnnotationQueues, { ...args, person: actor.id, now: now() }),
    }),
    queues.get({
      operationId: 'getAnnotationQueue',
      summary: 'Get an annotation queue',
      handler: (args, { actor }) => read(getAnnotationQueue, { ...args, person: actor.id, now: now() }),
    }),
    queues.update({
      operationId: 'updateAnnotationQueue',
      summary: 'Update an annotation queue',
      body: updateQueueBody,
      example: { assigneeId: 'ada' },
      description:
        '`reviewsPerItem`, `isBlind`, `criteria` and `disagreement` can be changed only before the first review of the queue (409).',
      errors: ['conflict'],
      handler: async (args, { actor }) => {
        await write(updateAnnotationQueue, args);
        return read(getAnnotationQueue, { owner: args.owner, id: args.id, person: actor.id, now: now() });
      },
    }),
  ];
}
