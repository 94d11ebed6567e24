import { z } from 'zod';
import { dateTime, uuid } from '../../contract/values.ts';

export const evaluateBody = z
  .object({
    force: z
      .boolean()
      .default(false)
      .describe('Judge again what would be judged by the same as before, too.'),
  })
  .default({ force: false });

export const evaluated = z.object({
  tests: z.int().describe('Tests that were looked at.'),
  evals: z.int().describe('Evals that are made anew, or for the first time.'),
});

export const costsQuery = z.object({
  groupBy: z
    .enum(['day', 'definition'])
    .default('day')
    .describe('What each line is of. Days are those of UTC.'),
  startDate: dateTime.optional().describe('Evals made at this time or later. Without it the last 30 days.'),
  endDate: dateTime.optional().describe('Evals made at this time or earlier.'),
});
export type CostsQuery = z.output<typeof costsQuery>;

export const cost = z.object({
  day: z.string().nullable().describe('`2026-03-31`; null when grouped by definition.'),
  evalDefinitionId: uuid.nullable().describe('Null when grouped by day.'),
  name: z.string().nullable().describe('Of the definition.'),
  evals: z.int().describe('Evals that a judge model was asked for, superseded ones too.'),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z
    .number()
    .nullable()
    .describe('In US dollars, of the evals whose model has a known price; null when none has.'),
  unpricedEvals: z.int().describe('Evals whose cost is not known, and not in `cost`.'),
});
export type Cost = z.input<typeof cost>;
