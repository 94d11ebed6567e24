import { z } from 'zod';
import { apiSchemas, namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { filterLine } from '../../filter/query.ts';
import { dateTime, givenTime, uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';
import { FAILURE_CODES } from '../../tests/failures.ts';
import { OUTCOME_BASES, OUTCOMES } from '../../tests/outcome/outcome.ts';
import { RUN_TYPES, TEST_PHASES, TEST_STATUSES } from '../../tests/states.ts';
import { PASS_RATE_STATUSES } from '../../evaluate/statistics/levels.ts';
import { EVAL_STATUSES } from '../../evaluate/eval-record.ts';
import { definition } from '../definitions/contract.ts';
import { evaluation } from '../evals/contract.ts';

export const runType = z.enum(RUN_TYPES);

/** Schema of the results of tests. */
export const result = z
  .object({
    passed: z.int().describe('Number of evals that passed.'),
    failed: z.int().describe('Number of evals that did not pass.'),
    total: z.int(),
    passRate: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'Percentage: mean over tests of the share of their evals that passed; null when nothing counts.',
      ),
    averageScore: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Mean of the scores, each on a scale from 0 to 1; null when there is none.'),
  })
  .describe(
    'Results of the current evals with a verdict, of completed tests. A test that failed because of the app (`webhook_status`, `webhook_timeout`, `trace_missing`) counts as one eval that did not pass; other failed tests do not count.',
  )
  .register(apiSchemas, { id: 'Result' });

/** Schema of the result of one test. */
const testResult = z
  .object({
    ...result.shape,
    passRate: z.number().min(0).max(100).describe('Percentage of its evals that passed.'),
    averageScore: z
      .number()
      .min(0)
      .max(1)
      .describe('Mean of the scores, each on a scale from 0 to 1; 0 for a test that the app failed.'),
  })
  .nullable()
  .describe(
    'Result of the current evals with a verdict; null when nothing counts. A test that failed because of the app (`webhook_status`, `webhook_timeout`, `trace_missing`) counts as one eval that did not pass.',
  )
  .register(apiSchemas, { id: 'TestResult' });

const phase = z.enum(TEST_PHASES);

const failure = z.object({
  code: z.enum(FAILURE_CODES),
  message: z.string(),
  hint: z.string().describe('Advice on how to fix the failure.'),
});

export const outcome = z
  .enum(OUTCOMES)
  .describe(
    'What became of the test. `PASSED`: every blocking verdict passed, and none is missing. `FAILED`: a blocking verdict did not pass. `APP_ERROR`: the app rejected the test, took too long or sent no trace; it counts as failed. `NO_VERDICT`: a verdict is missing. `NOT_RUN`: the app was not tested. `RUNNING`: the test has not ended. `NO_VERDICT` and `NOT_RUN` count nowhere.',
  );

/** Fields of a test that say what became of it. */
const outcomeFields = {
  outcome,
  outcomeBasis: z
    .enum(OUTCOME_BASES)
    .nullable()
    .describe(
      'Verdicts that decided: the blocking ones, or all because none is blocking; null if no verdict decided. Verdicts are blocking unless a judge model gave them that people have not verified.',
    ),
  causeKey: z
    .string()
    .nullable()
    .describe(
      'Key of why the test did not pass: the failed check, or the error of the app. Tests with the same key did not pass for the same reason. Null if it passed or runs.',
    ),
  withheld,
};

export const testSummary = namedObject('TestSummary', {
  id: uuid.describe('Test id, which spans carry as `service.test.id`.'),
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
  prompt: z
    .string()
    .describe(
      'Prompt of the test; empty until a model has written that of a `NORMAL` task. Lists show its first 300 characters.',
    ),
  inputDigest: z.string().describe('Digest of the complete prompt: tests with the same sent the same input.'),
  exampleIndex: z.int().nullable().describe('Place of the example in its task, from 0.'),
  exampleId: uuid.nullable().describe('Example that the test sent.'),
  exampleVersion: z.int().nullable().describe('Version of that example.'),
  experimentId: uuid.nullable(),
  experimentVariantId: uuid.nullable(),
  result: testResult,
  ...outcomeFields,
});
export type TestSummary = z.input<typeof testSummary>;

const ofTest = {
  traceId: uuid
    .nullable()
    .describe('Earliest trace of the app that carries the test id; null before it arrives.'),
  task: z
    .object({ id: uuid, title: z.string(), topicId: uuid.nullable() })
    .describe('The task, as it is now.'),
};

export const listedTest = namedObject('ListedTest', {
  ...testSummary.shape,
  ...ofTest,
  evals: z
    .array(
      z.object({
        id: uuid,
        orgId: z.string(),
        createdAt: dateTime,
        modifiedAt: dateTime,
        definition: definition.pick({ id: true, createdAt: true, modifiedAt: true, name: true, type: true }),
        status: z.enum(EVAL_STATUSES),
        score: z.number().nullable(),
        passed: z.boolean().nullable(),
        message: z.string().nullable().describe('First 300 characters of the reason for the verdict.'),
      }),
    )
    .describe('Current evals, earliest first, at most 20.'),
});
export type ListedTest = z.input<typeof listedTest>;

export const test = namedObject('Test', {
  ...testSummary.shape,
  ...ofTest,
  metadata: z.unknown().describe('Metadata of the task at the start of the test.'),
  advice: z
    .object({ cause: z.string(), cure: z.string().nullable() })
    .nullable()
    .describe(
      'Likely cause why no span has arrived, and what to do about it, once a test has waited 15 s for spans; null otherwise. `GET /v0/tests/{id}/diagnosis` has the facts.',
    ),
  timeline: z.array(z.object({ at: dateTime, phase, detail: z.string() })),
  traceIds: z.array(uuid).describe('Ids of its traces, earliest first, at most 100.'),
  input: z.unknown().describe('Input of the app, as its spans report it.'),
  output: z.unknown().describe('Output of the app, as its spans report it.'),
  inputSpanId: z.string().nullable(),
  outputSpanId: z.string().nullable(),
  evals: z
    .array(evaluation)
    .describe('Current evals, earliest first, at most 200. `GET /v0/evals?testId=` returns all.'),
});
export type Test = z.input<typeof test>;

export const testFilters = {
  q: filterLine,
  taskId: several(uuid).describe('Tests of one of these tasks.'),
  runId: several(uuid).describe('Tests of one of these runs.'),
  exampleId: several(uuid).describe('Tests of one of these examples.'),
  status: several(z.enum(TEST_STATUSES)).describe('Tests with one of these statuses.'),
  phase: several(phase).describe('Tests in one of these phases.'),
  runType: several(runType).describe('Tests of runs of one of these types.'),
  evalDefinitionId: several(uuid).describe('Tests with an eval of one of these definitions.'),
  experimentVariantId: several(uuid).describe('Tests of one of these variants of experiments.'),
  tagId: several(uuid).describe('Tests of tasks with one of these tags.'),
  issueId: several(uuid).describe('Tests whose trace is linked to one of these issues.'),
  passRateStatuses: several(z.enum(PASS_RATE_STATUSES)).describe(
    'Tests of which more than 75 % of the counted evals passed, more than 50 %, or fewer.',
  ),
  outcome: several(z.enum(OUTCOMES)).describe('Tests with one of these outcomes.'),
  outcomeBasis: several(z.enum(OUTCOME_BASES)).describe('Tests whose outcome these verdicts decided.'),
  causeKey: several(z.string().min(1).max(200)).describe('Tests that did not pass for one of these causes.'),
  startDate: givenTime.optional().describe('Tests started at this time or later.'),
  endDate: givenTime.optional().describe('Tests started at this time or earlier.'),
};

export const testsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'status', 'id']),
  ...testFilters,
});
export type TestsQuery = z.output<typeof testsQuery>;

export const chosenExamples = z.object({
  ids: z.array(uuid).min(1).max(10_000).optional().describe('Examples with these ids.'),
  splits: z.array(z.string().min(1).max(64)).min(1).max(100).optional().describe('Examples of these splits.'),
});

export const triggerBody = z.object({
  taskIds: z.array(uuid).min(1).max(100),
  repeat: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'Number of tests of each task, which take its examples in turn; with `examples`, number of tests of each chosen example.',
    ),
  examples: chosenExamples
    .optional()
    .describe('Examples to test; without a field, all active examples of the tasks.'),
  promptSeed: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(0)
    .describe(
      'Seed of the prompts that a model writes for `NORMAL` tasks. Tests with the same seed send the same prompts, until the task or the prompt model changes.',
    ),
});

export const startedRun = namedObject('StartedRun', { runId: uuid, taskId: uuid, testIds: z.array(uuid) });
