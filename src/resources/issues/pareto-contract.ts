import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime, uuid } from '../../contract/values.ts';

const count = z.int().min(0);
const percent = z.number().min(0).max(100);
const share = { count, rate: percent, low: percent, high: percent };

/** Most issues that are named; the others are counted together. */
export const MAX_PARETO = 20;

export const issuePareto = namedObject('IssuePareto', {
  queueId: uuid.describe('Queue that drew the sample.'),
  queueTitle: z.string(),
  drawnAt: dateTime.describe('Time of the newest draw.'),
  of: count.describe('Traces of the sample that people completed, the newest 1000.'),
  issues: z
    .array(z.object({ id: uuid, number: z.int(), title: z.string(), ...share }))
    .describe(
      `Issues of these traces that are not rejected, the most frequent first, at most ${MAX_PARETO}.`,
    ),
  others: count.describe('Further issues of these traces.'),
  none: z.object(share).describe('Traces that show no issue.'),
});
export type IssuePareto = z.input<typeof issuePareto>;
