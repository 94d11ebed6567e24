import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';
import { quickstartUpload } from './upload-contract.ts';

export const quickstartStatus = z.enum([
  'UPLOADING',
  'PROCESSING',
  'TASKS_TOPICS_REVIEW',
  'KNOWLEDGE_BASE_REVIEW',
  'POLICIES_REVIEW',
  'STYLE_REVIEW',
  'COMPLETING',
  'COMPLETE',
  'FAILED',
]);
export type QuickstartStatus = z.infer<typeof quickstartStatus>;

const count = z.int().min(0);

const fields = {
  name: shortText,
  styleGuideId: uuid
    .nullable()
    .describe('Style guide; confirming the style scores approves all its sections.'),
};
export type QuickstartFields = z.infer<z.ZodObject<typeof fields>>;

/** Schema of a quickstart in lists. */
export const quickstart = namedObject('ListedQuickstart', {
  ...recordFields,
  ...fields,
  status: quickstartStatus,
  reason: z.string().nullable().describe('Reason for the status `FAILED`, else null.'),
  uploads: z.array(quickstartUpload).describe('Uploads, newest first.'),
});
export type Quickstart = z.input<typeof quickstart>;

export const oneQuickstart = namedObject('Quickstart', {
  ...quickstart.shape,
  counts: z
    .object({ topics: count, tasks: count, definitions: count, documents: count })
    .describe('Numbers of records of the quickstart, including drafts and archived ones.'),
});
export type OneQuickstart = z.input<typeof oneQuickstart>;

export const createQuickstartBody = z.object({
  name: fields.name,
  styleGuideId: fields.styleGuideId.default(null),
});

export const updateQuickstartBody = z
  .object({
    ...fields,
    status: quickstartStatus.describe('The next review, or the previous one.'),
  })
  .partial();
export type QuickstartChanges = z.output<typeof updateQuickstartBody>;

export const quickstartsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'name', 'status', 'id']),
  status: several(quickstartStatus).describe('Quickstarts with one of these statuses. Default: all.'),
});
export type QuickstartsQuery = z.output<typeof quickstartsQuery>;

export const policyCounts = namedObject('PolicyCounts', {
  topicsCount: count.describe('Number of topics of the quickstart that are not archived.'),
  applicationEvalCount: count.describe(
    'Number of evaluation definitions of the quickstart that are linked to no topic.',
  ),
  topicEvalCounts: z
    .array(z.object({ topicId: uuid, evalCount: count }))
    .describe('Its topics, oldest first, at most 10000.'),
});
export type PolicyCounts = z.infer<typeof policyCounts>;

export const quickstartStep = namedObject('QuickstartStep', {
  step: z.enum(['UPLOAD', 'TASKS_TOPICS', 'KNOWLEDGE_BASE', 'POLICIES', 'STYLE']),
  total: count.describe(
    'Number of its records: uploads, tasks, documents, policies with their evaluation definitions, or sections of the style guide.',
  ),
  accepted: count.describe(
    'Number of those that people have accepted: verified drafts, active records, approved sections, and uploads that are completed.',
  ),
  rejected: count.describe('Number of archived records, and of uploads that failed.'),
});
export type QuickstartStep = z.infer<typeof quickstartStep>;

export const confirmStyleScoresBody = z.object({ quickstartId: uuid });
export const confirmedQuickstart = z.object({ quickstartId: uuid, applicationId: uuid });
