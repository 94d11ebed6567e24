import { asIs, bytes, flag, json, nullable, number, text, time } from '../../storage/column.ts';
import { type FieldsOf, record, table } from '../../storage/record.ts';
import type { IssueEvent } from '../issues/contract.ts';

/** Statuses of a message: it waits for its next attempt, was accepted, or is no longer sent. */
export const MESSAGE_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** Endpoint to which changes of issues of an application are reported. Secrets are encrypted. */
export const issueWebhooks = record('issue_webhook', 'issue webhook', {
  url: text,
  secret: bytes,
  /** Previous secret, which signs until `previousUntil`, in Unix milliseconds. */
  previousSecret: nullable(bytes),
  previousUntil: nullable(number),
  events: json<readonly IssueEvent['kind'][]>(),
  enabled: flag,
});
export type StoredIssueWebhook = FieldsOf<typeof issueWebhooks> & { application: number };

export const issueMessages = table('issue_message', 'message', {
  id: text,
  type: text,
  issueId: nullable(text),
  eventId: nullable(text),
  status: asIs<(typeof MESSAGE_STATUSES)[number]>(),
  attempts: number,
  statusCode: nullable(number),
  error: nullable(text),
  nextAttemptAt: nullable(time),
  finishedAt: nullable(time),
  createdAt: time,
});
