import { z } from 'zod';
import { apiSchemas, namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { FAILURE_CODES } from '../../tests/failures.ts';
import { RUN_TYPES, TEST_PHASES, TEST_STATUSES } from '../../tests/states.ts';
import { evaluation } from '../evals/contract.ts';

export const runType = z.enum(RUN_TYPES);

/** Results of tests. */
export const result = z
  .object({
    passed: z.int().describe('Evals that passed.'),
    failed: z.int().describe('Evals that did not pass.'),
    total: z.int(),
    passRate: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'In percent: the mean over tests of the share of their evals that passed; null when nothing counts.',
      ),
    averageScore: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('The mean of the scores, each on a scale from 0 to 1; null when there is none.'),
  })
  .describe(
    'Of the current evals with a verdict of tests that are completed. A test that failed by the fault of the app (`webhook_status`, `webhook_timeout`, `trace_missing`) counts as one eval that did not pass; others that failed count not at all.',
  )
  .register(apiSchemas, { id: 'Result' });

const phase = z.enum(TEST_PHASES);

const failure = z.object({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
  hint: z.string().describe('What to do about it.'),
});

export const listedTest = namedObject('ListedTest', {
  id: uuid.describe('The test id: what spans carry as `service.test.id`.'),
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  taskId: uuid,
  runId: uuid,
  runType,
  status: z.enum(TEST_STATUSES),
  phase,
  failure: failure.nullable(),
  prompt: z.string().describe('In lists its first 300 characters.'),
  exampleIndex: z.int().nullable().describe('Which input example of the task it was, from 0.'),
  experimentId: uuid.nullable(),
  experimentVariantId: uuid.nullable(),
  result,
});
export type ListedTest = z.input<typeof listedTest>;

export const test = namedObject('Test', {
  ...listedTest.shape,
  metadata: z.unknown().describe('Of the task when the test was started.'),
  timeline: z.array(z.object({ at: dateTime, phase, detail: z.string() })),
  traceIds: z.array(uuid).describe('Its traces, the earliest first; at most 100.'),
  input: z.unknown().describe('What went into the app, as its spans tell.'),
  output: z.unknown().describe('What came out of the app, as its spans tell.'),
  inputSpanId: z.string().nullable(),
  outputSpanId: z.string().nullable(),
  evals: z
    .array(evaluation)
    .describe('The current ones, the earliest first; at most 200. `GET /v0/evals?testId=` has all.'),
});
export type Test = z.input<typeof test>;

export const testsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  taskId: several(uuid).describe('Tests of one of these tasks.'),
  runId: several(uuid).describe('Tests of one of these runs.'),
  status: several(z.enum(TEST_STATUSES)).describe('Tests with one of these statuses.'),
  phase: several(phase).describe('Tests in one of these phases.'),
  runType: several(runType).describe('Tests of runs of one of these types.'),
  evalDefinitionId: several(uuid).describe('Tests with an eval of one of these definitions.'),
  experimentVariantId: several(uuid).describe('Tests of one of these variants of experiments.'),
  startDate: dateTime.optional().describe('Tests started at this time or later.'),
  endDate: dateTime.optional().describe('Tests started at this time or earlier.'),
});
export type TestsQuery = z.output<typeof testsQuery>;

export const triggerBody = z.object({
  taskIds: z.array(uuid).min(1).max(100),
  repeat: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('Tests of each task. Its input examples are taken in turn.'),
});

export const startedRun = namedObject('StartedRun', { runId: uuid, taskId: uuid, testIds: z.array(uuid) });
