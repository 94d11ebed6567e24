import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { archiveTopicBody, createTopicBody, topic, topicsQuery, updateTopicBody } from './contract.ts';
import type { topicCommands, topicQueries } from './store.ts';

interface TopicDeps {
  read: Call<typeof topicQueries>;
  write: Call<ReturnType<typeof topicCommands>>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: topic });

export const topicRoutes = ({ read, write, now }: TopicDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/topics',
    summary: 'Create a topic',
    scope: 'write',
    body: createTopicBody,
    response: one,
    status: 201,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, body: fields }) => ({
      data: await write('createTopic', { owner: ownerOf(scope), id: randomUUID(), fields, at: now() }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/topics',
    summary: 'List topics',
    description: 'Without archived ones, unless `status` asks for them.',
    scope: 'read',
    query: topicsQuery,
    response: z.object({ data: z.array(topic), pagination }),
    status: 200,
    errors: ['too_large'],
    handler: ({ scope, query }) => read('listTopics', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/topics/{id}',
    summary: 'Get a topic',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getTopic', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/topics/{id}',
    summary: 'Change a topic',
    description: 'Fields that are left out stay as they are.',
    scope: 'write',
    params: byId,
    body: updateTopicBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id }, body: given }) => ({
      data: await write('updateTopic', { owner: ownerOf(scope), id, given, at: now() }),
    }),
  }),

  route({
    method: 'POST',
    path: '/v0/topics/{id}/archive',
    summary: 'Archive a topic',
    description: 'Its tasks stay as they are, unless `cascade` archives them too.',
    scope: 'write',
    params: byId,
    body: archiveTopicBody,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id }, body: { cascade } }) => {
      const args = { owner: ownerOf(scope), id, at: now() };
      if (cascade) while (await write('archiveTasksOfTopic', args));
      return { data: await write('archiveTopic', args) };
    },
  }),
];
