import { nullable, number, text, time } from '../../storage/column.ts';
import { type FieldsOf, type NewOf, table } from '../../storage/record.ts';

export const judgeCalls = table(
  'judge_call',
  'judge call',
  {
    evalId: text,
    /** SHA-256, in hex, of the complete request, including the number of the repeat. */
    hash: text,
    /** Number of the repeat, from 0. */
    repeat: number,
    runId: nullable(text),
    judge: text,
    /** Name of the model, as the response reports it. */
    model: text,
    inputTokens: nullable(number),
    outputTokens: nullable(number),
    /** Cost in US dollars; null when no price is configured. */
    cost: nullable(number),
    /** Total duration of all attempts. */
    latencyMs: number,
    attempts: number,
    createdAt: time,
    /** Request as JSON. */
    request: nullable(text),
    /** Response as it arrived, which may not fit the schema. */
    raw: nullable(text),
  },
  'evalId',
);

export const judgeReplies = judgeCalls.pick(
  'raw',
  'model',
  'inputTokens',
  'outputTokens',
  'cost',
  'latencyMs',
  'attempts',
);
/** A response of a judge, with its usage and cost. */
export type JudgeReply = FieldsOf<typeof judgeReplies> & { raw: string };
/** One request to a judge, for one eval. */
export type JudgeCall = Pick<NewOf<typeof judgeCalls>, 'evalId' | 'hash' | 'repeat' | 'judge'> & {
  application: number;
  runId: string | null;
  request: string;
};
