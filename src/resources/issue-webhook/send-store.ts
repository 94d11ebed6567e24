import { canonicalJson } from '../../contract/canonical-json.ts';
import { finishJob, retryJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import { readOwner } from '../applications/read-application.ts';
import { issueEvents, issues } from '../issues/record.ts';
import { issueMessages, type StoredIssueWebhook } from './record.ts';
import { getIssueWebhook } from './store.ts';

/** Pauses before the second and further attempts, in milliseconds. */
const PAUSES = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];

interface OfMessage {
  application: number;
  id: string;
}

/** Message that an attempt sends, or the reason why there is none. */
type MessageWork = { webhook: StoredIssueWebhook; body: string } | { error: string };

/** Returns what the next attempt of a message sends; null if it no longer waits. `base`: URL of the dashboard, if it is known. */
function issueMessageWork(
  database: Database,
  { application, id, base }: OfMessage & { base: string | null },
): MessageWork | null {
  const message = issueMessages.find(database, application, id);
  if (message?.status !== 'PENDING') return null;
  const webhook = getIssueWebhook(database, { application });
  if (webhook?.enabled !== true)
    return {
      error: `The issue webhook was ${webhook ? 'disabled' : 'deleted'} before the message was sent.`,
    };
  const { orgId, applicationId } = readOwner(database, { application });
  const { type, issueId, eventId, createdAt } = message;
  const about = issueId === null ? NO_ISSUE : aboutIssue(database, { application, issueId, eventId, base });
  if (about === null) return { error: 'The issue was deleted before the message was sent.' };
  return { webhook, body: canonicalJson({ id, type, createdAt, orgId, applicationId, ...about }) };
}

const NO_ISSUE = { issue: null, event: null };

/** Returns an issue as it is now, with one of its events; null if one of both is gone. */
function aboutIssue(
  database: Database,
  {
    application,
    issueId,
    eventId,
    base,
  }: { application: number; issueId: string; eventId: string | null; base: string | null },
) {
  const found = issues.find(database, application, issueId);
  const event = eventId === null ? undefined : issueEvents.find(database, application, eventId);
  if (!found || !event) return null;
  const { id, number, title, status, type, source, priority, ownerId, taskId, topicId } = found;
  const { evalDefinitionId, linkCount, createdAt, modifiedAt, reopenedAt, resolution, rejection } = found;
  const target = found.mergedInto === null ? undefined : issues.find(database, application, found.mergedInto);
  return {
    issue: {
      id,
      number,
      title,
      status,
      type,
      source,
      priority,
      ownerId,
      taskId,
      topicId,
      evalDefinitionId,
      linkCount,
      createdAt,
      modifiedAt,
      reopenedAt,
      url: base === null ? null : `${base}/issues/${number}`,
      resolution: resolution && {
        at: resolution.at,
        reason: resolution.reason,
        withoutEvidence: resolution.withoutEvidence,
      },
      rejection: rejection && { at: rejection.at, reason: rejection.reason },
      mergedInto: target ? { id: target.id, number: target.number } : null,
    },
    event: {
      id: event.id,
      kind: event.kind,
      createdAt: event.createdAt,
      by: { type: event.actorType, id: event.actorId, name: event.actorName },
      ...event.detail,
    },
  };
}

/** Result of an attempt. */
interface AttemptResult extends OfMessage {
  jobId: number;
  statusCode: number | null;
  /** Reason why it failed; null if the receiver accepted the message. */
  error: string | null;
  /** True if no further attempt can help. */
  isFinal: boolean;
  /** Number from 0 to 1 that spreads attempts. */
  random: number;
  at: number;
}

type MessageOutcome = 'delivered' | 'retried' | 'failed';

/** Stores the result of an attempt and plans the next one; returns what becomes of the message. */
function endMessageAttempt(
  database: Database,
  { application, id, jobId, statusCode, error, isFinal, random, at }: AttemptResult,
): MessageOutcome {
  const message = issueMessages.find(database, application, id);
  const attempts = (message?.attempts ?? 0) + 1;
  const pause = message?.issueId === null ? undefined : PAUSES[attempts - 1];
  const outcome = error === null ? 'delivered' : isFinal || pause === undefined ? 'failed' : 'retried';
  const nextAttemptAt =
    outcome === 'retried' && pause !== undefined ? at + Math.round(pause * (0.8 + 0.4 * random)) : null;
  if (message)
    issueMessages.update(
      database,
      { application, id, at },
      {
        status: STATUS_OF[outcome],
        attempts,
        statusCode,
        error,
        nextAttemptAt,
        finishedAt: outcome === 'retried' ? null : at,
      },
    );
  if (message && nextAttemptAt !== null)
    retryJob(database, { id: jobId, dueAt: nextAttemptAt, reason: error ?? '' });
  else finishJob(database, jobId);
  return outcome;
}

const STATUS_OF = { delivered: 'DELIVERED', retried: 'PENDING', failed: 'FAILED' } as const;

/** Removes the job of a message that no longer waits. */
const dropMessageJob = (database: Database, { jobId }: { application: number; jobId: number }): void =>
  finishJob(database, jobId);

export const issueSendCommands = { endMessageAttempt, dropMessageJob };
export const issueSendQueries = { issueMessageWork };
