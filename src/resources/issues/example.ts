import { AT, dates, ID, owner } from '../../contract/example-values.ts';
import { exampleNote } from '../notes/example.ts';
import type { IssueRecord, IssueEvent } from './contract.ts';
import type { Evidence } from './evidence-contract.ts';
import type { Occurrence } from './link-contract.ts';

const by = exampleNote.createdBy;

export const exampleIssue: IssueRecord = {
  id: ID.issue,
  ...owner,
  ...dates,
  number: 31,
  title: 'Promises the refund without an order number',
  description: '',
  status: 'OPEN',
  type: 'BUG',
  source: 'API',
  priority: 'MEDIUM',
  parentId: null,
  testId: ID.test,
  traceId: null,
  taskId: null,
  topicId: ID.topic,
  humanAnnotationId: null,
  annotationId: null,
  evalDefinitionId: ID.definition,
  experimentId: null,
  ownerId: null,
  ownerName: null,
  match: null,
  mergedInto: null,
  reopenedAt: null,
  resolution: null,
  rejection: null,
  linkCount: 41,
  deletedCount: 0,
  firstSeenAt: AT,
  lastSeenAt: AT,
  frequency: {
    kind: 'RATE',
    count: 10,
    rate: 9.8,
    low: 5.4,
    high: 17.1,
    of: 102,
    queueId: ID.queue,
  },
  daily: [{ date: '2026-01-31', count: 41 }],
  createdBy: by,
};

export const exampleOccurrence: Occurrence = {
  id: ID.issueLink,
  traceId: ID.trace,
  testId: ID.test,
  seenAt: AT,
  createdAt: AT,
  source: 'SELECTION',
  input: 'My kettle leaks, money back please',
  output: 'Your refund is on its way.',
};

export const exampleEvidence: Evidence = {
  kind: 'EVALUATOR',
  isMet: true,
  have: 1,
  need: 1,
  evalDefinitionId: ID.definition,
  taskIds: [],
  queueId: null,
  message: 'The evaluator "Follows the refund policy" detects it.',
};

export const exampleEvent: IssueEvent = {
  id: '0728a0b3-c4d5-41f1-b203-7f8091a2b321',
  kind: 'LINKED',
  createdAt: AT,
  by,
  fields: [],
  count: 7,
  reason: null,
  withoutEvidence: false,
  issue: null,
  relapse: null,
  measured: null,
};
