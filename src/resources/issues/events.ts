import { randomUUID } from 'node:crypto';
import type { ById } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Actor } from '../../contract/scope.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { type Shown, shownTo } from '../../traces/withheld/store.ts';
import type { ActivityQuery, IssueEvent } from './contract.ts';
import { queueIssueMessage } from '../issue-webhook/message-queue.ts';
import { findIssueId } from './find.ts';
import { type EventDetail, issueEvents } from './record.ts';
import type { Relapse } from './relapse-contract.ts';

/** Newest events of an issue that are kept. */
const KEPT_EVENTS = 1_000;
/** Most older events that one command deletes. */
const STEP_EVENTS = 100;

type IssueActor = Pick<Actor, 'id' | 'name'> & { type: IssueEvent['by']['type'] };

/** Touchstone itself, which reopens issues. */
export const SYSTEM = { type: 'system', id: 'touchstone', name: 'Touchstone' } as const;

export interface NewIssueEvent {
  application: number;
  issueId: string;
  kind: IssueEvent['kind'];
  actor: IssueActor;
  at: number;
  detail?: EventDetail;
}

/** Adds an event to the activity of an issue, and queues a message about it. The oldest ones are deleted when there are many. */
export function addIssueEvent(
  database: Database,
  { application, issueId, kind, actor, at, detail = {} }: NewIssueEvent,
): void {
  const { type: actorType, id: actorId, name: actorName } = actor;
  const event = { id: randomUUID(), issueId, kind, detail, actorType, actorId, actorName };
  issueEvents.insert(database, { application, at }, event);
  // A merge is an event of both issues, and is reported as one of that which was merged.
  if (detail.issue?.isTarget !== false)
    queueIssueMessage(database, { application, kind, issueId, eventId: event.id, at });
  database.run(
    `DELETE FROM issue_event WHERE application = :application AND id IN (
       SELECT id FROM issue_event WHERE application = :application AND issue_id = :issueId
       ORDER BY created_at DESC, id DESC LIMIT ${STEP_EVENTS} OFFSET ${KEPT_EVENTS})`,
    { application, issueId },
  );
}

const NO_DETAIL = {
  fields: [],
  count: null,
  reason: null,
  withoutEvidence: false,
  issue: null,
  relapse: null,
  measured: null,
};

/** Returns the activity of an issue, without evidence from traces that the caller reviews blind. Throws `not_found`. */
export function listIssueActivity(
  database: Database,
  { owner, id, query, seenBy }: ById & { query: ActivityQuery; seenBy: SeenBy },
): ListOf<IssueEvent> {
  const issueId = findIssueId(database, owner.application, id);
  const within = { sql: 'issue_id = ?', values: [issueId] };
  const { data, pagination } = issueEvents.list(database, owner, { within, where: [], page: query });
  const visible = shownTo(database, { application: owner.application, ...seenBy });
  const shown = data.map(({ id: eventId, kind, createdAt, actorType, actorId, actorName, detail }) => ({
    ...NO_DETAIL,
    ...withoutWithheld(detail, (relapse) =>
      isWithheld(database, { application: owner.application, shown: visible, relapse }),
    ),
    id: eventId,
    kind,
    createdAt,
    by: { type: actorType, id: actorId, name: actorName },
  }));
  return { data: shown, pagination };
}

const withoutWithheld = (detail: EventDetail, isHidden: (relapse: Relapse) => boolean) =>
  detail.relapse && isHidden(detail.relapse) ? { ...detail, relapse: null, withheld: true } : detail;

/** Reports whether a relapse was seen in a test or a live trace whose verdicts are withheld from the caller. */
function isWithheld(
  database: Database,
  { application, shown, relapse }: { application: number; shown: Shown | null; relapse: Relapse },
): boolean {
  if (shown === null) return false;
  const { exampleId, evalDefinitionId, since } = relapse;
  const visible = exampleId === null ? shown.trace('trace_id') : shown.test('id');
  const rows =
    exampleId === null
      ? `eval WHERE application = ? AND definition_id = ? AND created_at >= ? AND test_id IS NULL`
      : `test WHERE application = ? AND example_id = ? AND created_at >= ?`;
  return (
    database.get(
      `SELECT 1 FROM ${rows} AND NOT ${visible.sql} LIMIT 1`,
      application,
      exampleId ?? evalDefinitionId,
      Date.parse(since),
      ...visible.values,
    ) !== undefined
  );
}
