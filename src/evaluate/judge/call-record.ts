import { nullable, number, text, time } from '../../storage/column.ts';
import { type FieldsOf, type NewOf, table } from '../../storage/record.ts';

export const judgeCalls = table(
  'judge_call',
  'judge call',
  {
    /** Id of the eval that it judges, or of the run whose prompts it requests. */
    subjectId: text,
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
    /** Request as JSON, without its instructions. */
    request: nullable(text),
    /** SHA-256, in hex, of the instructions; null if `request` has them, as in earlier versions. */
    promptHash: nullable(text),
    /** Identifier of the configuration that served the response; null if it reported none. */
    fingerprint: nullable(text),
    /** Response as it arrived, which may not fit the schema. */
    raw: nullable(text),
  },
  'subjectId',
);

/** Instructions of requests, which many requests share. */
export const judgePrompts = table(
  'judge_prompt',
  'prompt',
  {
    /** SHA-256 of the text, in hex. */
    hash: text,
    system: text,
  },
  'hash',
);

export const judgeReplies = judgeCalls.pick(
  'raw',
  'model',
  'fingerprint',
  'inputTokens',
  'outputTokens',
  'cost',
  'latencyMs',
  'attempts',
);
/** A response of a judge, with its usage and cost. */
export type JudgeReply = FieldsOf<typeof judgeReplies> & { raw: string };
/** One request to a judge, for one eval, or to the prompt model, for one run. */
export type JudgeCall = Pick<NewOf<typeof judgeCalls>, 'subjectId' | 'hash' | 'repeat' | 'judge'> & {
  application: number;
  runId: string | null;
  /** Request as JSON, without its instructions. */
  request: string;
  instructions: FieldsOf<typeof judgePrompts>;
};
