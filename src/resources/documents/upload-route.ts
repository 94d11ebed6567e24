import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { upload } from '../../contract/upload.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { checkDocumentPlace } from './calls.ts';
import { type DocumentUploadReport, documentUploadFields, documentUploadReport } from './contract.ts';
import { takeUpload } from './take-upload.ts';
import { DOCUMENT_EXTENSIONS } from './upload-file.ts';

type UploadDeps = StoreCalls;

const exampleReport: DocumentUploadReport = {
  fileProcessingId: ID.upload,
  created: 1,
  documentIds: [ID.document],
  rejected: [{ line: 3, error: 'content: must contain text' }],
  rejectedCount: 1,
};

export const uploadRoute = ({ read, write, now }: UploadDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/documents/upload',
    operationId: 'uploadDocuments',
    group: 'Documents',
    summary: 'Create documents from a file',
    description:
      'A text or Markdown file creates one document. A CSV file creates one document per row: its header names the columns `title` and `content`, and optionally `assignee`, `language` and `topicId`, which take precedence over the fields of the form; other columns become metadata of the version. Invalid rows are reported by line, and valid rows are kept. The file must be UTF-8 and at most 32 MiB; at most 100000 rows are read. One content can have at most 1 MiB.',
    scope: 'write',
    body: upload({ fields: documentUploadFields, extensions: DOCUMENT_EXTENSIONS }),
    response: z.object({ data: documentUploadReport }),
    example: { response: { data: exampleReport } },
    status: 201,
    errors: ['not_found', 'unavailable'],
    handler: async ({ principal, body }) => {
      const owner = ownerOf(principal);
      const { topicId, quickstartId } = body.fields;
      await read(checkDocumentPlace, { application: owner.application, topicId, quickstartId });
      return { data: await takeUpload(body, { owner, write, now }) };
    },
  });
