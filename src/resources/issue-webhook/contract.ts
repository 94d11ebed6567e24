import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { ISSUE_EVENTS } from '../issues/contract.ts';
import { webhookUrl } from '../webhook/url-rules.ts';
import { MESSAGE_STATUSES } from './record.ts';

const kinds = z.array(z.enum(ISSUE_EVENTS));

/** Changes that are reported unless the webhook names others. */
export const DEFAULT_EVENTS = ['CREATED', 'RESOLVED', 'REOPENED', 'REJECTED', 'MERGED'] as const;

export const issueWebhook = namedObject('IssueWebhook', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  url: z.string(),
  events: kinds.describe('Changes that are reported, named as in the activity of an issue.'),
  enabled: z.boolean(),
  createdAt: dateTime,
  modifiedAt: dateTime,
  webhookSecret: z
    .string()
    .optional()
    .describe('Secret that signs the messages. Only in the response that creates it.'),
});

export const saveIssueWebhookBody = z.object({
  url: webhookUrl.optional().describe('URL to which changes are reported. Required in the first call.'),
  events: kinds
    .min(1)
    .max(ISSUE_EVENTS.length)
    .transform((given) => ISSUE_EVENTS.filter((kind) => given.includes(kind)))
    .optional()
    .describe(`Changes to report. Without it, a new webhook reports ${DEFAULT_EVENTS.join(', ')}.`),
  enabled: z.boolean().optional().describe('True to send messages. Without it, a new webhook sends them.'),
});

export const issueMessage = namedObject('IssueMessage', {
  id: uuid.describe('Id of the message, which is in its header `webhook-id` in all attempts.'),
  orgId: z.string(),
  applicationId: uuid,
  type: z
    .string()
    .describe(
      '`issue.` and the change in lower case, such as `issue.reopened`; or `issue.test` for a test message.',
    ),
  issueId: uuid.nullable().describe('Issue that has changed; null for a test message.'),
  eventId: uuid.nullable().describe('Event in the activity of the issue; null for a test message.'),
  status: z
    .enum(MESSAGE_STATUSES)
    .describe('`PENDING` until the receiver has accepted it, or all attempts have failed.'),
  attempts: z.int().describe('Attempts that have ended.'),
  statusCode: z.int().nullable().describe('HTTP status of the last response; null when there was none.'),
  error: z.string().nullable().describe('Why the last attempt failed, with advice; null if it did not.'),
  nextAttemptAt: dateTime.nullable().describe('Earliest time of the next attempt; null when there is none.'),
  finishedAt: dateTime.nullable(),
  createdAt: dateTime,
});
export type IssueMessage = z.input<typeof issueMessage>;

export const issueMessagesQuery = z.object({
  ...paging(['createdAt', 'id']),
  issueId: several(uuid).describe('Messages about one of these issues.'),
  status: several(z.enum(MESSAGE_STATUSES)).describe('Messages with one of these statuses.'),
});
export type IssueMessagesQuery = z.output<typeof issueMessagesQuery>;
