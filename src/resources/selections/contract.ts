import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid, traceId } from '../../contract/values.ts';
import { filterLine } from '../../filter/query.ts';
import { createExampleBody } from '../examples/contract.ts';
import { resultSelection } from '../results/contract.ts';

/** Most rows that one selection may name or find. */
export const MAX_SELECTED = 10_000;
const MAX_IDS = 1_000;
const MAX_REPEAT = 100;

export const rowSelection = z
  .object({
    ids: z.array(traceId).min(1).max(MAX_IDS).optional().describe('Traces with these ids.'),
    results: resultSelection
      .optional()
      .describe(
        'The traces of the last side of all results that `GET /v0/results` finds with these filters.',
      ),
    traces: z
      .object({ q: filterLine })
      .optional()
      .describe('All traces that `GET /v0/traces` finds with this filter line.'),
  })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    error: 'must have exactly one of `ids`, `results` and `traces`',
  })
  .describe(
    `What to act on: ids, or a query that is run when the request arrives. More than ${MAX_SELECTED} rows are rejected (409).`,
  );
export type RowSelection = z.output<typeof rowSelection>;

export const SKIP_REASONS = [
  'NOT_FOUND',
  'NO_TRACE',
  'NO_INPUT',
  'NO_EXAMPLE',
  'ALREADY',
  'INVALID',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const skippedRow = z.object({
  id: uuid.describe('Trace, or test of a result without one.'),
  reason: z
    .enum(SKIP_REASONS)
    .describe(
      '`NOT_FOUND`: there is no such trace any more. `NO_TRACE`: no trace of the test has arrived. `NO_INPUT`: the trace has no input. `NO_EXAMPLE`: the test was of no example, or its example is deleted or archived. `ALREADY`: it is there already. `INVALID`: the task does not accept the input.',
    ),
});
export type SkippedRow = z.input<typeof skippedRow>;

/** Most rows that are named of those that were skipped. */
export const MAX_NAMED = 100;

export const selectionDone = namedObject('SelectionDone', {
  matched: z.int().describe('Number of rows of the selection when the request arrived.'),
  done: z.int().describe('Number of rows that were acted on.'),
  skippedCount: z.int().describe('Number of rows that were not.'),
  skipped: z.array(skippedRow).describe(`The first ${MAX_NAMED} of them, with the reasons.`),
  isComplete: z
    .boolean()
    .describe('False if the text of steps was searched in the newest traces only, so that more may match.'),
});
export type SelectionDone = z.input<typeof selectionDone>;

export const bulkItemsBody = z.object({ queueId: uuid, selection: rowSelection });

export const examplesFromTracesBody = z.object({
  selection: rowSelection,
  expected: z
    .enum(['CORRECTED', 'OUTPUT', 'NONE'])
    .default('CORRECTED')
    .describe(
      'Expected output of each new example: that which a reviewer wrote (`CORRECTED`, nothing without one), that of the trace, or nothing.',
    ),
  split: createExampleBody.shape.split,
});

export const runAgainBody = z.object({
  results: resultSelection.describe('Filters of `GET /v0/results`.'),
  repeat: z.int().min(1).max(MAX_REPEAT).default(1).describe('Number of tests of each example.'),
});

export const runAgainDone = selectionDone.extend({
  runs: z.array(z.object({ runId: uuid, taskId: uuid, tests: z.int() })),
});
