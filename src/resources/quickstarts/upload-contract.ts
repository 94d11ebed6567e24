import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime, uuid } from '../../contract/values.ts';

const materialType = z
  .enum(['conversations', 'knowledge_base', 'policy'])
  .describe(
    '`conversations` create topics and tasks, `knowledge_base` and `policy` create documents; all of them drafts.',
  );
export type MaterialType = z.infer<typeof materialType>;

const uploadStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']);

export const quickstartUpload = namedObject('QuickstartUpload', {
  id: uuid,
  quickstartId: uuid,
  fileName: z.string(),
  fileSize: z.int().describe('Size in bytes.'),
  status: uploadStatus,
  materialType,
  createdAt: dateTime,
  modifiedAt: dateTime,
  errorMessage: z.string().optional().describe('Fault of the complete file; for `FAILED` only.'),
});
export type QuickstartUpload = z.input<typeof quickstartUpload>;

const count = z.int().min(0);

/** Most existing topics and tasks that the report of an upload names. */
export const MAX_REUSED = 100;

export const uploadReport = namedObject('QuickstartUploadReport', {
  rows: count.describe('Number of rows read so far, without the header.'),
  created: z
    .object({
      topics: count,
      tasks: count,
      inputExamples: count.describe(
        'Number of prompts added to tasks, without duplicates and those beyond the limit of a task.',
      ),
      conversations: count,
      documents: count,
      definitions: count,
    })
    .describe(
      'Numbers of created records. Existing topics and tasks of the quickstart with the title of a row are reused.',
    ),
  startedAt: dateTime
    .optional()
    .describe('When the first rows were stored; absent until then, and in reports of earlier versions.'),
  reused: z
    .array(z.object({ type: z.enum(['topic', 'task']), id: uuid, title: z.string() }))
    .optional()
    .describe(
      `First ${MAX_REUSED} topics and tasks of the quickstart that existed before and that rows were added to. An upload replaces nothing: documents and definitions are created beside those with the same title.`,
    ),
  notCarried: z
    .object({
      knownPrompts: count.describe('Prompts that their task already has.'),
      promptsBeyondLimit: count.describe('Prompts for which their task has no room.'),
    })
    .optional()
    .describe('Numbers of prompts that were not added to a task. Their conversations are stored.'),
  rejected: z
    .array(
      z.object({
        line: count.describe('Line on which the row begins; the header is on line 1.'),
        error: z.string(),
      }),
    )
    .describe('First 100 rows that created no record.'),
  rejectedCount: count,
  unusedColumns: z
    .array(z.string())
    .optional()
    .describe('Columns of the file that nothing was taken from; absent until the first rows are stored.'),
});
export type UploadReport = z.infer<typeof uploadReport>;

export const uploadWithReport = namedObject('QuickstartUploadWithReport', {
  ...quickstartUpload.shape,
  report: uploadReport,
});
export type UploadWithReport = z.input<typeof uploadWithReport>;

export const uploadFields = z.object({
  quickstartId: uuid,
  materialType: materialType.default('conversations'),
});

export const uploadsQuery = z.object({
  quickstartId: uuid.optional().describe('Uploads of this quickstart.'),
});
