import { type Interval, wilsonInterval } from './wilson.ts';

/** Share of what a judge let pass, or let fail, on which people differ from it. */
export interface DifferingShare {
  /** 0 to 1. */
  share: number;
  /** Number of verdicts, or the number of equal weight that say as much. */
  count: number;
}

export interface JudgeStrata {
  /** Share of all that the judge lets fail, 0 to 1. */
  failedShare: number;
  passed: DifferingShare;
  failed: DifferingShare;
}

/** Directions in which the bounds of both shares are combined, from the first alone to the second alone. */
const DIRECTIONS = Array.from({ length: 33 }, (_, index) => (index * Math.PI) / 64);

/**
 * Computes Cohen's kappa and its interval from verdicts of people on two samples, of what the judge let pass and of what it let
 * fail; null without either. Such samples need fewer verdicts where a judge lets most pass, because few are wasted on what both
 * let pass. The bound is the lowest (highest) kappa over all pairs of bounds of both shares that are together `z` standard errors
 * away, by Wilson: kappa falls with each share, so it is the profile bound with normal likelihoods.
 */
export function stratifiedKappa(
  { failedShare, passed, failed }: JudgeStrata,
  z: number,
): ({ kappa: number } & Interval) | null {
  if (passed.count === 0 || failed.count === 0 || failedShare <= 0 || failedShare >= 1) return null;
  const bounds = DIRECTIONS.map((angle) => ({
    ofPassed: wilsonInterval(passed.share, passed.count, z * Math.cos(angle)),
    ofFailed: wilsonInterval(failed.share, failed.count, z * Math.sin(angle)),
  }));
  const at = (one: number, other: number): number => kappaAt(failedShare, one, other);
  return {
    kappa: at(passed.share, failed.share),
    low: Math.min(...bounds.map(({ ofPassed, ofFailed }) => at(ofPassed.high, ofFailed.high))),
    high: Math.max(...bounds.map(({ ofPassed, ofFailed }) => at(ofPassed.low, ofFailed.low))),
  };
}

/** Returns kappa for shares of what the judge let pass and fail on which people differ from it. */
function kappaAt(failedShare: number, ofPassed: number, ofFailed: number): number {
  const passedShare = 1 - failedShare;
  const agreed = passedShare * (1 - ofPassed) + failedShare * (1 - ofFailed);
  const humanPass = passedShare * (1 - ofPassed) + failedShare * ofFailed;
  const byChance = passedShare * humanPass + failedShare * (1 - humanPass);
  return (agreed - byChance) / (1 - byChance);
}
