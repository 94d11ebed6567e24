import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import {
  confirmedQuickstart,
  confirmStyleScoresBody,
  createQuickstartBody,
  oneQuickstart,
  policyCounts,
  quickstart,
  quickstartsQuery,
  updateQuickstartBody,
} from './contract.ts';
import { conversation, conversationsQuery } from './conversation-contract.ts';
import { type QuickstartDeps, uploadRoutes } from './upload-routes.ts';

const byId = z.object({ id: uuid });
const one = z.object({ data: oneQuickstart });

export const quickstartRoutes = ({ read, write, now, onEnqueued }: QuickstartDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/quickstarts',
    summary: 'Create a quickstart',
    description:
      'It begins in `UPLOADING`. Uploads make its drafts; topics, tasks, evaluation definitions and documents can be made by hand too, with its `quickstartId`.',
    scope: 'write',
    body: createQuickstartBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body }) => {
      const args = { owner: ownerOf(scope), id: randomUUID(), fields: body, at: now() };
      return { data: await write('createQuickstart', args) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/quickstarts',
    summary: 'List quickstarts',
    description: 'Without the `counts` that one quickstart has.',
    scope: 'read',
    query: quickstartsQuery,
    response: z.object({ data: z.array(quickstart), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listQuickstarts', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/quickstarts/{id}',
    summary: 'Get a quickstart',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getQuickstart', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/quickstarts/{id}',
    summary: 'Change a quickstart',
    description:
      'Fields that are left out stay as they are. `status` goes on from `UPLOADING` to the reviews of tasks and topics, knowledge base, policies and style, each of which can go back to the one before, and from `FAILED` back to `STYLE_REVIEW`. Any other move is 409: the service makes it.',
    scope: 'write',
    params: byId,
    body: updateQuickstartBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id }, body: given }) => ({
      data: await write('updateQuickstart', { owner: ownerOf(scope), id, given, at: now() }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/quickstarts/{id}/conversations',
    summary: 'List the conversations of a quickstart',
    description: 'What uploads of `conversations` handed in, each with all that was said in it.',
    scope: 'read',
    params: byId,
    query: conversationsQuery,
    response: z.object({ data: z.array(conversation), pagination }),
    status: 200,
    errors: ['not_found'],
    handler: ({ scope, params, query }) =>
      read('listConversations', { owner: ownerOf(scope), quickstartId: params.id, query }),
  }),

  route({
    method: 'GET',
    path: '/v0/quickstarts/{id}/policy-counts',
    summary: 'Count the policies of a quickstart',
    description: 'Evaluation definitions in `DRAFT` and `ACTIVE` that this quickstart made, and no others.',
    scope: 'read',
    params: byId,
    response: z.object({ data: policyCounts }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params: { id } }) => ({
      data: await read('countPolicies', { application, id }),
    }),
  }),

  route({
    method: 'POST',
    path: '/v0/quickstarts/confirm-style-scores',
    summary: 'Confirm the style scores of a quickstart',
    description:
      'In `STYLE_REVIEW` only, 409 else. The quickstart is `COMPLETING` from now on: its style guide is approved, its drafts become active, and its evaluation definitions that are linked to no topic are linked to the application. Then it is `COMPLETE`, or `FAILED` with a `reason`.',
    scope: 'write',
    body: confirmStyleScoresBody,
    response: z.object({ data: confirmedQuickstart }),
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, body: { quickstartId: id } }) => {
      const data = await write('confirmStyleScores', { owner: ownerOf(scope), id, at: now() });
      onEnqueued();
      return { data };
    },
  }),

  ...uploadRoutes({ read, write, now, onEnqueued }),
];
