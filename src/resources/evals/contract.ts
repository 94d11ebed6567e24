import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { dateTime, traceId, uuid } from '../../contract/values.ts';
import { EVAL_STATUSES } from '../../evaluate/eval-record.ts';
import { definition } from '../definitions/contract.ts';

const status = z.enum(EVAL_STATUSES);
const json = z.record(z.string(), z.unknown());

/** An eval as lists show it. */
export const listedEval = namedObject('ListedEval', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime,
  modifiedAt: dateTime,
  definition: definition.describe('The definition as it is now.'),
  definitionVersion: z.int().describe('The version of the definition that it was judged by.'),
  testId: uuid.nullable().describe('The test that was judged; null: it was a trace without a test.'),
  traceId: uuid.nullable().describe('The trace that was judged; of a test its first one.'),
  taskId: uuid.nullable(),
  runId: uuid.nullable(),
  status: status.describe(
    '`COMPLETED`: there is a verdict. `SKIPPED`: there was nothing to judge by, or nobody to judge. `FAILED`: it could not be judged.',
  ),
  score: z.number().nullable().describe("On the scale of the definition's type: 1 to 5, or 0 to 1."),
  normalisedScore: z.number().nullable().describe('The score on a scale from 0 to 1.'),
  passed: z.boolean().nullable(),
  version: z
    .int()
    .describe(
      'Grows by one each time the same test or trace is judged by the same definition again; from 1.',
    ),
  superseded: z.boolean().describe('Whether a newer version took its place: it does not count any more.'),
  inputHash: z.string().describe('Of all that the verdict depends on: equal hashes need no new verdict.'),
  reason: z.string().nullable().describe('Why, in words. In lists its first 300 characters.'),
  cost: z.number().nullable().describe('Of the judge, in US dollars.'),
  latencyMs: z.int().nullable().describe('How long the judging took, in milliseconds.'),
});
export type ListedEval = z.input<typeof listedEval>;

/** An eval with its long texts. */
export const evaluation = namedObject('Eval', {
  ...listedEval.shape,
  results: json
    .nullable()
    .describe('What the score is made of; its fields depend on the type. Null once the trace was deleted.'),
  judge: json
    .nullable()
    .describe(
      'All that is needed to do it again: the `definition` as it judged, with what was expected; of judge models also who was asked, how, and the raw answers. Null until it is judged, and once the trace was deleted.',
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
  runId: several(uuid).describe('Evals of tests of one of these runs.'),
  evalDefinitionId: several(uuid).describe('Evals by one of these definitions.'),
  type: several(z.string().min(1).max(64)).describe('Evals by definitions that then had one of these types.'),
  status: several(status).describe('Evals with one of these statuses.'),
  passed: queryBoolean.optional().describe('Evals that passed, or that did not.'),
  superseded: queryBoolean
    .default(false)
    .describe('`false`: current evals. `true`: those that a newer version took the place of.'),
});
export type EvalsQuery = z.output<typeof evalsQuery>;
