import { jackknifeInterval, sumOf } from './jackknife.ts';
import type { Interval } from './wilson.ts';

/** Verdicts of several people on one subject: `passed` of `count`. */
export interface SharedVerdicts {
  passed: number;
  count: number;
}

/** Subjects that are added for the interval: on one all agree that it passes, on one that it fails, on two they differ. */
const ADDED: readonly SharedVerdicts[] = [
  { passed: 2, count: 2 },
  { passed: 0, count: 2 },
  { passed: 1, count: 2 },
  { passed: 1, count: 2 },
];

/** Sums over subjects with two or more verdicts. */
type AlphaSums = Record<'verdicts' | 'passed' | 'differing', number>;

/**
 * Computes Krippendorff's alpha of verdicts by any number of people, the agreement beyond chance: 1 is perfect, 0 that of
 * chance. Null without a subject that two people judged, and when all verdicts are alike. K. Krippendorff, "Content
 * Analysis" (2004), section 11.3, for nominal data. The interval is that of the jackknife over subjects, with one subject of
 * each kind added, as in the interval of Cohen's kappa: without them, few subjects on which people agree would seem certain.
 */
export function krippendorffAlpha(
  subjects: readonly SharedVerdicts[],
  z: number,
): ({ alpha: number } & Interval) | null {
  const shared = subjects.filter(({ count }) => count >= 2);
  const alpha = shared.length === 0 ? null : alphaOf(sumOf(shared.map(alphaPart)));
  if (alpha === null) return null;
  return { alpha, ...jackknifeInterval([...shared, ...ADDED].map(alphaPart), alphaOf, z) };
}

function alphaOf({ verdicts, passed, differing }: AlphaSums): number | null {
  const byChance = (2 * passed * (verdicts - passed)) / (verdicts - 1);
  return verdicts < 2 || byChance === 0 ? null : 1 - differing / byChance;
}

/** `differing` is 2 · passed · failed ÷ (count − 1). */
const alphaPart = ({ passed, count }: SharedVerdicts): AlphaSums => ({
  verdicts: count,
  passed,
  differing: (2 * passed * (count - passed)) / (count - 1),
});

/** Sums over subjects with two or more verdicts; `agreeing` is the sum of the shares of pairs of people who agree. */
type FleissSums = Record<'subjects' | 'agreeing' | 'verdicts' | 'passed', number>;

/**
 * Computes Fleiss' kappa, in which each subject weighs the same however many people judged it; null as alpha is. J. L. Fleiss,
 * "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971) 378–382, with the mean over subjects
 * where their numbers of people differ. The interval is made like that of alpha.
 */
export function fleissKappa(
  subjects: readonly SharedVerdicts[],
  z: number,
): ({ kappa: number } & Interval) | null {
  const shared = subjects.filter(({ count }) => count >= 2);
  const kappa = shared.length === 0 ? null : fleissOf(sumOf(shared.map(fleissPart)));
  if (kappa === null) return null;
  return { kappa, ...jackknifeInterval([...shared, ...ADDED].map(fleissPart), fleissOf, z) };
}

function fleissOf({ subjects, agreeing, verdicts, passed }: FleissSums): number | null {
  const share = passed / verdicts;
  const byChance = share ** 2 + (1 - share) ** 2;
  return subjects === 0 || byChance >= 1 ? null : (agreeing / subjects - byChance) / (1 - byChance);
}

const fleissPart = ({ passed, count }: SharedVerdicts): FleissSums => ({
  subjects: 1,
  agreeing: (passed * (passed - 1) + (count - passed) * (count - passed - 1)) / (count * (count - 1)),
  verdicts: count,
  passed,
});
