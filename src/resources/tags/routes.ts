import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { StoreCalls } from '../../storage/operations.ts';
import {
  ALL_TAGS,
  createTagBody,
  tag,
  tagIdsBody,
  tagsPage,
  tagsQuery,
  taskTagsBody,
  updateTagBody,
} from './contract.ts';
import { exampleTag } from './example.ts';
import type { tagCommands, tagQueries } from './store.ts';

type TagDeps = StoreCalls<typeof tagQueries, typeof tagCommands>;

export function tagRoutes({ read, write, now }: TagDeps): Route[] {
  const tags = recordRoutes({ path: '/v0/tags', group: 'Tags', record: tag, example: exampleTag, now });
  return [
    tags.create({
      operationId: 'createTag',
      summary: 'Create a tag',
      body: createTagBody,
      example: { body: { name: 'billing', color: '#3B82F6' } },
      handler: (args) => write('createTag', args),
    }),
    tags.list({
      operationId: 'listTags',
      summary: 'List tags',
      description: 'Archived tags are listed only if `status` requests them.',
      query: tagsQuery,
      handler: (args) => read('listTags', args),
    }),
    tags.get({
      operationId: 'getTag',
      summary: 'Get a tag',
      handler: (args) => read('getTag', args),
    }),
    tags.update({
      operationId: 'updateTag',
      summary: 'Update a tag',
      body: updateTagBody,
      example: { status: 'ARCHIVED' },
      handler: (args) => write('updateTag', args),
    }),
    tags.remove({
      operationId: 'deleteTag',
      summary: 'Delete a tag',
      description: 'Also removes it from all tasks and documents.',
      handler: async ({ owner: { application }, id }) => {
        while (await write('removeTagFromRecords', { application, id }));
        await write('deleteTag', { application, id });
      },
    }),
  ];
}

export const taskTagRoutes = ({ read, write }: Omit<TagDeps, 'now'>): Route[] => [
  route({
    method: 'GET',
    path: '/v0/tasks/{id}/tags',
    operationId: 'listTaskTags',
    group: 'Tasks',
    summary: 'List the tags of a task',
    description: 'Includes archived tags.',
    scope: 'read',
    params: z.object({ id: uuid }),
    query: tagsPage,
    response: z.object({ data: z.array(tag), pagination }),
    example: { response: page([exampleTag]) },
    errors: ['not_found'],
    handler: ({ scope, params, query }) =>
      read('listTaskTags', { owner: ownerOf(scope), taskId: params.id, query }),
  }),

  route({
    method: 'PUT',
    path: '/v0/tasks/{id}/tags',
    operationId: 'replaceTaskTags',
    group: 'Tasks',
    summary: 'Replace the tags of a task',
    scope: 'write',
    params: z.object({ id: uuid }),
    body: tagIdsBody,
    response: z.object({ data: z.array(tag), pagination }),
    example: { body: { tagIds: [ID.tag] }, response: page([exampleTag]) },
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id: taskId }, body: { tagIds } }) => {
      const owner = ownerOf(scope);
      await write('replaceTaskTags', { owner, taskId, tagIds });
      return read('listTaskTags', { owner, taskId, query: ALL_TAGS });
    },
  }),

  route({
    method: 'POST',
    path: '/v0/tasks/tags',
    operationId: 'changeTaskTags',
    group: 'Tasks',
    summary: 'Add tags to tasks and remove tags from them',
    description:
      'Every task in `taskIds` gets the tags in `addTagIds` and loses the tags in `removeTagIds`, whether or not it had them. If an id is unknown, nothing changes.',
    scope: 'write',
    body: taskTagsBody,
    response: null,
    example: { body: { taskIds: [ID.task], addTagIds: [ID.tag] } },
    errors: ['bad_request', 'not_found'],
    handler: async ({ scope: { application }, body }) => {
      if (body.addTagIds.some((id) => body.removeTagIds.includes(id)))
        throw new AppError('bad_request', 'addTagIds and removeTagIds must not contain the same tag');
      await write('changeTaskTags', { ...body, application });
      return undefined;
    },
  }),
];
