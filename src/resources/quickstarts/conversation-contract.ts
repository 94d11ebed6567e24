import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';

export const conversation = namedObject('Conversation', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  quickstartId: uuid,
  uploadId: uuid,
  externalId: z.string().nullable().describe('Id of the conversation in the file.'),
  taskId: uuid
    .nullable()
    .describe(
      'Task that received the conversation as an example, which may have been changed or deleted since; null when it has no message of the user.',
    ),
  turns: z
    .array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.string() }))
    .describe('Messages in order, at most 1000 turns and 200000 characters.'),
});
export type Conversation = z.infer<typeof conversation>;

export const conversationsQuery = z.object({
  ...paging(['createdAt', 'id']),
  taskId: several(uuid).describe('Conversations from which one of these tasks was created.'),
});
export type ConversationsQuery = z.output<typeof conversationsQuery>;
