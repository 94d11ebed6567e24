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
    /** The model that responded, as it calls itself. */
    model: text,
    inputTokens: nullable(number),
    outputTokens: nullable(number),
    /** US dollars; null when no price is known. */
    cost: nullable(number),
    /** Total of all attempts. */
    latencyMs: number,
    attempts: number,
    createdAt: time,
    /** JSON. */
    request: nullable(text),
    /** The response as it arrived, which may not be what was asked for. */
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
/** A response of a judge, and what it took. */
export type JudgeReply = FieldsOf<typeof judgeReplies> & { raw: string };
/** One request to a judge, for one eval. */
export type JudgeCall = Pick<NewOf<typeof judgeCalls>, 'evalId' | 'hash' | 'repeat' | 'judge'> & {
  application: number;
  runId: string | null;
  request: string;
};
