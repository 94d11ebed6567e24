import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { ALL_TAGS, tag, tagIdsBody, tagsPage } from '../tags/contract.ts';
import { exampleTag } from '../tags/example.ts';
import type { documentTagCommands, documentTagQueries } from './tag-store.ts';

interface DocumentTagDeps {
  read: Call<typeof documentTagQueries>;
  write: Call<typeof documentTagCommands>;
}

const byId = z.object({ id: uuid });

export const documentTagRoutes = ({ read, write }: DocumentTagDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/documents/{id}/tags',
    operationId: 'listDocumentTags',
    group: 'Documents',
    summary: 'List the tags of a document',
    description: 'Includes archived tags.',
    scope: 'read',
    params: byId,
    query: tagsPage,
    response: z.object({ data: z.array(tag), pagination }),
    example: { response: page([exampleTag]) },
    status: 200,
    errors: ['not_found'],
    handler: ({ scope, params: { id: documentId }, query }) =>
      read('listDocumentTags', { owner: ownerOf(scope), documentId, query }),
  }),

  route({
    method: 'PUT',
    path: '/v0/documents/{id}/tags',
    operationId: 'replaceDocumentTags',
    group: 'Documents',
    summary: 'Replace the tags of a document',
    scope: 'write',
    params: byId,
    body: tagIdsBody,
    response: z.object({ data: z.array(tag), pagination }),
    example: { body: { tagIds: [ID.tag] }, response: page([exampleTag]) },
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id: documentId }, body: { tagIds } }) => {
      const owner = ownerOf(scope);
      await write('replaceDocumentTags', { owner, documentId, tagIds });
      return read('listDocumentTags', { owner, documentId, query: ALL_TAGS });
    },
  }),
];
