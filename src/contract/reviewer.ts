import { includesScope, type Principal } from './scope.ts';

/** The caller of a request as a reviewer. */
export interface Reviewer {
  /** Id of the user, or of the API key. */
  readonly id: string;
  /** True for a user who may review: such users are reviewers of queues that name none. */
  readonly isPerson: boolean;
}

export const reviewerOf = ({ actor, scopes }: Principal): Reviewer => ({
  id: actor.id,
  isPerson: actor.type === 'user' && includesScope(scopes, 'annotate'),
});

/** Caller and time of a request, from whom verdicts may be withheld at that time. */
export interface SeenBy {
  readonly reviewer: Reviewer;
  /** Unix milliseconds. */
  readonly now: number;
}

export const seenBy = (principal: Principal, now: number): SeenBy => ({
  reviewer: reviewerOf(principal),
  now,
});
