import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { issueSendCommands, issueSendQueries } from './send-store.ts';
import type { issueWebhookCommands, issueWebhookQueries } from './store.ts';

export const { getIssueWebhook, listIssueMessages, getIssueMessage } =
  queriesOf<typeof issueWebhookQueries>();
export const {
  saveIssueWebhook,
  rotateIssueSecret,
  deleteIssueWebhook,
  sendTestMessage,
  replayIssueMessage,
} = commandsOf<typeof issueWebhookCommands>();
export const { issueMessageWork } = queriesOf<typeof issueSendQueries>();
export const { endMessageAttempt, dropMessageJob } = commandsOf<typeof issueSendCommands>();
