import { z } from 'zod';
import { apiSchemas } from '../../contract/api-schema.ts';
import { several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { LEVELS, TASK_STATUSES } from '../../evaluate/statistics/levels.ts';
import { correctedRate } from '../definitions/corrected-rate.ts';
import { isAdvisory } from '../definitions/reliability-contract.ts';
import { testSummary } from '../tests/contract.ts';
import { rateInterval } from '../tests/rate-interval.ts';

const level = z.enum(LEVELS);
const percent = z.number().min(0).max(100);

const rate = percent.nullable();

/** Schema of what a kind of tests of a task amounts to. */
const performance = z
  .object({
    tests: z.int().describe('Number of tests that count; in monitoring, of traces.'),
    testsPassed: z.int().describe('Number of tests of which every eval passed.'),
    evaluations: z.int(),
    passed: z.int().describe('Number of evaluations that passed.'),
    passRate: rate,
    healthScore: rate.describe('Health score, of 0 to 100; null where it is not computed.'),
    confidence: z.object({
      level,
      halfWidth: z.number().describe('Half of the width of the interval, in percent.'),
      interval: z
        .object({ lower: percent, upper: percent })
        .describe('95 % confidence interval of the pass rate, in percent; 0 to 100 without tests.'),
    }),
    stability: z.object({
      level: level.describe('`LOW` where nothing was tested twice.'),
      stddev: z.number().nullable(),
    }),
    recommendedAdditionalEvaluations: z
      .int()
      .describe('Estimated number of further evaluations after which the confidence is `HIGH`.'),
  })
  .register(apiSchemas, { id: 'TaskPerformance' });
export type TaskPerformance = z.input<typeof performance>;

/** Metrics of a task. */
export const taskMetrics = {
  lastTest: dateTime.nullable().describe('Time when its last test was started.'),
  latestTest: testSummary.nullable().describe('Test that was started last, with a truncated prompt.'),
  synthetic: performance.describe(
    'Tests started by hand or by schedule in the last 30 days. The percentages agree with the fields below.',
  ),
  monitoring: performance.describe('Evals from monitoring in the last 30 days.'),
  combined: performance.describe('Both together, each test and each monitored trace with the same weight.'),
  passRate: percent
    .nullable()
    .describe(
      'Percentage: mean over its tests of the share of evals that passed. Includes tests started by hand or by schedule in the last 30 days. A test that failed because of the app counts as 0; one that failed for another reason or was not judged does not count. Null when none counts. In lists, this and the following fields may be about a second old.',
    ),
  passRateInterval: rateInterval
    .nullable()
    .describe('95 % confidence interval of the pass rate, in percent, with each example as one observation.'),
  errorRate: percent
    .nullable()
    .describe(
      'Percentage of tests that failed for reasons outside the app, among these and the tests that count.',
    ),
  monitoringPassRate: percent
    .nullable()
    .describe('Percentage: pass rate of the evals from monitoring in the last 30 days.'),
  health: z
    .object({ score: z.int().min(0).max(100), level })
    .nullable()
    .describe(
      'Pass rate in whole percent, in which the weight of a test halves with every 7 days of its age. `HIGH` from 90, `MEDIUM` from 60.',
    ),
  confidence: z
    .object({ width: z.number(), level })
    .nullable()
    .describe(
      'Certainty of the pass rate, by the width of its interval from 0 to 1. `HIGH` up to 0.15, `MEDIUM` up to 0.35.',
    ),
  stability: z
    .object({ deviation: z.number(), level })
    .nullable()
    .describe(
      'Stability of scores, by the pooled standard deviation of scores from 0 to 1 between tests of the same input example by the same version of a definition. `HIGH` up to 0.10, `MEDIUM` up to 0.25. Null when nothing was tested twice.',
    ),
};
const taskJudge = z.object({
  id: uuid.describe('Id of the definition.'),
  name: z.string(),
  type: z.string(),
  isAdvisory,
  passed: z.int(),
  total: z.int(),
  passRate: percent,
  correctedPassRate: correctedRate,
});
export type TaskJudge = z.input<typeof taskJudge>;

export const taskJudges = z
  .array(taskJudge)
  .optional()
  .describe(
    'Definitions that use a judge model, with their evals of the tests that count. Present only in the response for a single record, and if there are any.',
  );

export type TaskMetrics = z.input<z.ZodObject<typeof taskMetrics>>;

export const metricFilters = {
  status: several(z.enum(TASK_STATUSES)).describe(
    'Tasks with one of these statuses: a pass rate above 75 %, above 50 %, of at most 50 %, or none.',
  ),
  confidence: several(level).describe(
    'Tasks with this certainty of the pass rate, by the width of its 95 % confidence interval.',
  ),
  stability: several(level).describe('Tasks with this stability of scores, by their standard deviation.'),
  healthScore: several(level).describe('Tasks with a health score of 90 to 100, 60 to 89, or 0 to 59.'),
};
