import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { check } from '../../contract/check.ts';
import { QUOTAS } from '../../runtime/organisation-metrics.ts';
import { dateTime } from '../../contract/values.ts';

const count = z.int();
const pool = z.object({ usedBytes: count, limitBytes: count });

/** Fields of the state of the server and its store, without anything of an application. */
const state = {
  version: z.string(),
  startedAt: dateTime,
  store: z.object({
    fileBytes: count.describe('Size of the database file.'),
    walBytes: count.describe('Bytes of the write-ahead log that the database lacks or readers need.'),
    diskFreeBytes: count,
    diskTotalBytes: count,
    unusedBytes: count.nullable().describe('Bytes of the database file that new data fills before it grows.'),
    growthBytesPerDay: count
      .nullable()
      .describe(
        'Mean of the last 7 complete days, of applications whose retention does not delete as much; measured every hour.',
      ),
    daysLeft: z
      .number()
      .nullable()
      .describe(
        'Days until the disk is full at that growth; null without growth, and before it was first measured.',
      ),
    failedCommits: count.describe('Commits that failed completely since the start.'),
    failure: z
      .string()
      .nullable()
      .describe('Code of the fault for which the store rejects data, or cannot be read; null when it works.'),
    failedCheckpoints: count,
    lock: z
      .enum(['held', 'unknown'])
      .describe(
        'Whether the system shows that the server has its lock on the store. A server without its lock ends at once.',
      ),
    recentCommitMs: z
      .number()
      .nullable()
      .describe('Mean duration of the commits of the last minute; null when there was none.'),
    longestCommitMs: z.number().describe('Duration of the longest commit since the start.'),
    waitingWrites: count.describe('Commands that wait for a commit.'),
    waitingReads: count.describe('Queries in progress or waiting.'),
    rejectedReads: count.describe('Queries that were rejected since the start because too many waited.'),
  }),
  process: z.object({
    residentBytes: count,
    memoryLimitBytes: count
      .nullable()
      .describe(
        'Memory limit of the process or its container, or the memory of the machine; null if unknown.',
      ),
    openFiles: count
      .nullable()
      .describe('Open file descriptors; null where the system does not report them.'),
    maxOpenFiles: count
      .nullable()
      .describe('Limit of open file descriptors; null where the system does not report it.'),
    maxConnections: count.describe('Most connections to each port.'),
    lagMs: z.number().describe('Milliseconds that this request waited for its turn in the main thread.'),
    requests: pool.describe('Memory of requests in progress.'),
    responses: pool.describe('Memory of responses that wait to be read.'),
  }),
  jobs: z
    .array(
      z.object({
        kind: z.string(),
        waiting: count,
        running: count,
        dead: count.describe('Jobs that failed for good.'),
        oldestDueAt: dateTime
          .nullable()
          .describe('Time when the first waiting job is or was due; null when none waits.'),
      }),
    )
    .describe('Jobs of all applications by kind.'),
  maintenance: z
    .object({ rewrites: count, refreshes: count, deletions: count })
    .describe('Traces that are due for maintenance, each up to 10 000.'),
};
export type SystemState = z.infer<z.ZodObject<typeof state>>;

/** Organisation with its quotas. */
const organisation = z.object({
  id: z.string(),
  quotas: z.array(
    z.object({
      name: z.enum(QUOTAS),
      used: z.number(),
      limit: z.number().nullable().describe('Most that it may use; null = no limit.'),
    }),
  ),
});
export type OrganisationQuotas = z.infer<typeof organisation>;

export const system = namedObject('System', {
  ...state,
  organisations: z
    .array(organisation)
    .describe(
      'What the organisation of the caller uses. For the organisation of the operators, followed by the others that are nearest to a limit. `streams`: open ones of the kind that is nearest to its limit.',
    ),
  checks: z.array(check).describe('What the numbers mean, and what to do about it.'),
});
export type System = z.infer<typeof system>;
