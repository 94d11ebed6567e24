import type { Verdict } from '../evaluator.ts';
import { settled, settledMean } from '../statistics/settled.ts';

/** Verdict of one response. */
export interface Opinion<Answer> {
  answer: Answer;
  /** Score on the scale of the definition's type. */
  score: number;
  passed: boolean;
}

/**
 * Decides by the majority of all repeats; a tie does not pass. The score is the mean of all. `results` are those of
 * the first answer of the majority, with `agreement`, the share of repeats in the majority, and `spread` of the
 * scores: `{ min, max, deviation }`, where the deviation is the standard deviation of these repeats.
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
  const score = settledMean(scores);
  const { results, reason } = resultsOf((majority[0] as Opinion<Answer>).answer);
  const spread = {
    min: Math.min(...scores),
    max: Math.max(...scores),
    deviation: settled(Math.sqrt(settledMean(scores.map((one) => (one - score) ** 2)))),
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
