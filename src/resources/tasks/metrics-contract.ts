import { z } from 'zod';
import { several } from '../../contract/query.ts';
import { LEVELS, TASK_STATUSES } from '../../evaluate/statistics/levels.ts';
import { listedTest } from '../tests/contract.ts';

const level = z.enum(LEVELS);
const percent = z.number().min(0).max(100);

/** Metrics of a task. */
export const taskMetrics = {
  lastTest: listedTest.nullable().describe('The test that was started last, with its prompt cut short.'),
  passRate: percent
    .nullable()
    .describe(
      'In percent: the mean over its tests of the share of evals that passed. Of tests started by hand or by schedule in the last 30 days; one that failed by the fault of the app counts as 0, one that failed otherwise or was not judged does not count. Null when none counts. Lists show it, and all that follows, up to a second or so late.',
    ),
  passRateInterval: z
    .object({ low: percent, high: percent })
    .nullable()
    .describe(
      'In percent: the 95 % confidence interval of the pass rate (Wilson), each test one observation.',
    ),
  errorRate: percent
    .nullable()
    .describe(
      'In percent: tests that failed, not by the fault of the app, among these and the tests that count.',
    ),
  monitoringPassRate: percent
    .nullable()
    .describe('In percent: as the pass rate, of what was judged by monitoring in the last 30 days.'),
  health: z
    .object({ score: z.int().min(0).max(100), level })
    .nullable()
    .describe(
      'The pass rate in whole percent with each test weighing half as much for every 7 days of its age. `HIGH` from 90, `MEDIUM` from 60.',
    ),
  confidence: z
    .object({ width: z.number(), level })
    .nullable()
    .describe(
      'How well the pass rate is known: the width of its interval, from 0 to 1. `HIGH` up to 0.15, `MEDIUM` up to 0.35.',
    ),
  stability: z
    .object({ deviation: z.number(), level })
    .nullable()
    .describe(
      'How much scores (each normalised to 0 to 1) vary between tests of the same input example by the same version of a definition: their pooled standard deviation. `HIGH` up to 0.10, `MEDIUM` up to 0.25. Null when nothing was tested twice.',
    ),
};
export type TaskMetrics = z.input<z.ZodObject<typeof taskMetrics>>;

export const metricFilters = {
  status: several(z.enum(TASK_STATUSES)).describe(
    'Tasks with one of these statuses: a pass rate above 75 %, above 50 %, of at most 50 %, or none.',
  ),
  confidence: several(level).describe(
    'Tasks whose pass rate is known this well: by the width of its 95 % confidence interval.',
  ),
  stability: several(level).describe('Tasks whose scores vary this little: by their standard deviation.'),
  healthScore: several(level).describe('Tasks with a health score of 90 to 100, 60 to 89, or 0 to 59.'),
};
