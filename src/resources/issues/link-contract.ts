import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { rowSelection } from '../selections/contract.ts';

const MAX_NOTES = 1_000;

const LINK_SOURCES = ['SELECTION', 'NOTE'] as const;

export const linksBody = z
  .object({
    selection: rowSelection.optional(),
    noteIds: z
      .array(uuid)
      .min(1)
      .max(MAX_NOTES)
      .optional()
      .describe('Notes that become evidence for the issue. Their traces are linked.'),
  })
  .refine((given) => (given.selection === undefined) !== (given.noteIds === undefined), {
    error: 'must have exactly one of `selection` and `noteIds`',
  });

export const occurrence = namedObject('Occurrence', {
  id: uuid.describe('Id of the link.'),
  traceId: uuid,
  testId: uuid.nullable().describe('Test that the trace belongs to.'),
  seenAt: dateTime.describe('Start of the trace.'),
  createdAt: dateTime.describe('Time when it was linked.'),
  source: z.enum(LINK_SOURCES).describe('`NOTE`: linked by a note. `SELECTION`: chosen otherwise.'),
  input: z.string().nullable().describe('Beginning of the input of the trace.'),
  output: z.string().nullable().describe('Beginning of its output.'),
});
export type Occurrence = z.input<typeof occurrence>;

export const occurrencesQuery = z.object(paging(['seenAt', 'createdAt', 'id']));
export type OccurrencesQuery = z.output<typeof occurrencesQuery>;
