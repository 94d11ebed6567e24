import type { Actor } from '../../contract/scope.ts';
import { asIs, json, nullable, number, text, time } from '../../storage/column.ts';
import { table, versionedRecord } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';
import type { IssueRecord, IssueEvent, IssueRejection, IssueResolution } from './contract.ts';
import type { Occurrence } from './link-contract.ts';

export const issues = versionedRecord('issue', 'issue', {
  number,
  title: text,
  description: text,
  status: asIs<IssueRecord['status']>(),
  type: asIs<IssueRecord['type']>(),
  source: asIs<IssueRecord['source']>(),
  priority: asIs<IssueRecord['priority']>(),
  parentId: nullable(text),
  testId: nullable(text),
  traceId: nullable(traceReference),
  taskId: nullable(text),
  topicId: nullable(text),
  humanAnnotationId: nullable(text),
  evalDefinitionId: nullable(text),
  experimentId: nullable(text),
  ownerId: nullable(text),
  matchLine: nullable(text),
  mergedInto: nullable(text),
  reopenedAt: nullable(time),
  resolution: nullable(json<IssueResolution>()),
  rejection: nullable(json<IssueRejection>()),
  linkCount: number,
  deletedCount: number,
  firstSeenAt: nullable(time),
  lastSeenAt: time,
  sampleQueueId: nullable(text),
  creatorType: asIs<Actor['type']>(),
  creatorId: text,
  creatorName: text,
});

export const issueLinks = table('issue_link', 'link', {
  id: text,
  issueId: text,
  traceId: traceReference,
  testId: nullable(text),
  seenAt: time,
  source: asIs<Occurrence['source']>(),
  createdAt: time,
});

/** Details of an event of an issue, of which each kind has its own. */
export type EventDetail = Partial<
  Pick<IssueEvent, 'fields' | 'count' | 'reason' | 'withoutEvidence' | 'issue' | 'relapse' | 'measured'>
>;

export const issueEvents = table('issue_event', 'event', {
  id: text,
  issueId: text,
  kind: asIs<IssueEvent['kind']>(),
  detail: json<EventDetail>(),
  actorType: asIs<IssueEvent['by']['type']>(),
  actorId: text,
  actorName: text,
  createdAt: time,
});
