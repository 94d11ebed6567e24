import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
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
  name: z.string().trim().min(1).max(256),
  styleGuideId: uuid.nullable().describe('Confirming the style scores approves all its sections.'),
};
export type QuickstartFields = z.infer<z.ZodObject<typeof fields>>;

/** A quickstart as lists show it. */
export const quickstart = namedObject('ListedQuickstart', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  ...fields,
  status: quickstartStatus,
  reason: z.string().nullable().describe('Why it is `FAILED`, else null.'),
  uploads: z.array(quickstartUpload).describe('The newest first.'),
});
export type Quickstart = z.input<typeof quickstart>;

export const oneQuickstart = namedObject('Quickstart', {
  ...quickstart.shape,
  counts: z
    .object({ topics: count, tasks: count, definitions: count, documents: count })
    .describe('What belongs to the quickstart, drafts and archived ones too.'),
});
export type OneQuickstart = z.input<typeof oneQuickstart>;

export const createQuickstartBody = z.object({
  name: fields.name,
  styleGuideId: fields.styleGuideId.default(null),
});

export const updateQuickstartBody = z
  .object({
    ...fields,
    status: quickstartStatus.describe('The next review, or the one before.'),
  })
  .partial();
export type QuickstartChanges = z.output<typeof updateQuickstartBody>;

export const quickstartsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'name', 'status', 'id']),
  status: several(quickstartStatus).describe('Quickstarts in one of these states. Default: all.'),
});
export type QuickstartsQuery = z.output<typeof quickstartsQuery>;

export const policyCounts = namedObject('PolicyCounts', {
  topicsCount: count.describe('Topics of the quickstart that are not archived.'),
  applicationEvalCount: count.describe(
    'Evaluation definitions of the quickstart that are linked to no topic.',
  ),
  topicEvalCounts: z
    .array(z.object({ topicId: uuid, evalCount: count }))
    .describe('Its topics, the oldest first: at most 10000 of them.'),
});
export type PolicyCounts = z.infer<typeof policyCounts>;

export const confirmStyleScoresBody = z.object({ quickstartId: uuid });
export const confirmedQuickstart = z.object({ quickstartId: uuid, applicationId: uuid });
