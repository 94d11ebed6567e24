import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, givenTime, traceId, uuid } from '../../contract/values.ts';
import { COMPLETIONS } from './completion.ts';

const selection = z
  .enum(['RANDOM', 'MANUAL', 'FAILED'])
  .describe(
    'How the trace was chosen: at random, by hand, or because of failed evals. Only traces drawn at random show how reliable a judge is.',
  );

export const queueItem = namedObject('QueueItem', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  queueId: uuid,
  traceId: uuid,
  selection,
  completedAt: dateTime.nullable().describe('Time when the trace was judged; null until then.'),
  expiresAt: dateTime.describe('Time from which an item that is not completed counts as `EXPIRED`.'),
  createdAt: dateTime,
});
export type QueueItem = z.input<typeof queueItem>;

export const createQueueItemBody = z.object({
  queueId: uuid,
  traceId,
  expiresAt: givenTime.optional().describe('Default: in 90 days.'),
  selection: selection.default('MANUAL'),
});
export type NewQueueItem = z.output<typeof createQueueItemBody>;

const MAX_DRAWN = 100;

export const drawBody = z.object({
  queueId: uuid,
  count: z.int().min(1).max(MAX_DRAWN).describe('Largest number of traces to draw.'),
  selection: z
    .enum(['RANDOM', 'FAILED'])
    .default('RANDOM')
    .describe('Draw from all traces, or from those with a failed eval.'),
  startDate: givenTime.optional().describe('Draw from traces that began at this time or later.'),
  endDate: givenTime.optional().describe('Draw from traces that began at this time or earlier.'),
  expiresAt: givenTime.optional().describe('Expiry of the items. Default: in 90 days.'),
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
