import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { givenTime, uuid } from '../../contract/values.ts';

export const evaluateBody = z
  .object({
    force: z
      .boolean()
      .default(false)
      .describe('True to evaluate again even if nothing that the verdict depends on has changed.'),
  })
  .default({ force: false });

export const evaluated = namedObject('EvaluateResult', {
  tests: z.int().describe('Number of tests that were checked.'),
  evals: z.int().describe('Number of evals that run again or for the first time.'),
  tracesDeleted: z
    .int()
    .describe(
      'Number of those tests whose trace, or that of the test they are compared with, was deleted: verdicts stay, and missing evals are `SKIPPED`.',
    ),
});

export const costsQuery = z.object({
  groupBy: z.enum(['day', 'definition']).default('day').describe('Subject of each entry. Days are in UTC.'),
  startDate: givenTime.optional().describe('Evals created at this time or later. Default: the last 30 days.'),
  endDate: givenTime.optional().describe('Evals created at this time or earlier.'),
});
export type CostsQuery = z.output<typeof costsQuery>;

export const evalCost = z.object({
  day: z.string().nullable().describe('Day, such as `2026-03-31`; null when grouped by definition.'),
  evalDefinitionId: uuid.nullable().describe('Null when grouped by day.'),
  name: z.string().nullable().describe('Name of the definition.'),
  evals: z.int().describe('Number of evals by a judge model, including superseded ones.'),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z
    .number()
    .nullable()
    .describe('Cost in US dollars of the evals whose model has a known price; null when none has.'),
  unpricedEvals: z.int().describe('Number of evals of unknown cost, which `cost` does not include.'),
});
export type Cost = z.input<typeof evalCost>;
