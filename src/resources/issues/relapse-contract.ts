import { z } from 'zod';
import { dateTime, uuid } from '../../contract/values.ts';

const count = z.int().min(0);
const percent = z.number().min(0).max(100).nullable();

export const relapse = z
  .object({
    kind: z
      .enum(['EXAMPLE', 'LIVE_RATE'])
      .describe(
        '`EXAMPLE`: a regression example failed again. `LIVE_RATE`: the evaluator lets more live responses fail than it does by its own errors.',
      ),
    since: dateTime.describe(
      'Time of the first failed run, or of the first of the live verdicts that count.',
    ),
    count: count.describe('Number of failed runs of the example, or of failed live verdicts.'),
    of: count.describe('Number of its runs since the issue was resolved, or of live verdicts.'),
    exampleId: uuid.nullable(),
    taskId: uuid.nullable().describe('Task of the example.'),
    runId: uuid.nullable().describe('Run that decided.'),
    testId: uuid.nullable().describe('Failed test of the example in that run.'),
    evalDefinitionId: uuid.nullable().describe('Evaluator of the live verdicts.'),
    rate: percent.describe(
      'Percentage of live responses with the problem, corrected by the errors of the evaluator as far as they are measured; null for an example.',
    ),
    low: percent.describe('Bounds of its 95 % confidence interval.'),
    high: percent,
  })
  .nullable()
  .describe('Why Touchstone opened the issue again; null if a person did, and for other events.');
export type Relapse = NonNullable<z.input<typeof relapse>>;
