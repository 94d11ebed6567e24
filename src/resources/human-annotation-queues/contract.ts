import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { shortText, uuid } from '../../contract/values.ts';

export const annotationQueue = namedObject('AnnotationQueue', {
  ...recordFields,
  topicId: uuid.nullable(),
  title: z.string(),
  assigneeId: z.string().nullable(),
  pendingCount: z.int().describe('Number of items that are neither completed nor expired.'),
  completedCount: z.int().describe('Number of completed items.'),
});
export type AnnotationQueue = z.input<typeof annotationQueue>;

const fields = {
  title: shortText,
  topicId: uuid.nullable(),
  assigneeId: shortText.nullable().describe('Identifier of the user who judges the items.'),
};
export type QueueFields = z.infer<z.ZodObject<typeof fields>>;

export const createQueueBody = z.object({
  title: fields.title,
  topicId: fields.topicId.default(null),
  assigneeId: fields.assigneeId.default(null),
});

export const updateQueueBody = z.object(fields).partial();
export type GivenQueueFields = z.output<typeof updateQueueBody>;

export const queuesQuery = z.object(paging(['createdAt', 'modifiedAt', 'title', 'id']));
export type QueuesQuery = z.output<typeof queuesQuery>;
