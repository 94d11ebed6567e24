import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';
import { dryRun, expectedCost, spentCost } from './contract.ts';
import { measured } from '../issues/measured-contract.ts';

const count = z.int().min(0);

export const draftBody = z.object({ dryRun });

const evaluatorDraft = z.object({
  name: z.string(),
  criterion: z
    .string()
    .describe('Criterion of a `CUSTOM` definition: what a response without the problem meets.'),
  rationale: z.string(),
});
export type EvaluatorDraft = z.input<typeof evaluatorDraft>;

export const draftResult = namedObject('EvaluatorDraftResult', {
  halves: z
    .object({ draft: count, holdout: count })
    .describe('Number of notes that the model is shown, and of those that stay sealed.'),
  expected: expectedCost,
  spent: spentCost,
  draft: evaluatorDraft.nullable().describe('Null in a dry run.'),
});
export type DraftResult = z.input<typeof draftResult>;

export const measureBody = z.object({ dryRun });

export const measureResult = namedObject('EvaluatorMeasurement', {
  definitionId: uuid,
  cases: z
    .object({ shows: count, passed: count })
    .describe(
      'Number of traces of the holdout that are judged: those with notes of the issue, and those that people passed.',
    ),
  expected: expectedCost,
  spent: spentCost,
  measured: measured.nullable().describe('Null in a dry run.'),
  measurements: count.describe(
    'How often an evaluator was measured for this issue, with this call. Each further one with a changed criterion makes the result more optimistic.',
  ),
});
export type MeasureResult = z.input<typeof measureResult>;
