import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';
import { definitionsOfTopic, evalDefinitionLinks } from '../definitions/contract.ts';

const status = z.enum(['DRAFT', 'ACTIVE', 'ARCHIVED']);

export const topic = namedObject('Topic', {
  ...recordFields,
  title: z.string(),
  description: z.string().nullable(),
  baseline: z.number().nullable().describe('Number to compare later results with; it has no effect.'),
  status,
  quickstartId: uuid.nullable(),
  assignedTo: z.string().nullable(),
  isInScope: z.boolean().describe('False if the app should not handle the topic.'),
  isTasksVerified: z.boolean(),
  isDocumentsVerified: z.boolean(),
  isKnowledgeBaseVerified: z.boolean(),
  isPoliciesVerified: z.boolean(),
  evalDefinitions: definitionsOfTopic,
});
export type Topic = z.input<typeof topic>;

const fields = {
  title: shortText,
  description: z.string().max(10_000).nullable(),
  baseline: z.number().nullable(),
  status,
  assignedTo: z.string().max(256).nullable().describe('Identifier of the user who is responsible.'),
  isInScope: z.boolean(),
  isTasksVerified: z.boolean(),
  isDocumentsVerified: z.boolean(),
  isKnowledgeBaseVerified: z.boolean(),
  isPoliciesVerified: z.boolean(),
};
export type TopicFields = z.infer<z.ZodObject<typeof fields>>;

export const createTopicBody = z.object({
  title: fields.title,
  description: fields.description.default(null),
  baseline: fields.baseline.default(null),
  status: status.default('ACTIVE'),
  assignedTo: fields.assignedTo.default(null),
  isInScope: fields.isInScope.default(true),
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

const flagFilter = (meaning: string) =>
  queryBoolean.optional().describe(`True for topics that ${meaning}, false for the others.`);

export const topicsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'title', 'status', 'id']),
  status: several(status).describe('Topics with one of these statuses. Default: `DRAFT` and `ACTIVE`.'),
  title: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Topics with this text in their title, ignoring case.'),
  isInScope: flagFilter('are in scope'),
  isTasksVerified: flagFilter('have verified tasks'),
  isDocumentsVerified: flagFilter('have verified documents'),
  isKnowledgeBaseVerified: flagFilter('have a verified knowledge base'),
  isPoliciesVerified: flagFilter('have verified policies'),
});
export type TopicsQuery = z.output<typeof topicsQuery>;
