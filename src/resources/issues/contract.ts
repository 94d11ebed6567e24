import { z } from 'zod';
import { withAliases } from '../../contract/aliases.ts';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { dateTime, shortText, traceId, uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';
import { filterLine } from '../../filter/query.ts';
import { ACTOR_TYPES } from '../../contract/scope.ts';
import { creator } from '../notes/contract.ts';
import { evidence } from './evidence-contract.ts';
import { measured } from './measured-contract.ts';
import { relapse } from './relapse-contract.ts';

const MAX_TITLE = 256;
const MAX_DESCRIPTION = 10_000;
const MAX_REASON = 2_048;
/** Days of which the counts are shown. */
export const SHOWN_DAYS = 14;
/** Number of the last digits of a number that a path may have. */
const NUMBER_OR_ID =
  /^(?:[1-9]\d{0,8}|[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;

export const issueId = z
  .string()
  .toLowerCase()
  .regex(NUMBER_OR_ID, 'must be the id or the number of an issue')
  .describe('Id of the issue, or its number.');

export const ISSUE_STATUSES = ['OPEN', 'RESOLVED', 'REJECTED'] as const;
export const ISSUE_TYPES = ['BUG', 'HUMAN_ANNOTATION', 'SUGGESTED_TASK', 'USER_SIGNAL'] as const;
export const ISSUE_SOURCES = [
  'TEST',
  'TASK',
  'TOPIC',
  'SYSTEM',
  'MONITORING',
  'API',
  'HUMAN_ANNOTATION',
] as const;
export const ISSUE_PRIORITIES = ['LOW', 'MEDIUM', 'HIGH'] as const;

const status = z.enum(ISSUE_STATUSES);
const type = z.enum(ISSUE_TYPES);
const source = z.enum(ISSUE_SOURCES).describe('Where the problem was noticed.');
const priority = z.enum(ISSUE_PRIORITIES);
const count = z.int().min(0);
const percent = z.number().min(0).max(100);
const reason = z.string().trim().min(1).max(MAX_REASON);

const frequency = z
  .object({
    kind: z.enum(['RATE', 'COUNT']),
    count: count.describe('Number of traces: of the sample for a rate, otherwise of all that were linked.'),
    rate: percent.nullable().describe('Percentage of the sample; null for a count.'),
    low: percent.nullable().describe('Bounds of its 95 % confidence interval (Wilson).'),
    high: percent.nullable(),
    of: count.nullable().describe('Size of the sample.'),
    queueId: uuid.nullable().describe('Queue that drew the sample.'),
  })
  .describe(
    'How often the problem occurs. `RATE`: a linked trace was drawn at random for a queue; the sample is the newest 1000 traces that this queue drew at random from everything and that people completed. Traces that were chosen otherwise give no rate: `COUNT`.',
  );
export type Frequency = z.input<typeof frequency>;

export const issue = namedObject('Issue', {
  ...recordFields,
  number: z.int().min(1).describe('Number in the application, which is never used again.'),
  title: z.string(),
  description: z.string(),
  status,
  type,
  source,
  priority,
  parentId: uuid.nullable().describe('Issue that this one is a part of.'),
  testId: uuid.nullable(),
  traceId: uuid.nullable(),
  taskId: uuid.nullable(),
  topicId: uuid.nullable(),
  humanAnnotationId: uuid.nullable(),
  annotationId: uuid.nullable().describe('The same as `humanAnnotationId`.'),
  evalDefinitionId: uuid.nullable().describe('Evaluator that detects the problem.'),
  experimentId: uuid.nullable(),
  ownerId: z.string().nullable().describe('Who takes care of it.'),
  ownerName: z.string().nullable().describe('Name of the user with this id; null if there is none.'),
  match: z
    .string()
    .nullable()
    .describe(
      'Filter line of traces that show the problem. It links nothing by itself; a selection may use it.',
    ),
  mergedInto: z
    .object({ id: uuid, number: z.int() })
    .nullable()
    .describe('Issue that has the links of this one now.'),
  reopenedAt: dateTime.nullable(),
  resolution: z
    .object({
      at: dateTime,
      by: creator,
      reason: z.string().nullable(),
      withoutEvidence: z.boolean().describe('True if evidence was missing when it was resolved.'),
      evidence: z.array(evidence).describe('Evidence as it was then.'),
    })
    .nullable()
    .describe('How it was resolved last; null when it never was, and after it was opened again.'),
  rejection: z
    .object({ at: dateTime, by: creator, reason: z.string() })
    .nullable()
    .describe('Why it was rejected; null if it is not.'),
  linkCount: count.describe('Number of traces that were linked, with those that are deleted now.'),
  deletedCount: count.describe('Number of those of them that are deleted.'),
  firstSeenAt: dateTime.nullable().describe('Start of the first linked trace.'),
  lastSeenAt: dateTime.describe('Start of the last linked trace; the time of creation without any.'),
  frequency,
  daily: z
    .array(z.object({ date: z.string().describe('Day in UTC, such as 2026-01-31.'), count }))
    .describe(`Number of linked traces of each of the last ${SHOWN_DAYS} days, oldest first.`),
  createdBy: creator,
  withheld,
});
export type IssueRecord = z.input<typeof issue>;
export type IssueResolution = NonNullable<IssueRecord['resolution']>;
export type IssueRejection = NonNullable<IssueRecord['rejection']>;

const fields = {
  title: z.string().trim().min(1).max(MAX_TITLE),
  description: z.string().max(MAX_DESCRIPTION),
  type,
  priority,
  parentId: uuid
    .nullable()
    .describe('Issue that this one is a part of, which must not be a part of another (409).'),
  taskId: uuid.nullable(),
  topicId: uuid.nullable(),
  evalDefinitionId: uuid.nullable().describe('Evaluator that detects the problem.'),
  experimentId: uuid.nullable(),
  ownerId: shortText.nullable().describe('Who takes care of it.'),
  match: filterLine.unwrap().nullable().describe('Filter line of traces that show the problem.'),
};

export const createIssueBody = withAliases(
  z.object({
    source,
    title: fields.title,
    description: fields.description.default(''),
    type: type.default('BUG'),
    priority: priority.default('MEDIUM'),
    parentId: fields.parentId.default(null),
    testId: uuid.nullable().default(null).describe('Test that shows the problem. Its trace is linked.'),
    traceId: traceId.nullable().default(null).describe('Trace that shows the problem. It is linked.'),
    taskId: fields.taskId.default(null),
    topicId: fields.topicId.default(null),
    humanAnnotationId: uuid
      .nullable()
      .default(null)
      .describe('Annotation that found the problem. Its trace is linked.'),
    evalDefinitionId: fields.evalDefinitionId.default(null),
    experimentId: fields.experimentId.default(null),
    ownerId: fields.ownerId.default(null),
    match: fields.match.default(null),
  }),
  { annotationId: 'humanAnnotationId' },
);
export type IssueFields = z.output<typeof createIssueBody>;

export const updateIssueBody = z.object(fields).partial();
export type GivenIssueFields = z.output<typeof updateIssueBody>;

export const issuesQuery = z.object({
  ...paging(['lastSeenAt', 'createdAt', 'modifiedAt', 'priority', 'linkCount', 'number', 'id'], {
    frequency: 'linkCount',
  }),
  status: several(status).describe('Issues with one of these statuses.'),
  type: several(type).describe('Issues of one of these types.'),
  source: several(source).describe('Issues that were noticed in one of these places.'),
  priority: several(priority).describe('Issues with one of these priorities.'),
  parentId: several(uuid).describe('Parts of one of these issues.'),
  topicId: several(uuid).describe('Issues of one of these topics.'),
  taskId: several(uuid).describe('Issues of one of these tasks.'),
  evalDefinitionId: several(uuid).describe('Issues that one of these evaluators detects.'),
  ownerId: several(shortText).describe('Issues that one of these people takes care of.'),
  isReopened: queryBoolean.optional().describe('Only issues that were opened again, or only the others.'),
  search: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Issues with this text in their title or description, ignoring case.'),
});
export type IssuesQuery = z.output<typeof issuesQuery>;

export const issueCounts = namedObject('IssueCounts', {
  open: count,
  resolved: count,
  rejected: count,
  openHigh: count.describe('Open issues of high priority.'),
});
export type IssueCounts = z.input<typeof issueCounts>;

export const resolveBody = z
  .object({
    reason: reason.nullable().default(null).describe('Required with `withoutEvidence`.'),
    withoutEvidence: z
      .boolean()
      .default(false)
      .describe('True to resolve it although evidence is missing. It stays marked.'),
  })
  .refine((given) => !given.withoutEvidence || given.reason !== null, {
    path: ['reason'],
    error: 'is required without evidence',
  });

export const reopenBody = z.object({ reason: reason.nullable().default(null) });
export const rejectBody = z.object({ reason });
export const mergeBody = z.object({
  into: issueId.describe('Id or number of the issue that gets the links.'),
});

export const ISSUE_EVENTS = [
  'CREATED',
  'UPDATED',
  'LINKED',
  'UNLINKED',
  'RESOLVED',
  'REOPENED',
  'REJECTED',
  'MERGED',
  'MEASURED',
] as const;

export const issueEvent = namedObject('IssueEvent', {
  id: uuid,
  kind: z.enum(ISSUE_EVENTS),
  createdAt: dateTime,
  by: creator.extend({
    type: z.enum([...ACTOR_TYPES, 'system']).describe('`system`: Touchstone itself, which reopens issues.'),
  }),
  fields: z.array(z.string()).describe('Names of the fields that were changed, for `UPDATED`.'),
  count: count.nullable().describe('Number of traces, for `LINKED` and `UNLINKED`.'),
  reason: z.string().nullable(),
  withoutEvidence: z.boolean().describe('True if it was resolved although evidence was missing.'),
  issue: z
    .object({ id: uuid, number: z.int(), isTarget: z.boolean() })
    .nullable()
    .describe('The other issue of a merge; `isTarget` if it has the links now.'),
  relapse,
  measured: measured
    .nullable()
    .describe('Verdicts of the evaluator on the holdout, for `MEASURED`; null for other events.'),
  withheld,
});
export type IssueEvent = z.input<typeof issueEvent>;

export const activityQuery = z.object(paging(['createdAt', 'id']));
export type ActivityQuery = z.output<typeof activityQuery>;
