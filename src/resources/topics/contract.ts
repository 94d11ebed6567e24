import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { evalDefinitionLinks, linkedDefinitions } from '../definitions/contract.ts';

const status = z.enum(['DRAFT', 'ACTIVE', 'ARCHIVED']);

export const topic = namedObject('Topic', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  title: z.string(),
  baseline: z.string().nullable(),
  status,
  quickstartId: uuid.nullable(),
  assignedTo: z.string().nullable(),
  isTasksVerified: z.boolean(),
  isDocumentsVerified: z.boolean(),
  isKnowledgeBaseVerified: z.boolean(),
  isPoliciesVerified: z.boolean(),
  evalDefinitions: linkedDefinitions,
});
export type Topic = z.input<typeof topic>;

const fields = {
  title: z.string().trim().min(1).max(256),
  baseline: z.string().max(10_000).nullable(),
  status,
  assignedTo: z.string().max(256).nullable().describe('Identifier of the user who is responsible.'),
  isTasksVerified: z.boolean(),
  isDocumentsVerified: z.boolean(),
  isKnowledgeBaseVerified: z.boolean(),
  isPoliciesVerified: z.boolean(),
};
export type TopicFields = z.infer<z.ZodObject<typeof fields>>;

export const createTopicBody = z.object({
  title: fields.title,
  baseline: fields.baseline.default(null),
  status: status.default('ACTIVE'),
  assignedTo: fields.assignedTo.default(null),
  isTasksVerified: fields.isTasksVerified.default(false),
  isDocumentsVerified: fields.isDocumentsVerified.default(false),
  isKnowledgeBaseVerified: fields.isKnowledgeBaseVerified.default(false),
  isPoliciesVerified: fields.isPoliciesVerified.default(false),
  quickstartId: uuid.nullable().default(null),
  evalDefinitions: evalDefinitionLinks.default([]),
});
export type NewTopicFields = z.output<typeof createTopicBody>;

export const updateTopicBody = z.object({ ...fields, evalDefinitions: evalDefinitionLinks }).partial();
export type GivenTopicFields = z.output<typeof updateTopicBody>;

export const archiveTopicBody = z
  .object({ cascade: z.boolean().default(false).describe('True to archive its tasks too.') })
  .default({ cascade: false });

export const topicsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'title', 'status', 'id']),
  status: several(status).describe('Topics with one of these statuses. Default: `DRAFT` and `ACTIVE`.'),
});
export type TopicsQuery = z.output<typeof topicsQuery>;
