import { randomUUID } from 'node:crypto';
import type { ById } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Actor } from '../../contract/scope.ts';
import type { Database } from '../../storage/database.ts';
import type { ActivityQuery, IssueEvent } from './contract.ts';
import { findIssueId } from './find.ts';
import { type EventDetail, issueEvents } from './record.ts';

/** Newest events of an issue that are kept. */
const KEPT_EVENTS = 1_000;
/** Most older events that one command deletes. */
const STEP_EVENTS = 100;

export interface NewIssueEvent {
  application: number;
  issueId: string;
  kind: IssueEvent['kind'];
  actor: Actor;
  at: number;
  detail?: EventDetail;
}

/** Adds an event to the activity of an issue. The oldest ones are deleted when there are many. */
export function addIssueEvent(
  database: Database,
  { application, issueId, kind, actor, at, detail = {} }: NewIssueEvent,
): void {
  const { type: actorType, id: actorId, name: actorName } = actor;
  const event = { id: randomUUID(), issueId, kind, detail, actorType, actorId, actorName };
  issueEvents.insert(database, { application, at }, event);
  database.run(
    `DELETE FROM issue_event WHERE application = :application AND id IN (
       SELECT id FROM issue_event WHERE application = :application AND issue_id = :issueId
       ORDER BY created_at DESC, id DESC LIMIT ${STEP_EVENTS} OFFSET ${KEPT_EVENTS})`,
    { application, issueId },
  );
}

const NO_DETAIL = { fields: [], count: null, reason: null, withoutEvidence: false, issue: null };

/** Returns the activity of an issue. Throws `not_found`. */
export function listIssueActivity(
  database: Database,
  { owner, id, query }: ById & { query: ActivityQuery },
): ListOf<IssueEvent> {
  const issueId = findIssueId(database, owner.application, id);
  const within = { sql: 'issue_id = ?', values: [issueId] };
  const { data, pagination } = issueEvents.list(database, owner, { within, where: [], page: query });
  const shown = data.map(({ id: eventId, kind, createdAt, actorType, actorId, actorName, detail }) => ({
    ...NO_DETAIL,
    ...detail,
    id: eventId,
    kind,
    createdAt,
    by: { type: actorType, id: actorId, name: actorName },
  }));
  return { data: shown, pagination };
}
