import { exactLowKappa } from './exact-kappa.ts';
import { type JudgeStrata, kappaAt, profileBound } from './kappa-profile.ts';
import { reach } from './normal.ts';
import type { Interval } from './wilson.ts';

/**
 * Computes Cohen's kappa and its bounds, each with the one-sided level `level`, from verdicts of people on two samples, of what the
 * judge let pass and of what it let fail; null without either. Such samples need fewer verdicts where a judge lets most pass, because
 * few are wasted on what both let pass. The lower bound is exact; the upper one, and the lower one of many verdicts, is the profile
 * bound.
 */
export function stratifiedKappa(strata: JudgeStrata, level: number): ({ kappa: number } & Interval) | null {
  const { failedShare, passed, failed } = strata;
  if (passed.count === 0 || failed.count === 0 || failedShare <= 0 || failedShare >= 1) return null;
  const z = reach(1 - 2 * level);
  return {
    kappa: kappaAt(failedShare, passed.share, failed.share),
    low: exactLowKappa(strata, { level, z }) ?? profileBound(strata, z, 'low'),
    high: profileBound(strata, z, 'high'),
  };
}
