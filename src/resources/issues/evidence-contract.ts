import { z } from 'zod';
import { uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';

const EVIDENCE_KINDS = ['EVALUATOR', 'VERIFIED', 'EXAMPLES', 'EXAMPLES_PASS', 'GONE'] as const;
/** Number of newest random traces of which none may show the problem: 0 of 150 has an upper bound below 2 %. */
export const GONE_SAMPLE = 150;
/** Number of last tests of each example that must have passed. */
export const PASSED_TESTS = 3;

export const evidence = z.object({
  kind: z
    .enum(EVIDENCE_KINDS)
    .describe(
      `\`EVALUATOR\`: an evaluator detects the problem. \`VERIFIED\`: it needs no model, or reviewers have verified it. \`EXAMPLES\`: examples in the subset \`issue-<number>\`. \`EXAMPLES_PASS\`: the last ${PASSED_TESTS} tests of each of them passed. \`GONE\`: none of the newest ${GONE_SAMPLE} traces that were drawn at random and completed is linked.`,
    ),
  isMet: z.boolean(),
  have: z.int().min(0).describe('Number of what there is.'),
  need: z.int().min(0).describe('Number of what is needed.'),
  evalDefinitionId: uuid.nullable().describe('The evaluator, for `EVALUATOR` and `VERIFIED`.'),
  taskIds: z.array(uuid).describe('Tasks of the examples, at most 20.'),
  queueId: uuid.nullable().describe('Queue of the sample, for `GONE`.'),
  message: z.string().describe('State of the evidence in words.'),
  withheld,
});
export type Evidence = z.input<typeof evidence>;
