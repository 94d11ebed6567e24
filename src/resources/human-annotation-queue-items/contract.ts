import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, givenTime, shortText, traceId, uuid } from '../../contract/values.ts';
import { COMPLETIONS } from './completion.ts';

const selection = z
  .enum(['RANDOM', 'RANDOM_PART', 'MANUAL', 'FAILED'])
  .describe(
    'How the trace was chosen: at random from everything, at random from a part that the request named, by hand, or because of failed evals. Only `RANDOM` ones show how reliable a judge is: whoever names the part chooses.',
  );

const REVIEW_VERDICTS = ['PASS', 'FAIL', 'UNSURE'] as const;
export const reviewVerdict = z.enum(REVIEW_VERDICTS);
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

const ITEM_STATUSES = ['OPEN', 'LEASED', 'PARTIAL', 'DISPUTED', 'COMPLETED'] as const;

export const queueItem = namedObject('QueueItem', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  queueId: uuid,
  traceId: uuid,
  selection,
  status: z
    .enum(ITEM_STATUSES)
    .describe(
      '`OPEN`: no one has judged it. `LEASED`: it is reserved for a reviewer. `PARTIAL`: more reviewers have to judge it. `DISPUTED`: reviewers differ, and a third one has to judge it. `COMPLETED`: it is settled.',
    ),
  reviews: z.int().describe('Number of people who have judged it.'),
  completedAt: dateTime
    .nullable()
    .describe('Time when as many people as `reviewsPerItem` says had judged the trace; null until then.'),
  expiresAt: dateTime.describe('Time from which an item that is not completed counts as `EXPIRED`.'),
  createdAt: dateTime,
});
export type QueueItem = z.input<typeof queueItem>;

export const createQueueItemBody = z.object({
  queueId: uuid,
  traceId,
  expiresAt: givenTime.optional().describe('Default: in 90 days.'),
  selection: z
    .enum(['MANUAL', 'FAILED'])
    .default('MANUAL')
    .describe(
      'How the trace was chosen. `RANDOM` is only what a draw chose (`POST …/draw`), so it cannot be given here.',
    ),
});
export type NewQueueItem = z.output<typeof createQueueItemBody>;

const MAX_DRAWN = 100;

export const drawBody = z
  .object({
    queueId: uuid,
    count: z.int().min(1).max(MAX_DRAWN).describe('Largest number of traces to draw.'),
    selection: z
      .enum(['RANDOM', 'FAILED'])
      .default('RANDOM')
      .describe('Draw from all traces, or from those with a failed eval.'),
    taskId: uuid.optional().describe('Draw from traces of tests of this task.'),
    runId: uuid.optional().describe('Draw from traces of tests of this run.'),
    runSetId: uuid.optional().describe('Draw from traces of tests of this run set.'),
    evalDefinitionId: uuid
      .optional()
      .describe(
        'Draw from traces that this definition has judged, or whose test it has judged, for people to judge by its criterion: such a draw counts for this definition only. Without one, a draw counts for all criteria on which people judge traces of such draws.',
      ),
    strata: z
      .object({
        failed: z
          .number()
          .min(0.05)
          .max(0.95)
          .optional()
          .describe(
            'Share of the traces to draw that the definition has failed. Default: as there are, but at least 0.15 and at most 0.85, with which few verdicts prove a good judge.',
          ),
      })
      .optional()
      .describe(
        'Draw more of what the definition failed than there is, which shows with fewer verdicts how far it agrees with people where it lets most pass. Each draw takes at least one that failed and one that passed, where there are such traces; each trace is weighted by how many it stands for. Requires `evalDefinitionId`, and a `count` of 2 or more.',
      ),
    allowRepeats: z
      .boolean()
      .default(false)
      .describe('True to draw traces too that a draw has already put into another queue.'),
    startDate: givenTime.optional().describe('Draw from traces that began at this time or later.'),
    endDate: givenTime.optional().describe('Draw from traces that began at this time or earlier.'),
    expiresAt: givenTime.optional().describe('Expiry of the items. Default: in 90 days.'),
  })
  .refine(({ strata, evalDefinitionId }) => strata === undefined || evalDefinitionId !== undefined, {
    path: ['evalDefinitionId'],
    error: 'is required with `strata`',
  })
  .refine(({ strata, count }) => strata === undefined || count > 1, {
    path: ['count'],
    error: 'must be at least 2 with `strata`',
  })
  .refine((draw) => draw.strata === undefined || draw.selection === 'RANDOM', {
    path: ['strata'],
    error: 'is allowed only with the selection RANDOM',
  });
export type DrawBody = z.output<typeof drawBody>;

export const queueItemsQuery = z.object({
  ...paging(['createdAt', 'completedAt', 'expiresAt', 'traceId', 'id']),
  queueId: several(uuid).describe('Items of one of these queues.'),
  completion: several(z.enum(COMPLETIONS)).describe(
    'Items with one of these completion statuses: `COMPLETED` have a `completedAt`; `EXPIRED` have none, and their `expiresAt` has passed; `PENDING` are neither; `ACTIVE` are all that are not `EXPIRED`.',
  ),
  traceId: several(traceId).describe('Items of one of these traces.'),
});
export type QueueItemsQuery = z.output<typeof queueItemsQuery>;

const content = namedObject('ReviewContent', {
  turns: z
    .array(z.object({ input: z.unknown(), output: z.unknown() }))
    .describe('Earlier turns of the conversation, earliest first.'),
  input: z.unknown().describe('Input of the trace, any JSON.'),
  output: z.unknown().describe('Output of the trace, which is judged, any JSON.'),
  steps: z
    .array(z.object({ name: z.string(), arguments: z.unknown(), result: z.unknown(), isError: z.boolean() }))
    .describe('Tool calls of the app, in the order of their start.'),
  documents: z.array(z.object({ id: uuid, title: z.string(), content: z.string() })),
  isTruncated: z.boolean().describe('True if there is more than is shown.'),
});
export type ReviewContent = z.input<typeof content>;

export const lease = z.object({
  token: z.string().describe('Send it as `leaseToken` with the annotation.'),
  expiresAt: dateTime,
});

export const nextItem = z.object({
  data: z.object({
    item: queueItem,
    lease,
    content: content.describe('What is judged, without model, version and time.'),
  }),
});

export const nextItemBody = z
  .object({
    prefetch: z
      .boolean()
      .default(false)
      .describe('True to reserve the item after the one that is reserved for the caller already.'),
    itemId: uuid.nullable().default(null).describe('Item to reserve; null for the next one.'),
  })
  .prefault({});

export const leaseBody = z.object({ token: shortText });

export const releaseQuery = z.object({
  reason: z
    .enum(['SKIP', 'UNCLEAR'])
    .default('SKIP')
    .describe(
      '`SKIP`: the caller judges it later, after all others. `UNCLEAR`: the caller does not judge it at all.',
    ),
});
