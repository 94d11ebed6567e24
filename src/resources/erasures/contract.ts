import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { ACTOR_TYPES } from '../../contract/scope.ts';
import { dateTime, uuid } from '../../contract/values.ts';

const count = z.int();

/** Kinds of rows that a receipt counts, in its order. */
export const COUNTED = [
  'traces',
  'spans',
  'logRecords',
  'annotations',
  'queueItems',
  'examples',
  'evals',
  'deliveries',
  'tests',
  'tasks',
  'views',
] as const;
export type ErasedCounts = Record<(typeof COUNTED)[number], number>;

export const erasure = namedObject('Erasure', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  subjectType: z.enum(['user', 'session']),
  subjectHash: z.string().describe('SHA-256 of the id in hex; the id itself is not kept.'),
  status: z
    .enum(['PENDING', 'COMPLETED'])
    .describe('`COMPLETED` once no file of the data folder has a text of the traces.'),
  pendingFor: z
    .enum(['DELETION', 'READERS'])
    .nullable()
    .describe(
      'What is left: traces to delete, or a program that reads an older state of the store, which keeps its write-ahead log; null when completed.',
    ),
  counts: z
    .object({
      traces: count,
      spans: count,
      logRecords: count,
      annotations: count,
      queueItems: count,
      examples: count.describe('Examples that were made from the traces.'),
      evals: count.describe('Evals whose quotes, and requests to judges, were removed; the verdicts remain.'),
      deliveries: count.describe('Deliveries whose bodies were removed.'),
      tests: count.describe(
        'Tests of examples that were made from the traces: their prompts and traces were removed.',
      ),
      tasks: count.describe('Tasks whose title was a text of a trace, which was removed.'),
      views: count.describe('Saved views that filter by the id.'),
    })
    .describe('What was deleted so far.'),
  requestedBy: z.object({ type: z.enum(ACTOR_TYPES), id: z.string(), name: z.string() }),
  createdAt: dateTime,
  modifiedAt: dateTime,
  completedAt: dateTime.nullable(),
});
export type Erasure = z.infer<typeof erasure>;

const subject = z.string().min(1).max(1_000);
export const createErasureBody = z
  .object({
    userId: subject.optional().describe('Deletes the traces of this user.'),
    sessionId: subject.optional().describe('Deletes the traces of this session.'),
  })
  .refine(({ userId, sessionId }) => (userId === undefined) !== (sessionId === undefined), {
    error: 'must have either `userId` or `sessionId`',
  });

export const erasuresQuery = z.object({
  ...paging(['createdAt']),
  subjectHash: z
    .string()
    .regex(/^[\da-f]{64}$/, 'must be 64 hex digits in lower case')
    .optional()
    .describe('Receipts of this user or session.'),
});
