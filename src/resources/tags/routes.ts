import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Call } from '../../storage/operations.ts';
import { createTagBody, tag, tagsPage, tagsQuery, taskTagsBody, updateTagBody } from './contract.ts';
import type { tagCommands, tagQueries } from './store.ts';

interface TagDeps {
  read: Call<typeof tagQueries>;
  write: Call<typeof tagCommands>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ data: tag });
const many = z.object({ data: z.array(tag), pagination });

export const tagRoutes = ({ read, write, now }: TagDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/tags',
    summary: 'Create a tag',
    scope: 'write',
    body: createTagBody,
    response: one,
    status: 201,
    handler: async ({ scope, body: fields }) => ({
      data: await write('createTag', { owner: ownerOf(scope), id: randomUUID(), fields, at: now() }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/tags',
    summary: 'List tags',
    description: 'Without archived ones, unless `status` asks for them.',
    scope: 'read',
    query: tagsQuery,
    response: many,
    status: 200,
    handler: ({ scope, query }) => read('listTags', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/tags/{id}',
    summary: 'Get a tag',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getTag', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/tags/{id}',
    summary: 'Change a tag',
    description: 'Fields that are left out stay as they are.',
    scope: 'write',
    params: byId,
    body: updateTagBody,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id }, body: given }) => ({
      data: await write('updateTag', { owner: ownerOf(scope), id, given, at: now() }),
    }),
  }),

  route({
    method: 'DELETE',
    path: '/v0/tags/{id}',
    summary: 'Delete a tag',
    description: 'Takes it off the tasks that have it.',
    scope: 'write',
    params: byId,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params: { id } }) => {
      while (await write('removeTagFromTasks', { application, id }));
      await write('deleteTag', { application, id });
      return undefined;
    },
  }),

  route({
    method: 'GET',
    path: '/v0/tasks/{id}/tags',
    summary: 'List the tags of a task',
    description: 'Archived ones too.',
    scope: 'read',
    params: byId,
    query: tagsPage,
    response: many,
    status: 200,
    errors: ['not_found'],
    handler: ({ scope, params, query }) =>
      read('listTaskTags', { owner: ownerOf(scope), taskId: params.id, query }),
  }),

  route({
    method: 'POST',
    path: '/v0/tasks/tags',
    summary: 'Add tags to tasks and take tags off them',
    description:
      'Changes every task of `taskIds`: it gets the tags of `addTagIds` and loses those of `removeTagIds`, whether or not it had them. When an id is unknown nothing is changed.',
    scope: 'write',
    body: taskTagsBody,
    response: null,
    status: 204,
    errors: ['bad_request', 'not_found'],
    handler: async ({ scope: { application }, body }) => {
      if (body.addTagIds.some((id) => body.removeTagIds.includes(id)))
        throw new AppError('bad_request', 'addTagIds and removeTagIds name the same tag');
      await write('changeTaskTags', { ...body, application });
      return undefined;
    },
  }),
];
