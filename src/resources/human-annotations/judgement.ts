import type { Issue } from '../../errors.ts';
import type { ReviewVerdict } from '../human-annotation-queue-items/contract.ts';

/** Fewest characters of the critique of a trace that does not pass. */
export const MIN_CRITIQUE_OF_FAILURE = 20;

/** Judgement of a person on a trace. */
export interface Judgement {
  verdict: boolean | null;
  score: number | null;
  unsure: boolean;
  critique: string | null;
}

/** Returns the faults of a judgement whose parts do not fit each other. */
export function judgementIssues({ verdict, score, unsure, critique }: Judgement): Issue[] {
  if (unsure && (verdict !== null || score !== null))
    return [{ code: 'custom', message: 'is allowed only without `verdict` and `score`', path: ['unsure'] }];
  if (verdict === null && score === null && !unsure && critique === null)
    return [
      {
        code: 'invalid_type',
        message: 'is required without `score`, `unsure` and `critique`',
        path: ['verdict'],
      },
    ];
  if (verdict === false && (critique ?? '').length < MIN_CRITIQUE_OF_FAILURE)
    return [
      {
        code: 'too_small',
        message: `must have at least ${MIN_CRITIQUE_OF_FAILURE} characters when the verdict is false`,
        path: ['critique'],
      },
    ];
  return [];
}

/** Returns a judgement with the overall verdict that follows from those by the criteria; without criteria unchanged. */
export function withOverall<J extends Judgement & { criteria: readonly { verdict: ReviewVerdict }[] | null }>(
  judgement: J,
): J {
  if (judgement.criteria === null) return judgement;
  const given = new Set(judgement.criteria.map(({ verdict }) => verdict));
  const verdict = given.has('FAIL') ? false : given.has('UNSURE') ? null : true;
  return { ...judgement, verdict, score: null, unsure: verdict === null };
}

/** Returns the verdict of a judgement; null for a note. */
export const reviewVerdictOf = ({ verdict, unsure }: Judgement): ReviewVerdict | null =>
  unsure ? 'UNSURE' : verdict === null ? null : verdict ? 'PASS' : 'FAIL';
