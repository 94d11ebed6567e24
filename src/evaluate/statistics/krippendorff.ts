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
interface Sums {
  verdicts: number;
  passed: number;
  /** Σ 2 · passed · failed ÷ (count − 1). */
  differing: number;
}

/**
 * Computes Krippendorff's alpha of verdicts by any number of people, the agreement beyond chance: 1 is perfect, 0 that of
 * chance. Null without a subject that two people judged, and when all verdicts are alike. K. Krippendorff, "Content
 * Analysis" (2004), section 11.3, for nominal data. The interval is that of the jackknife over subjects (B. Efron, C. Stein,
 * Annals of Statistics 9 (1981) 586–596), with one subject of each kind added, as in the interval of Cohen's kappa: without
 * them, few subjects on which people agree would seem certain.
 */
export function krippendorffAlpha(
  subjects: readonly SharedVerdicts[],
  z: number,
): ({ alpha: number } & Interval) | null {
  const shared = subjects.filter(({ count }) => count >= 2);
  const alpha = alphaOf(sumsOf(shared));
  if (alpha === null) return null;
  const padded = [...shared, ...ADDED];
  const sums = sumsOf(padded);
  const centre = alphaOf(sums) ?? 0;
  const without = padded.map((subject) => alphaOf(minus(sums, partOf(subject))) ?? centre);
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length;
  const squares = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(((padded.length - 1) / padded.length) * squares);
  return { alpha, low: Math.max(-1, centre - z * error), high: Math.min(1, centre + z * error) };
}

function alphaOf({ verdicts, passed, differing }: Sums): number | null {
  const byChance = (2 * passed * (verdicts - passed)) / (verdicts - 1);
  return verdicts < 2 || byChance === 0 ? null : 1 - differing / byChance;
}

const partOf = ({ passed, count }: SharedVerdicts): Sums => ({
  verdicts: count,
  passed,
  differing: (2 * passed * (count - passed)) / (count - 1),
});

const sumsOf = (subjects: readonly SharedVerdicts[]): Sums =>
  subjects.map(partOf).reduce(plus, { verdicts: 0, passed: 0, differing: 0 });

const plus = (a: Sums, b: Sums): Sums => ({
  verdicts: a.verdicts + b.verdicts,
  passed: a.passed + b.passed,
  differing: a.differing + b.differing,
});

const minus = (a: Sums, { verdicts, passed, differing }: Sums): Sums =>
  plus(a, { verdicts: -verdicts, passed: -passed, differing: -differing });
