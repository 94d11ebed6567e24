import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { givenTime, uuid } from '../../contract/values.ts';

/** Most tests that one call evaluates. */
const MAX_TESTS = 1_000;

export const evaluateBody = z
  .object({
    force: z
      .boolean()
      .default(false)
      .describe('True to evaluate again even if nothing that the verdict depends on has changed.'),
  })
  .default({ force: false });

/** Body for what may have more tests than one call checks. */
export const evaluateManyBody = z
  .object({
    ...evaluateBody.unwrap().shape,
    after: uuid
      .optional()
      .describe('`next` of the call before, to check the tests after it. Absent for the newest ones.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_TESTS)
      .default(MAX_TESTS)
      .describe('Most tests that are checked, the newest first.'),
  })
  .default({ force: false, limit: MAX_TESTS });
export type EvaluateManyBody = z.output<typeof evaluateManyBody>;

export const evaluated = namedObject('EvaluateResult', {
  tests: z.int().describe('Number of tests that were checked.'),
  evals: z.int().describe('Number of evals that run again or for the first time.'),
  tracesDeleted: z
    .int()
    .describe(
      'Number of those tests whose trace, or that of the test they are compared with, was deleted: verdicts stay, and missing evals are `SKIPPED`.',
    ),
  next: uuid
    .nullable()
    .describe(
      'The last test that was checked, if there are older ones: with it as `after`, the next call checks them. Null when all were checked.',
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
