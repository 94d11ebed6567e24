import { randomUUID } from 'node:crypto';
import { ownerOf } from '../../contract/owner.ts';
import { z } from 'zod';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import { upload } from '../../contract/upload.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import {
  assigneeCount,
  assigneeCountsQuery,
  chunk,
  chunksQuery,
  createDocumentBody,
  document,
  documentEntry,
  documentsQuery,
  updateDocumentBody,
  uploadFields,
  uploadReport,
} from './contract.ts';
import type { documentCommands, documentQueries } from './operations.ts';
import { takeUpload } from './take-upload.ts';
import { EXTENSIONS } from './upload-file.ts';
import { versionRoutes } from './version-routes.ts';

interface DocumentDeps {
  read: Call<ReturnType<typeof documentQueries>>;
  write: Call<typeof documentCommands>;
  now: () => number;
}

const byId = z.object({ id: uuid });
const one = z.object({ document });

export const documentRoutes = (deps: DocumentDeps): Route[] => [
  ...gatheringRoutes(deps),
  ...singleRoutes(deps),
  ...versionRoutes(deps),
];

const gatheringRoutes = ({ read, write, now }: DocumentDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/documents',
    summary: 'List documents',
    description: 'Without the whole of their contents: those are in the record of one document.',
    scope: 'read',
    query: documentsQuery,
    response: z.object({ data: z.array(documentEntry), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listDocuments', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/documents/count-by-assignee',
    summary: 'Count documents by assignee',
    description:
      'Over all applications of the organisation, the most first, at most 10000. Documents without an assignee are not counted.',
    scope: 'read',
    query: assigneeCountsQuery,
    response: z.object({ data: z.array(assigneeCount) }),
    status: 200,
    handler: async ({ scope: { organisation }, query }) => ({
      data: await read('countByAssignee', { organisation, ...query }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/documents/chunked',
    summary: 'List the chunks of documents',
    description:
      'The approved contents of `ACTIVE` documents in pieces for retrieval, by document and within it in order: cut before headings, and where a piece would be longer than 1200 characters, after a paragraph, a line, a sentence or a word. The pieces of a document are its content, with nothing left out.',
    scope: 'read',
    query: chunksQuery,
    response: z.object({ data: z.array(chunk), pagination }),
    status: 200,
    handler: ({ scope: { application }, query }) => read('listChunks', { application, query }),
  }),

  route({
    method: 'POST',
    path: '/v0/documents/upload',
    summary: 'Make documents of a file',
    description:
      'Text and Markdown make one document. CSV makes one of each row: it has a header with the columns `title` and `content`, and may have `assignee`, `language` and `topicId`, which go before what the form says; other columns become metadata of the version. Rows that are not good are told of with their lines, and the good ones are kept. The file is UTF-8 and has at most 32 MiB, of which the first 100000 rows are read; one content has at most 1 MiB.',
    scope: 'write',
    body: upload({ fields: uploadFields, extensions: EXTENSIONS }),
    response: z.object({ data: uploadReport }),
    status: 201,
    errors: ['not_found', 'unavailable'],
    handler: async ({ scope, body }) => {
      const owner = ownerOf(scope);
      const { topicId, quickstartId } = body.fields;
      await read('checkDocumentPlace', { application: owner.application, topicId, quickstartId });
      return { data: await takeUpload(body, { owner, write, now }) };
    },
  }),
];

const singleRoutes = ({ read, write, now }: DocumentDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/documents',
    summary: 'Create a document',
    description: 'With its first version, which is approved unless the document is a `DRAFT`.',
    scope: 'write',
    body: createDocumentBody,
    response: one,
    status: 201,
    errors: ['not_found'],
    handler: async ({ scope, body: fields }) => {
      const args = { owner: ownerOf(scope), id: randomUUID(), fields, at: now() };
      return { document: await write('createDocument', args) };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/documents/{id}',
    summary: 'Get a document',
    scope: 'read',
    params: byId,
    response: one,
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      document: await read('getDocument', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'PUT',
    path: '/v0/documents/{id}',
    summary: 'Change a document',
    description:
      'Fields that are left out stay as they are. Title and content change with versions; it becomes `ACTIVE` only with an approved one.',
    scope: 'write',
    params: byId,
    body: updateDocumentBody,
    response: one,
    status: 200,
    errors: ['not_found', 'conflict'],
    handler: async ({ scope, params: { id }, body: given }) => {
      const owner = ownerOf(scope);
      await write('updateDocument', { owner, id, given, at: now() });
      return { document: await read('getDocument', { owner, id }) };
    },
  }),

  route({
    method: 'DELETE',
    path: '/v0/documents/{id}',
    summary: 'Delete a document',
    description: 'With all its versions.',
    scope: 'write',
    params: byId,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params: { id } }) => {
      while (await write('deleteOtherVersions', { application, id }));
      await write('deleteDocument', { application, id });
      return undefined;
    },
  }),
];
