import type { Verdict } from '../evaluator.ts';
import { settled } from '../statistics/settled.ts';

/** Verdict of one response. */
export interface Opinion<Answer> {
  answer: Answer;
  /** Score on the scale of the definition's type. */
  score: number;
  passed: boolean;
}

export const mean = (values: readonly number[]): number =>
  settled(values.reduce((sum, value) => sum + value, 0) / values.length);

/**
 * The majority of all repeats decides whether it passed, a tie does not; the score is their mean. `results` are those of
 * the first answer that is of the majority, with `agreement`, the share of the repeats that are of it, and `spread` of
 * the scores: `{ min, max, deviation }`, the last the standard deviation of these repeats.
 */
export function majorityVerdict<Answer>(
  opinions: readonly Opinion<Answer>[],
  { min, max }: { min: number; max: number },
  resultsOf: (answer: Answer) => { results: Readonly<Record<string, unknown>>; reason: string | null },
): Verdict {
  const scores = opinions.map(({ score }) => score);
  const passing = opinions.filter((opinion) => opinion.passed);
  const passed = passing.length * 2 > opinions.length;
  const majority = opinions.filter((opinion) => opinion.passed === passed);
  const score = mean(scores);
  const { results, reason } = resultsOf((majority[0] as Opinion<Answer>).answer);
  const spread = {
    min: Math.min(...scores),
    max: Math.max(...scores),
    deviation: settled(Math.sqrt(mean(scores.map((one) => (one - score) ** 2)))),
  };
  return {
    status: 'COMPLETED',
    score,
    normalised: settled((score - min) / (max - min)),
    passed,
    results: { ...results, agreement: settled(majority.length / opinions.length), spread },
    reason,
  };
}
