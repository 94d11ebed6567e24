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
  externalId: z.string().nullable().describe('What the rows of the file call it.'),
  taskId: uuid
    .nullable()
    .describe(
      'The task that it became an example of, which may have been changed or deleted since; null when the user says nothing in it.',
    ),
  turns: z
    .array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.string() }))
    .describe('What was said, in order: at most 1000 turns and 200000 characters.'),
});
export type Conversation = z.infer<typeof conversation>;

export const conversationsQuery = z.object({
  ...paging(['createdAt', 'id']),
  taskId: several(uuid).describe('Conversations that one of these tasks was made of.'),
});
export type ConversationsQuery = z.output<typeof conversationsQuery>;
