import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Route, route } from '../../contract/route.ts';
import { upload } from '../../contract/upload.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { CONVERSATIONS, DOCUMENTS } from './materials.ts';
import type { quickstartCommands, quickstartQueries } from './store.ts';
import { dropParts, storeParts } from './upload-parts.ts';
import { quickstartUpload, uploadFields, uploadsQuery, uploadWithReport } from './upload-contract.ts';

export interface QuickstartDeps {
  read: Call<typeof quickstartQueries>;
  write: Call<ReturnType<typeof quickstartCommands>>;
  now: () => number;
  /** Told after there is a job to do. */
  onEnqueued: () => void;
}

/** The names of a column, as prose. */
const named = ([first, ...others]: readonly string[]): string =>
  `\`${first}\` (or ${others.map((name) => `\`${name}\``).join(', ')})`;

export const uploadRoutes = ({ read, write, now, onEnqueued }: QuickstartDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v1/quickstarts/uploads',
    summary: 'Upload a CSV file to a quickstart',
    description: [
      'The file is kept when the answer comes, and processed afterwards: the quickstart is `PROCESSING` until all its uploads are, then in `TASKS_TOPICS_REVIEW`, whichever review it was in before. A quickstart takes at most 100 uploads, and none once its style scores are confirmed: 409.',
      'The first line names the columns, in any order, in upper or lower case; others than these are ignored.',
      `\`conversations\`: ${named(CONVERSATIONS.input)}, and if you like ${named(CONVERSATIONS.output)}, ${named(CONVERSATIONS.topic)}, ${named(CONVERSATIONS.task)} and ${named(CONVERSATIONS.conversation)}, which the rows of one conversation share, in order. Or one message a row: ${named(CONVERSATIONS.conversation)}, ${named(CONVERSATIONS.role)}, one of \`user\`, \`assistant\` and \`system\`, and ${named(CONVERSATIONS.content)}. What the user says first becomes an input example of a task; that row names the task and its topic, else the task is named by what was said.`,
      `\`knowledge_base\` and \`policy\`: ${named(DOCUMENTS.title)} and ${named(DOCUMENTS.content)}, and if you like ${named(DOCUMENTS.topic)}. A policy with a \`criterion\` becomes an evaluation definition too.`,
    ].join('\n\n'),
    scope: 'write',
    body: upload({ fields: uploadFields, extensions: ['.csv'] }),
    response: z.object({ data: quickstartUpload }),
    status: 201,
    errors: ['not_found', 'conflict', 'too_large', 'unavailable'],
    handler: async ({ scope: { application }, body: { fields, file } }) => {
      const { quickstartId, materialType } = fields;
      await read('checkUploadable', { application, quickstartId });
      const id = randomUUID();
      try {
        await storeParts(write, { application, id }, file.stream);
        const { name: fileName, size: fileSize } = file;
        const made = { application, id, quickstartId, fileName, fileSize, materialType, at: now() };
        const data = await write('createUpload', made);
        onEnqueued();
        return { data };
      } catch (error) {
        // What can't be removed now is removed by the next start.
        await dropParts(write, { application, id }).catch(() => undefined);
        throw error;
      }
    },
  }),

  route({
    method: 'GET',
    path: '/v1/quickstarts/uploads',
    summary: 'List the uploads to quickstarts',
    description: 'The newest first: all of one quickstart, or the last 1000 of the application.',
    scope: 'read',
    query: uploadsQuery,
    response: z.object({ data: z.array(quickstartUpload) }),
    status: 200,
    handler: async ({ scope: { application }, query: { quickstartId } }) => ({
      data: await read('listUploads', { application, quickstartId }),
    }),
  }),

  route({
    method: 'GET',
    path: '/v1/quickstarts/uploads/{id}',
    summary: 'Get an upload and what became of its rows',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: uploadWithReport }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope: { application }, params: { id } }) => ({
      data: await read('getUpload', { application, id }),
    }),
  }),
];
