import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime } from '../../contract/values.ts';

const count = z.int().min(0);
const text = z.object({
  label: z.string().describe('Name of the text, such as `output`.'),
  text: z.string().describe('Text as the judge saw it.'),
  length: count.describe('Number of characters of the complete text; it is truncated if `text` is shorter.'),
});

export const judgeCall = namedObject('JudgeCall', {
  repeat: count.describe('Number of the vote, from 0.'),
  judge: z.string().describe('Name of the judge in the settings.'),
  model: z.string().describe('Model, as the response reports it.'),
  fingerprint: z
    .string()
    .nullable()
    .describe(
      'Identifier of the configuration that served the response (`system_fingerprint`), if it reports one.',
    ),
  request: z
    .object({
      system: z.string().describe('Instructions and the schema of the answer.'),
      inputs: z.array(text).describe('Texts to judge, each between markers that are not shown here.'),
      leftOut: count.describe('Number of texts that were not sent.'),
      mistake: z
        .object({ raw: z.string(), problem: z.string() })
        .nullable()
        .describe('Earlier answer that could not be used; null in a first request.'),
    })
    .nullable()
    .describe(
      'Request without its settings, which the `judge` of the eval has. Null when it repeats the request of an earlier call in the list, and after the trace was deleted.',
    ),
  raw: z.string().nullable().describe('Answer as it arrived; null after the trace was deleted.'),
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  cost: z.number().nullable().describe('Cost in US dollars; null when no price is configured.'),
  latencyMs: count.describe('Total duration of all attempts.'),
  attempts: count,
  createdAt: dateTime,
});
export type ShownJudgeCall = z.input<typeof judgeCall>;

export const exampleJudgeCall: ShownJudgeCall = {
  repeat: 0,
  judge: 'default',
  model: 'gpt-4o-mini-2026-07-18',
  fingerprint: 'fp_44709d6fcb',
  request: {
    system: 'Decide whether the output of an application meets a criterion. …',
    inputs: [{ label: 'output', text: 'Within 30 days.', length: 15 }],
    leftOut: 0,
    mistake: null,
  },
  raw: '{"rationale":"It names 30 days.","verdict":"yes"}',
  inputTokens: 412,
  outputTokens: 18,
  cost: 0.0000726,
  latencyMs: 812,
  attempts: 1,
  createdAt: '2026-07-01T12:00:00.000Z',
};
