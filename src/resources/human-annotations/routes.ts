import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { annotationsQuery, createAnnotationBody, humanAnnotation, updateAnnotationBody } from './contract.ts';
import type { humanAnnotationCommands, humanAnnotationQueries } from './store.ts';

interface HumanAnnotationDeps {
  read: Call<typeof humanAnnotationQueries>;
  write: Call<ReturnType<typeof humanAnnotationCommands>>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: humanAnnotation });

export const humanAnnotationRoutes = ({ read, write, now }: HumanAnnotationDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/human-annotations',
    summary: 'Judge a trace',
    description:
      'With a `queueItemId` it completes that item: 409 when the item is of another trace, completed or expired.',
    scope: 'write',
    body: createAnnotationBody,
    response: one,
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, body }) => {
      const annotation = { ...body, annotatorId: body.annotatorId ?? scope.keyId };
      const args = { owner: ownerOf(scope), id: randomUUID(), annotation, at: now() };
      return { data: await write('createHumanAnnotation', args) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/human-annotations',
    summary: 'List human annotations',
    scope: 'read',
    query: annotationsQuery,
    response: z.object({ data: z.array(humanAnnotation), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listHumanAnnotations', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/human-annotations/{id}',
    summary: 'Get a human annotation',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getHumanAnnotation', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/human-annotations/{id}',
    summary: 'Change a verdict or its critique',
    description: 'Fields that are left out stay as they are.',
    scope: 'write',
    params: byId,
    body: updateAnnotationBody,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id }, body: given }) => ({
      data: await write('updateHumanAnnotation', { owner: ownerOf(scope), id, given, at: now() }),
    }),
  }),

  route({
    method: 'DELETE',
    path: '/v0/human-annotations/{id}',
    summary: 'Delete a human annotation',
    description: 'The queue item that it completed stays completed.',
    scope: 'write',
    params: byId,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params: { id } }) => {
      await write('deleteHumanAnnotation', { application, id });
      return undefined;
    },
  }),
];
