import { withheld } from '../../contract/withheld.ts';
import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { dateTime, givenTime, uuid } from '../../contract/values.ts';
import { correctedRate } from '../definitions/corrected-rate.ts';
import { isAdvisory } from '../definitions/reliability-contract.ts';
import { repeats } from '../tests/repeats.ts';
import { result, runType } from '../tests/contract.ts';
import { rateInterval } from '../tests/rate-interval.ts';

export const run = namedObject('Run', {
  ...recordFields,
  taskId: uuid,
  type: runType,
  experimentVariantId: uuid.nullable(),
  runSetId: uuid.nullable().describe('Run set that it belongs to; null if it was started alone.'),
  promptSeed: z
    .int()
    .nullable()
    .describe('Seed of the prompts that a model wrote; null for a run of a task with examples.'),
  threadId: z
    .string()
    .nullable()
    .describe('Session of the run: that of the first trace with one, in the first test with such a trace.'),
  tests: z
    .object({
      total: z.int(),
      pending: z.int(),
      inProgress: z.int(),
      completed: z.int(),
      failed: z.int(),
      judged: z
        .int()
        .describe('Number of tests with at least one verdict, or that failed because of the app.'),
      skipped: z
        .int()
        .describe(
          'Number of tests that a definition could not judge, for want of a judge, budget, documents or an expected value.',
        ),
    })
    .describe('Number of tests, by progress.'),
  evals: z
    .array(
      z.object({
        id: uuid,
        name: z.string(),
        type: z.string(),
        ...result.shape,
        isAdvisory,
        correctedPassRate: correctedRate,
      }),
    )
    .describe('Results of each definition, by its id.'),
  result: result,
  passRateInterval: rateInterval
    .nullable()
    .describe('95 % confidence interval of the pass rate, in percent; null when nothing counts.'),
  outcomes: z
    .object({
      passed: z.int(),
      failed: z.int(),
      appError: z.int(),
      noVerdict: z.int(),
      notRun: z.int(),
      running: z.int(),
    })
    .describe('Number of tests by outcome.'),
  outcomeInterval: rateInterval
    .nullable()
    .describe(
      '95 % confidence interval of the percentage of tests that passed, of those that passed, failed or ended with an error of the app; null when there are none.',
    ),
  repeats,
  waitsFor: z
    .array(
      z.object({
        kind: z.enum(['JUDGE', 'SCORER', 'WEBHOOK']).describe('Kind of the endpoint.'),
        name: z
          .string()
          .describe(
            'Name of the judge in the settings; of a scorer or a webhook the address without its query.',
          ),
        waiting: z
          .int()
          .describe(
            'Number of evals of the run without a verdict by the endpoint; of a webhook the tests to send.',
          ),
        requestsAtOnce: z
          .int()
          .describe('Number of requests that the endpoint takes at once now, of all runs.'),
        pausedUntil: dateTime
          .nullable()
          .describe(
            'Time until which the endpoint gets no request, because it rejected some; null without a pause.',
          ),
        requestsPerMinute: z
          .number()
          .nullable()
          .describe('Rate at which the endpoint takes requests, of all runs; null while no limit is known.'),
        forecast: dateTime
          .nullable()
          .describe(
            'Earliest time by which the endpoint can have answered all, at the present rate; null while nothing is known.',
          ),
      }),
    )
    .optional()
    .describe(
      'Endpoints that the run waits for, because they take fewer requests than it has: judges, scorers and the webhook. Only in `GET /v0/runs/{id}`; absent if there are none.',
    ),
  otherJudges: z
    .array(uuid)
    .optional()
    .describe(
      'Definitions with a valid gate of which another judge gave some of the verdicts of this run than the one that was measured when the run set was started (today, for a run of no run set), such as another model behind the same name. Their verdicts are advisory here. Absent if there are none.',
    ),
  withheld,
});
export type Run = z.input<typeof run>;
export type RunWait = NonNullable<Run['waitsFor']>[number];

export const runsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'type', 'id']),
  taskId: several(uuid).describe('Runs of one of these tasks.'),
  type: several(runType).describe('Runs of one of these types.'),
  runSetId: several(uuid).describe('Runs of one of these run sets.'),
  startDate: givenTime.optional().describe('Runs started at this time or later.'),
  endDate: givenTime.optional().describe('Runs started at this time or earlier.'),
});
export type RunsQuery = z.output<typeof runsQuery>;
