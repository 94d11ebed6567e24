import type { JudgeRecord } from '../judge/judges.ts';
import type { ScorerRecord } from '../scorer/scorers.ts';

/** Record of the requests that an eval made. */
export type EvalRecord = JudgeRecord | ScorerRecord;

/** Returns the cost in US dollars; null when it is unknown. */
export const costOf = (record: EvalRecord): number | null =>
  'scorer' in record ? record.cost : totalOf(record, 'cost');

/** Returns the milliseconds that its requests took. */
export const latencyOf = (record: EvalRecord): number =>
  'scorer' in record
    ? record.latencyMs
    : Math.round(record.repeats.reduce((sum, { latencyMs }) => sum + latencyMs, 0));

/** Returns the tokens of judge models, 0 where they report none; null for a scorer that reports no cost. */
export function tokensOf(record: EvalRecord): { inputTokens: number; outputTokens: number } | null {
  if ('scorer' in record) return record.cost === null ? null : { inputTokens: 0, outputTokens: 0 };
  return {
    inputTokens: totalOf(record, 'inputTokens') ?? 0,
    outputTokens: totalOf(record, 'outputTokens') ?? 0,
  };
}

/** Returns the total of a field over all responses; null when no response reports it. */
function totalOf({ repeats }: JudgeRecord, field: 'cost' | 'inputTokens' | 'outputTokens'): number | null {
  const reported = repeats.map((repeat) => repeat[field]).filter((value) => value !== null);
  return reported.length === 0 ? null : reported.reduce((sum, value) => sum + value, 0);
}
