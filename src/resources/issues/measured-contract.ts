import { z } from 'zod';
import { uuid } from '../../contract/values.ts';

const count = z.int().min(0);
const percent = z.number().min(0).max(100).nullable();

const share = z.object({
  count,
  of: count.describe('Number of those with a verdict.'),
  low: percent.describe(
    'Bounds of the 95 % confidence interval (Wilson) of the percentage; null without any.',
  ),
  high: percent,
});

/** Verdicts of an evaluator on the holdout of an issue. */
export const measured = z.object({
  definitionId: uuid,
  version: z.int(),
  found: share.describe('Traces with notes of the issue that it failed.'),
  kept: share.describe('Traces that people passed, and that it passed.'),
  unjudged: count.describe('Number of traces without a verdict.'),
});
export type Measured = z.input<typeof measured>;
