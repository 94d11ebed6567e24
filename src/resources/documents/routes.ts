import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { pagination } from '../../contract/paging.ts';
import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  createDocument,
  deleteDocument,
  deleteOtherVersions,
  getDocument,
  listDocuments,
  updateDocument,
} from './calls.ts';
import {
  createDocumentBody,
  document,
  documentEntry,
  documentsQuery,
  updateDocumentBody,
} from './contract.ts';
import { exampleDocument, exampleDocumentEntry, exampleText } from './example.ts';
import { chunkRoutes } from './chunk-routes.ts';
import { uploadRoute } from './upload-route.ts';
import { versionRoutes } from './version-routes.ts';

type DocumentDeps = StoreCalls;

export const documentRoutes = (deps: DocumentDeps): Route[] => [
  ...singleRoutes(deps),
  ...chunkRoutes(deps),
  uploadRoute(deps),
  ...versionRoutes(deps),
];

function singleRoutes({ read, write, now }: DocumentDeps): Route[] {
  const documents = recordRoutes({
    path: '/v0/documents',
    group: 'Documents',
    record: document,
    key: 'document',
    example: exampleDocument,
    now,
  });
  return [
    documents.create({
      operationId: 'createDocument',
      summary: 'Create a document',
      description: 'Also creates its first version, which is approved unless the document is a `DRAFT`.',
      body: createDocumentBody,
      example: {
        body: { title: 'Returns', content: exampleText, type: 'POLICY', topicId: ID.topic, assignee: 'ada' },
      },
      errors: ['not_found'],
      handler: (args) => write(createDocument, args),
    }),
    documents.list({
      operationId: 'listDocuments',
      summary: 'List documents',
      description: 'Contents are truncated; get a single document for all of its content.',
      query: documentsQuery,
      response: z.object({ data: z.array(documentEntry), pagination }),
      example: page([exampleDocumentEntry]),
      handler: (args) => read(listDocuments, args),
    }),
    documents.get({
      operationId: 'getDocument',
      summary: 'Get a document',
      handler: (args) => read(getDocument, args),
    }),
    documents.update({
      operationId: 'updateDocument',
      summary: 'Update a document',
      description:
        'Title and content change with versions. A document becomes `ACTIVE` only if it has an approved version.',
      body: updateDocumentBody,
      example: { topicId: null },
      errors: ['conflict'],
      handler: async (args) => {
        await write(updateDocument, args);
        return read(getDocument, { owner: args.owner, id: args.id });
      },
    }),
    documents.remove({
      operationId: 'deleteDocument',
      summary: 'Delete a document',
      description: 'Also deletes all its versions.',
      handler: async ({ owner: { application }, id }) => {
        while (await write(deleteOtherVersions, { application, id }));
        await write(deleteDocument, { application, id });
      },
    }),
  ];
}
