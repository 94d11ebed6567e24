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
  'notes',
  'queueItems',
  'examples',
  'evals',
  'deliveries',
  'tests',
  'tasks',
  'views',
] as const;
export type ErasedCounts = Record<(typeof COUNTED)[number], number>;

/** A copy of texts outside the store, or of the complete store. */
const madeCopy = z.object({
  kind: z
    .enum(['BACKUP', 'EXPORT', 'SNAPSHOT'])
    .describe(
      'A backup by `touchstone backup`; a file that was downloaded from the API; a file of an earlier state in the data folder.',
    ),
  name: z.string().describe('Name of the file, or for an export the `operationId` of its call.'),
  createdAt: dateTime,
  createdBy: z.string().nullable().describe('Name of the user or the key; null if unknown.'),
});
export type MadeCopy = z.input<typeof madeCopy>;

/** Most copies that a receipt names. */
export const MAX_COPIES = 100;

/** Sentence of each receipt about copies that are not in its list. */
export const NOT_LISTED =
  'Not known are copies that other programs made of the files or of responses, recordings of judges, copies that are older than the audit log, and whether a copy still exists.';

export const erasure = namedObject('Erasure', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  subjectType: z.enum(['user', 'session']),
  subjectHash: z.string().describe('SHA-256 of the id in hex; the id itself is not kept.'),
  status: z
    .enum(['PENDING', 'COMPLETED'])
    .describe(
      '`COMPLETED` once no file of the data folder has a text of the traces; with PostgreSQL, once their rows are deleted.',
    ),
  pendingFor: z
    .enum(['DELETION', 'READERS'])
    .nullable()
    .describe(
      'What is left: traces to delete, or remains of them in the files, which a program that reads an older state of the store keeps there; null when completed.',
    ),
  counts: z
    .object({
      traces: count,
      spans: count,
      logRecords: count,
      annotations: count,
      notes: count,
      queueItems: count,
      examples: count.describe('Examples that were made from the traces.'),
      evals: count.describe('Evals whose quotes, and requests to judges, were removed; the verdicts remain.'),
      deliveries: count.describe('Deliveries whose bodies were removed.'),
      tests: count.describe(
        'Tests of examples that were made from the traces: their prompts and traces were removed.',
      ),
      tasks: count.describe('Tasks whose title was a text of a trace, which was removed.'),
      views: count.describe('Saved views and filter lines of issues that name the id.'),
    })
    .describe('What was deleted so far.'),
  copies: z
    .object({
      total: z.int(),
      data: z.array(madeCopy).describe(`The newest ${MAX_COPIES}, newest first.`),
      notListed: z.string().describe('What the server cannot know.'),
    })
    .nullable()
    .describe(
      'Backups, exports and snapshots that were made before, which the erasure does not change; null until completed.',
    ),
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
