import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { createQueueItemBody, drawBody, queueItem, queueItemsQuery } from './contract.ts';
import type { annotationQueueItemCommands, annotationQueueItemQueries } from './store.ts';

interface AnnotationQueueItemDeps {
  read: Call<typeof annotationQueueItemQueries>;
  write: Call<typeof annotationQueueItemCommands>;
  now: () => number;
}

export const annotationQueueItemRoutes = ({ read, write, now }: AnnotationQueueItemDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/human-annotation-queue-items',
    summary: 'Put a trace into an annotation queue',
    description: '409 while the trace waits in the same queue.',
    scope: 'write',
    body: createQueueItemBody,
    response: z.object({ data: queueItem }),
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, body: item }) => ({
      data: await write('createQueueItem', { owner: ownerOf(scope), id: randomUUID(), item, at: now() }),
    }),
  }),

  route({
    method: 'POST',
    path: '/v0/human-annotation-queue-items/draw',
    summary: 'Draw traces for an annotation queue',
    description:
      'Puts traces into the queue that have not been drawn for it, each as likely as any other; traces of samples are left out. Of a trace that is in the queue for another reason and has not expired, a draw at random takes the item that is there and makes it `RANDOM`; a draw of `FAILED` leaves out all that have ever been in the queue. Answers the items: fewer than `count` when there are no more such traces.',
    scope: 'write',
    body: drawBody,
    response: z.object({ data: z.array(queueItem) }),
    status: 201,
    errors: ['not_found', 'unavailable'],
    handler: async ({ scope, body: draw }) => {
      const traceIds = await read('drawTraces', { application: scope.application, draw });
      const drawn = traceIds.map((traceId) => ({ id: randomUUID(), traceId }));
      const items = { ...draw, drawn };
      return { data: await write('createDrawnItems', { owner: ownerOf(scope), items, at: now() }) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/human-annotation-queue-items',
    summary: 'List human annotation queue items',
    description: 'Ordered by `completedAt`, items that are not completed come last in both directions.',
    scope: 'read',
    query: queueItemsQuery,
    response: z.object({ data: z.array(queueItem), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listQueueItems', { owner: ownerOf(scope), query, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/v0/human-annotation-queue-items/{id}',
    summary: 'Get a human annotation queue item',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: queueItem }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getQueueItem', { owner: ownerOf(scope), id }),
    }),
  }),
];
