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
  pendingCount: 1,
  completedCount: 0,
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
        response: { ...exampleQueue, pendingCount: 0 },
      },
      errors: ['not_found'],
      handler: (args) => write(createAnnotationQueue, args),
    }),
    queues.list({
      operationId: 'listAnnotationQueues',
      summary: 'List annotation queues',
      query: queuesQuery,
      handler: (args) => read(listAnnotationQueues, { ...args, now: now() }),
    }),
    queues.get({
      operationId: 'getAnnotationQueue',
      summary: 'Get an annotation queue',
      handler: (args) => read(getAnnotationQueue, { ...args, now: now() }),
    }),
    queues.update({
      operationId: 'updateAnnotationQueue',
      summary: 'Update an annotation queue',
      body: updateQueueBody,
      example: { assigneeId: 'ada' },
      handler: async (args) => {
        await write(updateAnnotationQueue, args);
        return read(getAnnotationQueue, { owner: args.owner, id: args.id, now: now() });
      },
    }),
  ];
}
