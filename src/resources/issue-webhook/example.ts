import type { z } from 'zod';
import { AT, dates, ID, owner } from '../../contract/example-values.ts';
import { DEFAULT_EVENTS, type IssueMessage, type issueWebhook } from './contract.ts';

export const exampleIssueWebhook: z.input<typeof issueWebhook> = {
  id: ID.issueWebhook,
  ...owner,
  url: 'https://app.example.com/touchstone',
  events: [...DEFAULT_EVENTS],
  enabled: true,
  ...dates,
};

export const exampleIssueMessage: IssueMessage = {
  id: ID.issueMessage,
  ...owner,
  type: 'issue.reopened',
  issueId: ID.issue,
  eventId: '0728a0b3-b3c4-41f1-82a3-7f8091a2b321',
  status: 'DELIVERED',
  attempts: 1,
  statusCode: 204,
  error: null,
  nextAttemptAt: null,
  finishedAt: '2026-01-31T12:00:01.310Z',
  createdAt: AT,
};
