import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { traceId, uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';
import { EVAL_STATUSES } from '../../evaluate/eval-record.ts';
import { definition } from '../definitions/contract.ts';

const status = z.enum(EVAL_STATUSES);
const json = z.record(z.string(), z.unknown());

/** Schema of an eval in lists. */
export const listedEval = namedObject('ListedEval', {
  ...recordFields,
  definition: definition.describe('The current state of the definition.'),
  definitionVersion: z.int().describe('Version of the definition that was applied.'),
  testId: uuid.nullable().describe('Test that was judged; null for a trace without a test.'),
  traceId: uuid.nullable().describe('Trace that was judged; for a test, its first one.'),
  taskId: uuid.nullable(),
  exampleId: uuid.nullable().describe('Example that the test sent.'),
  runId: uuid.nullable(),
  status: status.describe(
    '`COMPLETED`: there is a verdict. `SKIPPED`: a judge or required data was missing. `FAILED`: the evaluation failed.',
  ),
  score: z.number().nullable().describe("Score on the scale of the definition's type: 1 to 5, or 0 to 1."),
  normalisedScore: z.number().nullable().describe('The score on a scale from 0 to 1.'),
  passed: z.boolean().nullable(),
  version: z
    .int()
    .describe(
      'Version of the eval, from 1. Increases each time the same definition is applied to the same test or trace again.',
    ),
  superseded: z
    .boolean()
    .describe('True if a newer version has replaced this one, which then no longer counts.'),
  inputHash: z
    .string()
    .describe('Hash of everything that the verdict depends on; equal hashes need no new verdict.'),
  reason: z.string().nullable().describe('Reason for the verdict. Lists show its first 300 characters.'),
  message: z.string().nullable().describe('The same as `reason`.'),
  cost: z.number().nullable().describe('Cost of the judge or the scorer, in US dollars.'),
  latencyMs: z.int().nullable().describe('Duration of the evaluation, in milliseconds.'),
  withheld,
});
export type ListedEval = z.input<typeof listedEval>;

/** Schema of an eval with its long texts. */
export const evaluation = namedObject('Eval', {
  ...listedEval.shape,
  results: json.nullable().describe('Details of the score, by type. Null after the trace was deleted.'),
  judge: json
    .nullable()
    .describe(
      'Record for reproducing the eval: the `definition` as it was applied, with the expected output; for judge models also the model, its settings and the raw responses. Null until the eval is completed, and after the trace was deleted.',
    ),
});
export type Evaluation = z.input<typeof evaluation>;

export const evalsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'status', 'id']),
  taskId: several(uuid).describe('Evals of tests of one of these tasks.'),
  testId: several(uuid).describe('Evals of one of these tests.'),
  traceId: several(traceId).describe(
    'Evals of one of these traces, or of a test that such a trace belongs to: uuids, or the 32 hex digits of OpenTelemetry.',
  ),
  exampleId: several(uuid).describe('Evals of tests of one of these examples.'),
  runId: several(uuid).describe('Evals of tests of one of these runs.'),
  evalDefinitionId: several(uuid).describe('Evals by one of these definitions.'),
  type: several(z.string().min(1).max(64)).describe(
    'Evals by definitions that had one of these types at the time.',
  ),
  status: several(status).describe('Evals with one of these statuses.'),
  passed: queryBoolean.optional().describe('Evals that passed (`true`) or did not pass (`false`).'),
  superseded: queryBoolean
    .default(false)
    .describe('`false`: current evals. `true`: evals that a newer version has replaced.'),
});
export type EvalsQuery = z.output<typeof evalsQuery>;
