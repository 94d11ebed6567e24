import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';

const ATTENTION_KINDS = [
  'SENDERS',
  'WEBHOOK',
  'ISSUES',
  'ISSUES_REOPENED',
  'REVIEW',
  'EVALUATOR',
  'ISSUE_WITHOUT_EVALUATOR',
] as const;

export const attentionItem = namedObject('AttentionItem', {
  kind: z
    .enum(ATTENTION_KINDS)
    .describe(
      '`SENDERS`: spans or API keys were rejected. `WEBHOOK`: the last delivery failed. `ISSUES`: open ones of high priority. `ISSUES_REOPENED`: in the last 7 days. `REVIEW`: items that the caller can review. `EVALUATOR`: a judge with a required agreement that it has not reached, or has lost. `ISSUE_WITHOUT_EVALUATOR`: an open issue with several traces that nothing detects.',
    ),
  count: z.int().min(1).describe('Number of records that it is about.'),
  title: z.string(),
  detail: z.string(),
  href: z.string().describe('Path of the page in the dashboard where something can be done about it.'),
});
export type AttentionItem = z.input<typeof attentionItem>;
