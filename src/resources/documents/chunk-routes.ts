import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { pagination } from '../../contract/paging.ts';
import { type Route, route } from '../../contract/route.ts';
import type { Read } from '../../storage/calls.ts';
import { countByAssignee, listChunks } from './calls.ts';
import {
  type AssigneeCount,
  assigneeCount,
  assigneeCountsQuery,
  chunk,
  chunksQuery,
  type DocumentChunk,
} from './contract.ts';
import { exampleText } from './example.ts';

const exampleCount: AssigneeCount = { assignee: 'ada', count: 12 };
const exampleChunk: DocumentChunk = {
  documentId: ID.document,
  versionNumber: 1,
  index: 0,
  title: 'Returns',
  text: exampleText,
  start: 0,
  end: exampleText.length,
};

/** Routes that collect data of many documents. */
export const chunkRoutes = ({ read }: { read: Read }): Route[] => [
  route({
    method: 'GET',
    path: '/v0/documents/count-by-assignee',
    operationId: 'countDocumentsByAssignee',
    group: 'Documents',
    summary: 'Count documents by assignee',
    description:
      'Counts over all applications of the organisation, the largest count first, at most 10000 entries. Documents without an assignee are not counted.',
    scope: 'read',
    query: assigneeCountsQuery,
    response: z.object({ data: z.array(assigneeCount) }),
    example: { response: { data: [exampleCount] } },
    handler: async ({ principal: { organisation }, query }) => ({
      data: await read(countByAssignee, { organisation, ...query }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v0/documents/chunked',
    operationId: 'listDocumentChunks',
    group: 'Documents',
    summary: 'List the chunks of documents',
    description:
      'Splits the approved content of `ACTIVE` documents into chunks for retrieval, ordered by document and position. A chunk ends before a heading or, where it would exceed 1200 characters, after a paragraph, a line, a sentence or a word. The chunks of a document together are its complete content.',
    scope: 'read',
    query: chunksQuery,
    response: z.object({ data: z.array(chunk), pagination }),
    example: { response: page([exampleChunk]) },
    handler: ({ principal: { application }, query }) => read(listChunks, { application, query }),
  }),
];
