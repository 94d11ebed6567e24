import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import {
  createStyleGuideBody,
  styleGuide,
  styleGuidePage,
  styleGuidesQuery,
  updateStyleGuideBody,
} from './contract.ts';
import type { styleGuideCommands, styleGuideQueries } from './store.ts';

interface StyleGuideDeps {
  read: Call<typeof styleGuideQueries>;
  write: Call<typeof styleGuideCommands>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: styleGuide });

export const styleGuideRoutes = ({ read, write, now }: StyleGuideDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/style-guides',
    summary: 'Create a style guide',
    description: 'Evaluation definitions of type `STYLE` judge by it.',
    scope: 'write',
    body: createStyleGuideBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body }) => ({
      data: await write('createStyleGuide', { ...body, owner: ownerOf(scope), id: randomUUID(), at: now() }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/style-guides',
    summary: 'List style guides',
    scope: 'read',
    query: styleGuidesQuery,
    response: styleGuidePage,
    status: 200,
    handler: ({ scope, query }) => read('listStyleGuides', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/style-guides/{id}',
    summary: 'Get a style guide',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getStyleGuide', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/style-guides/{id}',
    summary: 'Change a style guide',
    description: 'A `content` that is given takes the place of all sections.',
    scope: 'write',
    params: byId,
    body: updateStyleGuideBody,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id }, body: { content } }) => ({
      data: await write('updateStyleGuide', { owner: ownerOf(scope), id, content, at: now() }),
    }),
  }),
];
