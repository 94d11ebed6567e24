import { countText } from '../../runtime/count-text.ts';
import type { Verdict } from '../evaluator.ts';

/** Returns that a judge gave no verdict: in most votes it preferred a place, whatever output had it. */
export const inconsistentVerdict = (contradictions: number, votes: number, change: string): Verdict => ({
  status: 'FAILED',
  reason: `judge_inconsistent: in ${contradictions} of ${countText(votes, 'vote')}, the judge preferred the same place after the outputs were ${change}, so its preference says nothing about them`,
});
