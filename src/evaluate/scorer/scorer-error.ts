import { CallError } from '../call-error.ts';

export type ScorerErrorCode =
  | 'scorer_unreachable'
  | 'scorer_timeout'
  | 'scorer_refused'
  | 'scorer_bad_answer'
  | 'scorer_too_large';

/** Error of a scorer that returned no usable response. */
export class ScorerError extends CallError<ScorerErrorCode> {
  override readonly name = 'ScorerError';
}
