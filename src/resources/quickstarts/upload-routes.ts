import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { upload } from '../../contract/upload.ts';
import { uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { checkUploadable, createUpload, getUpload, listUploads } from './calls.ts';
import { exampleReport, exampleUpload } from './example.ts';
import { CONVERSATIONS, DOCUMENTS } from './import-columns.ts';
import { dropParts, storeParts } from './upload-parts.ts';
import { quickstartUpload, uploadFields, uploadsQuery, uploadWithReport } from './upload-contract.ts';

export interface QuickstartDeps extends StoreCalls {
  /** Called after a job was queued. */
  onEnqueued: () => void;
}

/** Lists the names of a column in a sentence. */
const named = ([first, ...others]: readonly string[]): string =>
  `\`${first}\` (or ${others.map((name) => `\`${name}\``).join(', ')})`;

export const uploadRoutes = (deps: QuickstartDeps): Route[] => [
  uploadMaterialRoute(deps),
  listUploadsRoute(deps),
  getUploadRoute(deps),
];

const uploadMaterialRoute = ({ read, write, now, onEnqueued }: QuickstartDeps): Route =>
  route({
    method: 'POST',
    path: '/v1/quickstarts/uploads',
    operationId: 'uploadMaterial',
    group: 'Quickstarts',
    summary: 'Upload a CSV file to a quickstart',
    description: [
      'The response is sent once the file is stored. It is then processed: the quickstart is `PROCESSING` until all its uploads are processed, and then in `TASKS_TOPICS_REVIEW`, whichever review it was in before. A quickstart accepts at most 100 uploads, and none after its style scores are confirmed (409).',
      'The first line contains the column names, in any order and case; unknown columns are ignored.',
      `\`conversations\`: ${named(CONVERSATIONS.input)}, and optionally ${named(CONVERSATIONS.output)}, ${named(CONVERSATIONS.topic)}, ${named(CONVERSATIONS.task)} and ${named(CONVERSATIONS.conversation)}, which the rows of one conversation share, in order. Or one message per row: ${named(CONVERSATIONS.conversation)}, ${named(CONVERSATIONS.role)}, one of \`user\`, \`assistant\` and \`system\`, and ${named(CONVERSATIONS.content)}. The first message of the user becomes an input example of a task, and the first answer after it what is expected; its row names the task and the topic, or the message itself becomes the name of the task.`,
      `\`knowledge_base\` and \`policy\`: ${named(DOCUMENTS.title)} and ${named(DOCUMENTS.content)}, and optionally ${named(DOCUMENTS.topic)}. A policy with a \`criterion\` also becomes an evaluation definition.`,
    ].join('\n\n'),
    scope: 'write',
    body: upload({ fields: uploadFields, extensions: ['.csv'] }),
    response: z.object({ data: quickstartUpload }),
    example: { response: { data: { ...exampleUpload, status: 'PENDING' } } },
    status: 201,
    errors: ['not_found', 'conflict', 'too_large', 'unavailable'],
    handler: async ({ principal: { application }, body: { fields, file } }) => {
      const { quickstartId, materialType } = fields;
      await read(checkUploadable, { application, quickstartId });
      const id = randomUUID();
      try {
        await storeParts(write, { application, id }, file.stream);
        const { name: fileName, size: fileSize } = file;
        const made = { application, id, quickstartId, fileName, fileSize, materialType, at: now() };
        const data = await write(createUpload, made);
        onEnqueued();
        return { data };
      } catch (error) {
        // Parts that cannot be removed now are removed at the next start.
        await dropParts(write, { application, id }).catch(() => undefined);
        throw error;
      }
    },
  });

const listUploadsRoute = ({ read }: QuickstartDeps): Route =>
  route({
    method: 'GET',
    path: '/v1/quickstarts/uploads',
    operationId: 'listUploads',
    group: 'Quickstarts',
    summary: 'List uploads to quickstarts',
    description: 'Newest first: all uploads to one quickstart, or the last 1000 of the application.',
    scope: 'read',
    query: uploadsQuery,
    response: z.object({ data: z.array(quickstartUpload) }),
    example: { response: { data: [exampleUpload] } },
    handler: async ({ principal: { application }, query: { quickstartId } }) => ({
      data: await read(listUploads, { application, quickstartId }),
    }),
  });

const getUploadRoute = ({ read }: QuickstartDeps): Route =>
  route({
    method: 'GET',
    path: '/v1/quickstarts/uploads/{id}',
    operationId: 'getUpload',
    group: 'Quickstarts',
    summary: 'Get an upload and the report on its rows',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: uploadWithReport }),
    example: { response: { data: { ...exampleUpload, report: exampleReport } } },
    errors: ['not_found'],
    handler: async ({ principal: { application }, params: { id } }) => ({
      data: await read(getUpload, { application, id }),
    }),
  });
