import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  archiveTasksOfTopic,
  archiveTopic,
  createTopic,
  getTopic,
  listTopics,
  updateTopic,
} from './calls.ts';
import { archiveTopicBody, createTopicBody, topic, topicsQuery, updateTopicBody } from './contract.ts';
import { exampleTopic } from './example.ts';

type TopicDeps = StoreCalls;

export function topicRoutes({ read, write, now }: TopicDeps): Route[] {
  const topics = recordRoutes({
    path: '/v0/topics',
    group: 'Topics',
    record: topic,
    example: exampleTopic,
    now,
  });
  return [
    topics.create({
      operationId: 'createTopic',
      summary: 'Create a topic',
      body: createTopicBody,
      example: { body: { title: 'Returns', assignedTo: 'ada' } },
      errors: ['not_found', 'conflict'],
      handler: (args) => write(createTopic, args),
    }),
    topics.list({
      operationId: 'listTopics',
      summary: 'List topics',
      description: 'Archived topics are listed only if `status` requests them.',
      query: topicsQuery,
      errors: ['too_large'],
      handler: (args) => read(listTopics, args),
    }),
    topics.get({
      operationId: 'getTopic',
      summary: 'Get a topic',
      handler: (args) => read(getTopic, args),
    }),
    topics.update({
      operationId: 'updateTopic',
      summary: 'Update a topic',
      body: updateTopicBody,
      example: { isTasksVerified: true },
      errors: ['conflict'],
      handler: (args) => write(updateTopic, args),
    }),
    archiveRoute({ write, now }),
  ];
}

const archiveRoute = ({ write, now }: Omit<TopicDeps, 'read'>): Route =>
  route({
    method: 'POST',
    path: '/v0/topics/{id}/archive',
    operationId: 'archiveTopic',
    group: 'Topics',
    summary: 'Archive a topic',
    description: 'Its tasks keep their status unless `cascade` is true, which archives them too.',
    scope: 'write',
    params: z.object({ id: uuid }),
    body: archiveTopicBody,
    response: z.object({ data: topic }),
    example: { body: { cascade: true }, response: { data: { ...exampleTopic, status: 'ARCHIVED' } } },
    errors: ['not_found'],
    handler: async ({ principal, params: { id }, body: { cascade } }) => {
      const args = { owner: ownerOf(principal), id, at: now() };
      if (cascade) while (await write(archiveTasksOfTopic, args));
      return { data: await write(archiveTopic, args) };
    },
  });
