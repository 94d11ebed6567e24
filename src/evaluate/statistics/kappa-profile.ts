import { wilsonInterval } from './wilson.ts';

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
const STEPS = DIRECTIONS.map((angle) => ({ ofPassed: Math.cos(angle), ofFailed: Math.sin(angle) }));

/**
 * Computes the lowest (highest) kappa over all pairs of bounds of both shares that are together `z` standard errors away, by
 * Wilson: kappa falls with each share, so it is the profile bound with normal likelihoods.
 */
export function profileBound(
  { failedShare, passed, failed }: JudgeStrata,
  z: number,
  side: 'low' | 'high',
): number {
  const differing = side === 'low' ? 'high' : 'low';
  const bounds = STEPS.map(({ ofPassed, ofFailed }) =>
    kappaAt(
      failedShare,
      wilsonInterval(passed.share, passed.count, z * ofPassed)[differing],
      wilsonInterval(failed.share, failed.count, z * ofFailed)[differing],
    ),
  );
  return side === 'low' ? Math.min(...bounds) : Math.max(...bounds);
}

/** Returns kappa for shares of what the judge let pass and fail on which people differ from it. */
export function kappaAt(failedShare: number, ofPassed: number, ofFailed: number): number {
  const passedShare = 1 - failedShare;
  const agreed = passedShare * (1 - ofPassed) + failedShare * (1 - ofFailed);
  const humanPass = passedShare * (1 - ofPassed) + failedShare * ofFailed;
  const byChance = passedShare * humanPass + failedShare * (1 - humanPass);
  return (agreed - byChance) / (1 - byChance);
}
