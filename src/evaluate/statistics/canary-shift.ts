/** Share of verdicts that a judge may change without a reason: models do not always answer alike. */
const TOLERATED = 0.1;

/** Verdicts of a judge on frozen subjects, and those that it gives today. */
export interface CanaryPair {
  /** Verdict for which the subject was chosen; null if it is unknown. */
  first: boolean | null;
  /** Verdict with which today's is compared. */
  before: boolean;
  now: boolean;
}

export interface CanaryShift {
  compared: number;
  toPassed: number;
  toFailed: number;
  /** True if the changes are more than chance. */
  isShifted: boolean;
}

/**
 * Tests whether a judge has changed. It has if its verdicts changed in one direction more often than in the other (the exact test of
 * McNemar, Psychometrika 12 (1947) 153–157), or if more of them changed than it has changed without a reason: one in ten, or the share
 * that changed between the first two verdicts. `alpha` bounds the probability of a false alarm; each test has half of it.
 */
export function canaryShift(pairs: readonly CanaryPair[], alpha: number): CanaryShift {
  const toPassed = pairs.filter(({ before, now }) => now && !before).length;
  const toFailed = pairs.filter(({ before, now }) => before && !now).length;
  const changed = toPassed + toFailed;
  const known = pairs.filter(({ first }) => first !== null);
  const unsteady = known.filter(({ first, before }) => first !== before).length;
  const tolerated = Math.max(TOLERATED, known.length === 0 ? 0 : unsteady / known.length);
  const isOneSided = 2 * upperTail(changed, Math.max(toPassed, toFailed), 0.5) <= alpha / 2;
  const isMore = upperTail(pairs.length, changed, tolerated) <= alpha / 2;
  return { compared: pairs.length, toPassed, toFailed, isShifted: isOneSided || isMore };
}

/** Computes the probability that at least `from` of `trials` succeed. */
function upperTail(trials: number, from: number, share: number): number {
  let chance = (1 - share) ** trials;
  let below = 0;
  for (let successes = 0; successes < from; successes++) {
    below += chance;
    chance *= ((trials - successes) / (successes + 1)) * (share / (1 - share));
  }
  return share >= 1 ? 1 : Math.max(0, 1 - below);
}
