import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryInteger } from '../../contract/query.ts';
import { dateTime } from '../../contract/values.ts';

const MAX_DAYS = 36_500;
/** A budget below this would delete traces while people look at them. */
const MIN_BYTES = 16 * 1024 * 1024;
const MAX_BYTES = Number.MAX_SAFE_INTEGER;
export const DEFAULT_PINNED_DAYS = 365;
export const DEFAULT_KEPT_RUN_SETS = 20;
const MAX_KEPT_RUN_SETS = 10_000;

const count = z.int();
const amount = z.object({ traces: count, spans: count, bytes: count });

export const retention = namedObject('Retention', {
  days: z
    .int()
    .nullable()
    .describe('Days for which a trace is kept after the day of its arrival; null = without limit.'),
  maxBytes: z
    .int()
    .nullable()
    .describe('Bytes that the traces may use; beyond it the oldest are deleted. null = without limit.'),
  pinnedDays: z
    .int()
    .describe(
      'Days for which traces are kept beyond both limits if they have human annotations, wait in an annotation queue, are the source of an example, or belong to a test that is not over, to one of the last 20 tests of a task, to a run set that is kept, or to a running experiment.',
    ),
  keptRunSets: z
    .int()
    .describe(
      'Number of run sets of each branch that are kept with their traces and the texts of their judges, for at most `pinnedDays`, of those that decided or were the baseline of a decision.',
    ),
  usage: amount
    .extend({
      bytesPerDay: count.describe('Mean of the last 7 complete days.'),
      oldestDay: z.iso.date().nullable().describe('Day on which the oldest stored trace arrived (UTC).'),
      measuredAt: dateTime
        .nullable()
        .describe(
          'Time to which the numbers belong: the begin of the last count that has ended; null if none has.',
        ),
      isMeasuring: z
        .boolean()
        .describe(
          'True if the traces could not be counted within 5 seconds: the numbers are those of an earlier count, or too low if there was none. Repeat the request, which continues the count.',
        ),
    })
    .describe(
      'Stored traces, measured every hour and before each response of this resource. Bytes are estimated with their indexes.',
    ),
  due: amount
    .extend({
      before: z.iso.date().nullable().describe('Traces that arrived before this day (UTC) are due by age.'),
    })
    .describe('What the limits delete, traces that are kept as pinned included.'),
  daysLeft: z
    .number()
    .nullable()
    .describe('Days until `maxBytes` is reached at the present growth; null without a limit or growth.'),
  lastRun: z
    .object({ at: dateTime, deletedTraces: count, deletedBytes: count })
    .nullable()
    .describe('The last run that deleted traces.'),
  isOverBudget: z.boolean().describe('True if the traces beyond `maxBytes` are all pinned.'),
});
export type Retention = z.infer<typeof retention>;

const days = z.int().min(1).max(MAX_DAYS);
export const setRetentionBody = z.object({
  days: days.nullable().optional(),
  maxBytes: z.int().min(MIN_BYTES).max(MAX_BYTES).nullable().optional(),
  pinnedDays: z.int().min(0).max(MAX_DAYS).optional().describe('Default: 365.'),
  keptRunSets: z.int().min(0).max(MAX_KEPT_RUN_SETS).optional().describe('Default: 20.'),
});
export type RetentionLimits = Partial<Pick<Retention, 'days' | 'maxBytes' | 'pinnedDays' | 'keptRunSets'>>;

export const retentionQuery = z.object({
  days: queryInteger(1, MAX_DAYS).optional().describe('Shows what this limit would delete (dry run).'),
  maxBytes: queryInteger(MIN_BYTES, MAX_BYTES)
    .optional()
    .describe('Shows what this budget would delete (dry run).'),
});
