import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';
import { ISSUE_PRIORITIES, ISSUE_STATUSES } from './contract.ts';

const count = z.int().min(0);

export const runSetIssue = namedObject('RunSetIssue', {
  id: uuid,
  number: z.int(),
  title: z.string(),
  status: z.enum(ISSUE_STATUSES),
  priority: z.enum(ISSUE_PRIORITIES),
  wasReopened: z
    .boolean()
    .describe('True if Touchstone opened it again because of a run of the run set, and it is still open.'),
  examples: z
    .object({ passed: count, failed: count, unknown: count })
    .describe(
      'Its regression examples, those of the subset `issue-<number>`, that were tested: `passed` in all their tests, `failed` in one or more, otherwise unknown.',
    ),
  linkedTests: count.describe('Tests of the run set that failed and are linked to it.'),
});
export type RunSetIssue = z.input<typeof runSetIssue>;
