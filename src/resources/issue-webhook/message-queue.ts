import { randomUUID } from 'node:crypto';
import { cancelJob, enqueueJob } from '../../jobs/store.ts';
import type { Database } from '../../storage/database.ts';
import type { IssueEvent } from '../issues/contract.ts';
import { issueMessages, issueWebhooks } from './record.ts';

/** Kind of the jobs that send messages; their keys are the ids of messages. */
export const ISSUE_MESSAGE = 'issue_message';
/** Newest messages of an application that are kept, waiting ones too. */
const KEPT_MESSAGES = 1_000;
/** Most older messages that one command deletes. */
const STEP_MESSAGES = 20;

interface NewMessage {
  application: number;
  type: string;
  issueId: string | null;
  eventId: string | null;
  at: number;
}

/** Queues a message about an event of an issue if the application has a webhook that reports its kind. */
export function queueIssueMessage(
  database: Database,
  { kind, ...message }: Omit<NewMessage, 'type'> & { kind: IssueEvent['kind'] },
): void {
  const [webhook] = issueWebhooks.pick('events', 'enabled').all(database, message.application, 'true');
  if (webhook?.enabled !== true || !webhook.events.includes(kind)) return;
  queueMessage(database, { ...message, type: `issue.${kind.toLowerCase()}` });
}

/** Stores a message with the job that sends it, and returns its id. The oldest ones are deleted when there are many. */
export function queueMessage(database: Database, { application, at, ...message }: NewMessage): string {
  const id = randomUUID();
  issueMessages.insert(
    database,
    { application, at },
    { id, ...message, status: 'PENDING', attempts: 0, nextAttemptAt: at },
  );
  enqueueJob(database, { application, kind: ISSUE_MESSAGE, key: id, dueAt: at, at });
  const old = database.all<{ id: string }>(
    `SELECT id FROM issue_message WHERE application = :application
     ORDER BY created_at DESC, id DESC LIMIT ${STEP_MESSAGES} OFFSET ${KEPT_MESSAGES}`,
    { application },
  );
  for (const { id: key } of old) {
    cancelJob(database, { kind: ISSUE_MESSAGE, key });
    issueMessages.delete(database, { application, id: key });
  }
  return id;
}
