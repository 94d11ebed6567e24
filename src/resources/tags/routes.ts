import { ID } from '../../contract/example-values.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';
import type { Read, StoreCalls, Write } from '../../storage/calls.ts';
import { listDocumentTags, replaceDocumentTags } from '../documents/calls.ts';
import {
  changeTaskTags,
  createTag,
  deleteTag,
  getTag,
  listTags,
  listTaskTags,
  replaceTaskTags,
  updateTag,
} from './calls.ts';
import { createTagBody, tag, tagsQuery, taskTagsBody, updateTagBody } from './contract.ts';
import { exampleTag } from './example.ts';
import { tagsOfRecordRoutes } from './tags-of-record-routes.ts';

type TagDeps = StoreCalls;

export function tagRoutes({ read, write, now }: TagDeps): Route[] {
  const tags = recordRoutes({ path: '/v0/tags', group: 'Tags', record: tag, example: exampleTag, now });
  return [
    tags.create({
      operationId: 'createTag',
      summary: 'Create a tag',
      body: createTagBody,
      example: { body: { name: 'billing', color: '#3B82F6' } },
      handler: (args) => write(createTag, args),
    }),
    tags.list({
      operationId: 'listTags',
      summary: 'List tags',
      description: 'Archived tags are listed only if `status` requests them.',
      query: tagsQuery,
      handler: (args) => read(listTags, args),
    }),
    tags.get({
      operationId: 'getTag',
      summary: 'Get a tag',
      handler: (args) => read(getTag, args),
    }),
    tags.update({
      operationId: 'updateTag',
      summary: 'Update a tag',
      body: updateTagBody,
      example: { status: 'ARCHIVED' },
      handler: (args) => write(updateTag, args),
    }),
    tags.remove({
      operationId: 'deleteTag',
      summary: 'Delete a tag',
      description: 'Also removes it from all tasks and documents.',
      handler: ({ owner: { application }, id }) => write(deleteTag, { application, id }),
    }),
  ];
}

export const taskTagRoutes = ({ read, write }: Omit<TagDeps, 'now'>): Route[] => [
  ...tagsOfRecordRoutes({
    path: '/v0/tasks/{id}/tags',
    group: 'Tasks',
    noun: 'task',
    operationIds: { list: 'listTaskTags', replace: 'replaceTaskTags' },
    list: ({ id, ...args }) => read(listTaskTags, { ...args, taskId: id }),
    replace: ({ id, ...args }) => write(replaceTaskTags, { ...args, taskId: id }),
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
    handler: async ({ principal: { application }, body }) => {
      if (body.addTagIds.some((id) => body.removeTagIds.includes(id)))
        throw new AppError('bad_request', 'addTagIds and removeTagIds must not contain the same tag');
      await write(changeTaskTags, { ...body, application });
      return undefined;
    },
  }),
];

interface DocumentTagDeps {
  read: Read;
  write: Write;
}

export const documentTagRoutes = ({ read, write }: DocumentTagDeps): Route[] =>
  tagsOfRecordRoutes({
    path: '/v0/documents/{id}/tags',
    group: 'Documents',
    noun: 'document',
    operationIds: { list: 'listDocumentTags', replace: 'replaceDocumentTags' },
    list: ({ id, ...args }) => read(listDocumentTags, { ...args, documentId: id }),
    replace: ({ id, ...args }) => write(replaceDocumentTags, { ...args, documentId: id }),
  });
