import { bisect } from './bisect.ts';
import { type JudgeStrata, kappaAt, profileBound } from './kappa-profile.ts';

/** Most verdicts of a stratum for which the exact bound is computed; with more, it hardly differs from the profile bound. */
const MOST_EXACT = 500;
/** Number of values of the share of the failed at which the bound is looked for, before it is refined. */
const STEPS = 16;
const REFINEMENTS = 3;
/** Most bounds that are kept, because decisions need the same ones. */
const MOST_KNOWN = 1_000;
/** Tolerance for the rounding of weights. */
const ROUNDING = 1e-9;

/** Bounds that were computed, by what they depend on. */
const bounds = new Map<string, number>();

/** Numbers of verdicts that differ from the judge, of which both samples have together at most as many as these. */
interface Region {
  passed: number;
  failed: number;
  /** Most that differ among the failed, by the number among the passed. */
  mostFailed: readonly number[];
}

/**
 * Computes the exact lower bound of kappa, with the one-sided level `level`: the lowest kappa of all shares with which a result
 * that is at least as good would have at least that probability. Results are ordered by their profile bounds. No bound with this
 * order is higher and exact. R. J. Buehler, "Confidence intervals for the product of two binomial parameters", Journal of the
 * American Statistical Association 52 (1957) 482–493. Two verdicts that differ by half count as one that differs. Returns null where
 * there are too many verdicts.
 */
export function exactLowKappa(
  strata: JudgeStrata,
  { level, z }: { level: number; z: number },
): number | null {
  const { failedShare } = strata;
  const sizes = [strata.passed, strata.failed].map(({ count }) => Math.floor(count + ROUNDING)) as [
    number,
    number,
  ];
  if (Math.max(...sizes) > MOST_EXACT || Math.min(...sizes) < 1) return null;
  const counts = [
    differing(sizes[0], strata.passed.share),
    differing(sizes[1], strata.failed.share),
  ] as const;
  const key = [failedShare, ...sizes, ...counts, level].join();
  const known = bounds.get(key);
  if (known !== undefined) return known;
  const region = regionOf(failedShare, { sizes, counts, z });
  const kappa = (ofFailed: number): number =>
    kappaAt(failedShare, largestOfPassed(region, ofFailed, level), ofFailed);
  const low = lowestOf(kappa, largestOfFailed(region, level));
  if (bounds.size >= MOST_KNOWN) bounds.clear();
  bounds.set(key, low);
  return low;
}

/** Returns the number of verdicts that differ. */
const differing = (count: number, share: number): number => Math.ceil(count * share - ROUNDING);

/** Returns all results that are at least as good as what was seen. */
function regionOf(
  failedShare: number,
  {
    sizes: [passed, failed],
    counts,
    z,
  }: { sizes: readonly [number, number]; counts: readonly [number, number]; z: number },
): Region {
  const boundAt = (ofPassed: number, ofFailed: number): number =>
    profileBound(
      {
        failedShare,
        passed: { share: ofPassed / passed, count: passed },
        failed: { share: ofFailed / failed, count: failed },
      },
      z,
      'low',
    );
  const seen = boundAt(...counts);
  const mostFailed: number[] = [];
  let most = failed;
  for (let ofPassed = 0; ofPassed <= passed; ofPassed++) {
    while (most >= 0 && boundAt(ofPassed, most) < seen - ROUNDING) most -= 1;
    if (most < 0) break;
    mostFailed.push(most);
  }
  return { passed, failed, mostFailed };
}

/** Returns the highest share of the passed with which the region has a probability of `level`. */
function largestOfPassed({ passed, failed, mostFailed }: Region, ofFailed: number, level: number): number {
  const upTo = cumulated(binomial(failed, ofFailed, failed));
  const within = mostFailed.map((most) => upTo[most] as number);
  const outside = (ofPassed: number): number => {
    const chances = binomial(passed, ofPassed, within.length - 1);
    return 1 - within.reduce((sum, chance, count) => sum + chance * (chances[count] as number), 0);
  };
  return bisect(outside, 1 - level, 0, 1);
}

/** Returns the highest share of the failed with which the region has a probability of `level`, if nothing differs among the passed. */
function largestOfFailed({ failed, mostFailed }: Region, level: number): number {
  const most = mostFailed[0] as number;
  const outside = (ofFailed: number): number =>
    1 - binomial(failed, ofFailed, most).reduce((sum, chance) => sum + chance, 0);
  return bisect(outside, 1 - level, 0, 1);
}

/** Looks for the lowest value of a function between 0 and `end`. */
function lowestOf(value: (x: number) => number, end: number): number {
  let [from, to, lowest] = [0, end, Number.POSITIVE_INFINITY];
  for (let refinement = 0; refinement <= REFINEMENTS; refinement++) {
    const step = (to - from) / STEPS;
    let best = from;
    for (let i = 0; i <= STEPS; i++) {
      const at = value(from + i * step);
      if (at < lowest) [lowest, best] = [at, from + i * step];
    }
    [from, to] = [Math.max(0, best - step), Math.min(end, best + step)];
  }
  return lowest;
}

/** Returns the probabilities of 0 to `most` of `count` independent events. */
function binomial(count: number, chance: number, most: number): number[] {
  if (chance <= 0) return Array.from({ length: most + 1 }, (_, events) => Number(events === 0));
  if (chance >= 1) return Array.from({ length: most + 1 }, (_, events) => Number(events === count));
  const [yes, no] = [Math.log(chance), Math.log1p(-chance)];
  return Array.from({ length: most + 1 }, (_, events) =>
    Math.exp(logChoices(count, events) + events * yes + (count - events) * no),
  );
}

const cumulated = (chances: readonly number[]): number[] => {
  let sum = 0;
  return chances.map((chance) => (sum += chance));
};

const logFactorials = [0];
function logChoices(count: number, chosen: number): number {
  for (let n = logFactorials.length; n <= count; n++)
    logFactorials.push((logFactorials[n - 1] as number) + Math.log(n));
  const of = (n: number): number => logFactorials[n] as number;
  return of(count) - of(chosen) - of(count - chosen);
}
