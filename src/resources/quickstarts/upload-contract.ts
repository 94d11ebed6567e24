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
