import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { annotationQueue, createQueueBody, queuesQuery, updateQueueBody } from './contract.ts';
import type { annotationQueueCommands, annotationQueueQueries } from './store.ts';

interface AnnotationQueueDeps {
  read: Call<ReturnType<typeof annotationQueueQueries>>;
  write: Call<ReturnType<typeof annotationQueueCommands>>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: annotationQueue });

export const annotationQueueRoutes = ({ read, write, now }: AnnotationQueueDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/human-annotation-queues',
    summary: 'Create an annotation queue',
    scope: 'write',
    body: createQueueBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body: fields }) => {
      const args = { owner: ownerOf(scope), id: randomUUID(), fields, at: now() };
      return { data: await write('createAnnotationQueue', args) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/human-annotation-queues',
    summary: 'List annotation queues',
    scope: 'read',
    query: queuesQuery,
    response: z.object({ data: z.array(annotationQueue), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listAnnotationQueues', { owner: ownerOf(scope), query, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/v0/human-annotation-queues/{id}',
    summary: 'Get an annotation queue',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getAnnotationQueue', { owner: ownerOf(scope), id, now: now() }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/human-annotation-queues/{id}',
    summary: 'Change an annotation queue',
    description: 'Fields that are left out stay as they are.',
    scope: 'write',
    params: byId,
    body: updateQueueBody,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id }, body: given }) => {
      const owner = ownerOf(scope);
      await write('updateAnnotationQueue', { owner, id, given, at: now() });
      return { data: await read('getAnnotationQueue', { owner, id, now: now() }) };
    },
  }),
];
