import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { dateTime, givenTime, shortText, uuid } from '../../contract/values.ts';

const MAX_CRITERIA = 10;
const MAX_REVIEWS = 5;
const MAX_REVIEWERS = 50;
const MAX_DOCUMENTS = 10;
const MAX_DESCRIPTION = 1_000;

const DISAGREEMENTS = ['THIRD', 'MAJORITY', 'NONE'] as const;
export type Disagreement = (typeof DISAGREEMENTS)[number];

const criterion = z.object({
  id: shortText.max(64).describe('Identifier of the criterion within the queue.'),
  name: shortText,
  description: z.string().trim().max(MAX_DESCRIPTION).default(''),
  evalDefinitionId: uuid
    .nullable()
    .default(null)
    .describe('Evaluator that verdicts by this criterion verify; null for none.'),
});
export type Criterion = z.output<typeof criterion>;

const reviewsPerItem = z.int().min(1).max(MAX_REVIEWS).describe('Number of people who judge each item.');
const isBlind = z
  .boolean()
  .describe(
    'True if reviewers see no verdict on the trace of an item before it is settled: all routes then answer `withheld: true` to them. Until ten minutes after it, a review can be undone, and verdicts stay withheld.',
  );
const disagreement = z
  .enum(DISAGREEMENTS)
  .describe(
    'What becomes of an item on which reviewers differ. `THIRD`: one more person judges it, without seeing the other verdicts. `MAJORITY`: the majority counts. `NONE`: nothing.',
  );
const people = z.object({
  id: z.string(),
  name: z.string().nullable().describe('Name of the user with this id; null if there is none.'),
});

const progress = z.object({
  items: z.int().describe('Number of items that have not expired.'),
  completed: z.int(),
  begun: z.int().describe('Number of items that someone has judged or reserved, but that are not completed.'),
  disputed: z.int().describe('Number of items on which reviewers differ and that are not completed.'),
});

export const annotationQueue = namedObject('AnnotationQueue', {
  ...recordFields,
  topicId: uuid.nullable(),
  title: z.string(),
  assigneeId: z.string().nullable(),
  reviewsPerItem,
  isBlind,
  criteria: z.array(criterion).describe('What reviewers judge by; empty for a single verdict on the trace.'),
  reviewerIds: z
    .array(z.string())
    .describe('Users or API keys who may review; empty for all who may annotate.'),
  reviewers: z.array(people).describe('The same people, with their names.'),
  documentIds: z.array(uuid).describe('Documents that are shown beside each item.'),
  disagreement,
  dueAt: dateTime.nullable().describe('Time by which the reviews are due.'),
  pendingCount: z.int().describe('Number of items that are neither completed nor expired.'),
  completedCount: z.int().describe('Number of completed items.'),
  progress,
  mine: z.int().describe('Number of items that the caller can review now.'),
  agreement: z
    .object({ alpha: z.number(), low: z.number(), high: z.number() })
    .nullable()
    .describe(
      "Agreement of the reviewers beyond chance: Krippendorff's alpha over all criteria, with its 95 % confidence interval. Null until two people have judged the same items and verdicts differ.",
    ),
});
export type AnnotationQueue = z.input<typeof annotationQueue>;

const fields = {
  title: shortText,
  topicId: uuid.nullable(),
  assigneeId: shortText.nullable().describe('Identifier of the user who judges the items.'),
  reviewsPerItem,
  isBlind,
  criteria: z
    .array(criterion)
    .max(MAX_CRITERIA)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, {
      error: 'must have different ids',
    }),
  reviewerIds: z.array(shortText).max(MAX_REVIEWERS),
  documentIds: z.array(uuid).max(MAX_DOCUMENTS),
  disagreement,
  dueAt: givenTime.nullable(),
};
export type QueueFields = z.output<z.ZodObject<typeof fields>>;

export const createQueueBody = z.object({
  title: fields.title,
  topicId: fields.topicId.default(null),
  assigneeId: fields.assigneeId.default(null),
  reviewsPerItem: fields.reviewsPerItem.default(1),
  isBlind: fields.isBlind.default(false),
  criteria: fields.criteria.default([]),
  reviewerIds: fields.reviewerIds.default([]),
  documentIds: fields.documentIds.default([]),
  disagreement: fields.disagreement.default('NONE'),
  dueAt: fields.dueAt.default(null),
});

export const updateQueueBody = z.object(fields).partial();
export type GivenQueueFields = z.output<typeof updateQueueBody>;

export const queuesQuery = z.object(paging(['createdAt', 'modifiedAt', 'title', 'id']));
export type QueuesQuery = z.output<typeof queuesQuery>;
