import { invalid } from '../../contract/errors.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import { enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { notFound } from '../../storage/require-row.ts';
import { oneOfEach } from '../../storage/sql.ts';
import type { IssueEvent } from '../issues/contract.ts';
import { DEFAULT_EVENTS, type IssueMessage, type IssueMessagesQuery } from './contract.ts';
import { ISSUE_MESSAGE, queueMessage } from './message-queue.ts';
import { issueMessages, issueWebhooks, type StoredIssueWebhook } from './record.ts';

/** Milliseconds for which a replaced secret still signs. */
const OLD_SECRET_MS = 24 * 60 * 60 * 1_000;

interface OfApplication {
  application: number;
}

/** Returns the webhook of issues of an application; null when it has none. */
export function getIssueWebhook(
  database: Database,
  { application }: OfApplication,
): StoredIssueWebhook | null {
  const [found] = issueWebhooks.all(database, application, 'true');
  return found ? { ...found, application } : null;
}

interface SaveIssueWebhook extends OfApplication {
  given: {
    url?: string | undefined;
    events?: readonly IssueEvent['kind'][] | undefined;
    enabled?: boolean | undefined;
  };
  fresh: Pick<StoredIssueWebhook, 'id' | 'secret'>;
  at: number;
}

/** Creates or updates the webhook of issues. Throws `invalid` when a new one has no URL. */
function saveIssueWebhook(
  database: Database,
  { application, given, fresh, at }: SaveIssueWebhook,
): { webhook: StoredIssueWebhook; isNew: boolean } {
  const before = getIssueWebhook(database, { application });
  if (before) issueWebhooks.update(database, { application, id: before.id, at }, given);
  else {
    const { url, events = [...DEFAULT_EVENTS], enabled = true } = given;
    if (url === undefined) throw invalid([{ code: 'invalid_type', message: 'Required', path: ['url'] }]);
    issueWebhooks.insert(database, { application, at }, { ...fresh, url, events, enabled });
  }
  return { webhook: requireIssueWebhook(database, application), isNew: !before };
}

function requireIssueWebhook(database: Database, application: number): StoredIssueWebhook {
  const found = getIssueWebhook(database, { application });
  if (!found) throw notFound('issue webhook');
  return found;
}

/** Replaces the secret of the webhook of issues; throws `not_found`. */
function rotateIssueSecret(
  database: Database,
  { application, secret, at }: OfApplication & { secret: Uint8Array; at: number },
): StoredIssueWebhook {
  const before = requireIssueWebhook(database, application);
  const previous = { previousSecret: before.secret, previousUntil: at + OLD_SECRET_MS };
  issueWebhooks.update(database, { application, id: before.id, at }, { ...previous, secret });
  return requireIssueWebhook(database, application);
}

/** Deletes the webhook of issues; throws `not_found`. Messages that wait fail with their next attempt. */
function deleteIssueWebhook(database: Database, { application }: OfApplication): void {
  if (database.run('DELETE FROM issue_webhook WHERE application = :application', { application }) === 0)
    throw notFound('issue webhook');
}

/** Queues a test message. Throws `not_found`, and `conflict` for a disabled webhook. */
function sendTestMessage(database: Database, { owner, at }: { owner: Owner; at: number }): IssueMessage {
  const { application } = owner;
  if (!requireIssueWebhook(database, application).enabled)
    throw new AppError('conflict', 'The issue webhook is disabled; enable it first');
  const id = queueMessage(database, { application, type: 'issue.test', issueId: null, eventId: null, at });
  return getIssueMessage(database, { owner, id });
}

/** Queues a message again that was delivered or has failed. Throws `not_found` and `conflict`. */
function replayIssueMessage(database: Database, { owner, id, at }: ById & { at: number }): IssueMessage {
  const { application } = owner;
  if (issueMessages.require(database, application, id).status === 'PENDING')
    throw new AppError('conflict', 'The message is PENDING; it is sent without a replay');
  requireIssueWebhook(database, application);
  issueMessages.update(
    database,
    { application, id, at },
    { status: 'PENDING', attempts: 0, nextAttemptAt: at, finishedAt: null },
  );
  enqueueJob(database, { application, kind: ISSUE_MESSAGE, key: id, dueAt: at, at });
  return getIssueMessage(database, { owner, id });
}

function listIssueMessages(
  database: Database,
  { owner, query }: { owner: Owner; query: IssueMessagesQuery },
): ListOf<IssueMessage> {
  const where = oneOfEach({ issue_id: query.issueId, status: query.status });
  return issueMessages.list(database, owner, { where, page: query });
}

/** Returns a message; throws `not_found`. */
const getIssueMessage = (database: Database, key: ById): IssueMessage => issueMessages.get(database, key);

export const issueWebhookCommands = {
  saveIssueWebhook,
  rotateIssueSecret,
  deleteIssueWebhook,
  sendTestMessage,
  replayIssueMessage,
};
export const issueWebhookQueries = { getIssueWebhook, listIssueMessages, getIssueMessage };
