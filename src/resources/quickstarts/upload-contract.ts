import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime, uuid } from '../../contract/values.ts';

const materialType = z
  .enum(['conversations', 'knowledge_base', 'policy'])
  .describe(
    '`conversations` become topics and tasks, `knowledge_base` and `policy` become documents; all of them drafts.',
  );
export type MaterialType = z.infer<typeof materialType>;

const uploadStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']);

export const quickstartUpload = namedObject('QuickstartUpload', {
  id: uuid,
  quickstartId: uuid,
  fileName: z.string(),
  fileSize: z.int().describe('In bytes.'),
  status: uploadStatus,
  materialType,
  createdAt: dateTime,
  modifiedAt: dateTime,
  errorMessage: z.string().optional().describe('What is wrong with the file as a whole: with `FAILED` only.'),
});
export type QuickstartUpload = z.input<typeof quickstartUpload>;

const count = z.int().min(0);

export const uploadReport = namedObject('QuickstartUploadReport', {
  rows: count.describe('Rows read so far, without the header.'),
  created: z
    .object({
      topics: count,
      tasks: count,
      inputExamples: count.describe(
        'Prompts added to tasks. Those a task has already, or has no room for, are left out.',
      ),
      conversations: count,
      documents: count,
      definitions: count,
    })
    .describe(
      'What was made of them. Topics and tasks of the quickstart that have the title of a row are taken up.',
    ),
  rejected: z
    .array(
      z.object({ line: count.describe('Where the row begins; the header is on line 1.'), error: z.string() }),
    )
    .describe('The first 100 rows of which nothing was made.'),
  rejectedCount: count,
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
