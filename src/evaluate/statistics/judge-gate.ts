import { cohensKappa, type Confusion } from './agreement.ts';
import { reach } from './normal.ts';
import type { DifferingShare } from './kappa-profile.ts';
import { stratifiedKappa } from './stratified-kappa.ts';

/** Verdicts of a judge and of people on the same subject; true means passed. */
export interface VerdictPair {
  judge: boolean;
  /** Null if people are undecided: such a verdict counts half as pass and half as fail. */
  human: boolean | null;
}

/** A subject that was drawn at random, with the verdicts on it. */
export interface DrawnPair extends VerdictPair {
  /** Time of the human verdict, in Unix milliseconds; null until there is one. */
  at: number | null;
  /** Number of subjects that it stands for, relative to the others; 1 for all unless the draw preferred some. */
  weight: number;
  /** True if no one judged it before it expired or was deleted, so that it counts as a disagreement. */
  isMissing?: boolean;
}

export interface GateRule {
  /** Kappa that the judge must reach, from 0 to 1. */
  minKappa: number;
  /** Number of human verdicts at the first test. */
  minAnnotations: number;
  /** Days after which the gate expires, unless as many verdicts are given again as the first test needs. */
  maxAgeDays: number;
}

/** Test of a judge against a rule. */
export interface GateTest {
  /** Number of the test, from 1. */
  number: number;
  /** Number of verdicts that it used, which are the first ones. */
  verdicts: number;
  /** Cohen's kappa; null when it is undefined. */
  kappa: number | null;
  /** Lower bound of kappa; null when it is undefined. */
  low: number | null;
  /** One-sided confidence of the bound, from 0 to 1. */
  confidence: number;
  isPassed: boolean;
  /** False if people could not have proved the judge with these verdicts of it, even if they had agreed on all. */
  isPossible: boolean;
}

export interface GateState {
  /** True if the last test passed, nothing has revoked it since, and it has not expired. */
  isValid: boolean;
  /** Last test; null before the first one. */
  test: GateTest | null;
  /** Upper bound of kappa of the newest verdicts when it revokes the gate; null when it does not. */
  revokedBy: { verdicts: number; kappa: number; high: number } | null;
  /** Number of verdicts at which the next test takes place. */
  nextTestAt: number;
  /** Number of subjects of the next test that were drawn and have no human verdict. */
  awaited: number;
  /** Number of subjects that no one judged before they expired or were deleted. */
  missing: number;
  /** Time when the gate expires, in Unix milliseconds; null if the last test did not pass. */
  expiresAt: number | null;
  isExpired: boolean;
}

/** Probability that all tests together let a judge pass whose kappa is lower than required. */
const ERROR = 0.05;
/** Part of the remaining error that each test spends. */
const SPENT = 0.8;
/** One-sided level of the bound that revokes. */
const REVOKING = 0.025;

const DAY_MS = 86_400_000;

/**
 * Computes whether a judge is good enough to decide at the time `now`, from subjects in the order in which they were drawn at
 * random. The sample of a test is fixed before its labels are known: the first ones of that order, all of which must have a
 * human verdict, so that none is left out for what people say of it. The judge is tested at `minAnnotations` subjects and
 * whenever their number has doubled, by the lower bound of kappa. The tests share the error, so that testing again does not let a
 * bad judge pass in the end (alpha spending; K. K. G. Lan, D. L. DeMets, "Discrete sequential boundaries for clinical trials",
 * Biometrika 70 (1983) 659–663): each spends 80 % of what is left, the first one a one-sided level of 0.04. One that the judge
 * could not pass, whatever people said, spends nothing; that depends on its own verdicts alone. Between tests, a gate is revoked when
 * the upper bound of kappa over the newest `minAnnotations` verdicts is below the required kappa. It expires `maxAgeDays`
 * after the newest complete batch of `minAnnotations` verdicts.
 */
export function judgeGate(drawn: readonly DrawnPair[], rule: GateRule, now: number): GateState {
  const { minAnnotations, minKappa } = rule;
  const firstOpen = drawn.findIndex(({ at }) => at === null);
  const ready = firstOpen === -1 ? drawn : drawn.slice(0, firstOpen);
  let test: GateTest | null = null;
  let nextTestAt = minAnnotations;
  let unspent = 0;
  for (let number = 1; nextTestAt <= ready.length; number++, nextTestAt *= 2) {
    const level = unspent + ERROR * SPENT * (1 - SPENT) ** (number - 1);
    test = testOf(ready.slice(0, nextTestAt), drawn, { number, level, minKappa });
    unspent = test.isPossible ? 0 : level;
  }
  const judged = drawn.filter(({ at }) => at !== null);
  const revokedBy = test?.isPassed === true ? revocation(judged, drawn, rule) : null;
  const expiresAt = test?.isPassed === true ? expiryOf(ready, test.verdicts, rule) : null;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    isValid: test?.isPassed === true && revokedBy === null && !isExpired,
    test,
    revokedBy,
    nextTestAt,
    awaited: drawn.slice(0, nextTestAt).filter(({ at }) => at === null).length,
    missing: drawn.filter(({ isMissing }) => isMissing === true).length,
    expiresAt,
    isExpired,
  };
}

function testOf(
  pairs: readonly DrawnPair[],
  drawn: readonly DrawnPair[],
  { number, level, minKappa }: { number: number; level: number; minKappa: number },
): GateTest {
  const found = kappaOfDrawn(pairs, drawn, level);
  const best = kappaOfDrawn(
    pairs.map((pair) => ({ ...pair, human: pair.judge })),
    drawn,
    level,
  );
  return {
    number,
    verdicts: pairs.length,
    kappa: found?.kappa ?? null,
    low: found?.low ?? null,
    confidence: 1 - level,
    isPassed: found !== null && found.low >= minKappa,
    isPossible: best !== null && best.low >= minKappa,
  };
}

/** Returns the time when a gate expires whose last test used so many verdicts. */
function expiryOf(
  ready: readonly DrawnPair[],
  tested: number,
  { minAnnotations, maxAgeDays }: GateRule,
): number {
  const batches = Math.floor((ready.length - tested) / minAnnotations);
  const end = tested + batches * minAnnotations;
  const newest = Math.max(...ready.slice(end - minAnnotations, end).map(({ at }) => at ?? 0));
  return newest + maxAgeDays * DAY_MS;
}

function revocation(
  judged: readonly DrawnPair[],
  drawn: readonly DrawnPair[],
  { minAnnotations, minKappa }: GateRule,
): GateState['revokedBy'] {
  const newest = judged.slice(-minAnnotations);
  const found = kappaOfDrawn(newest, drawn, REVOKING);
  return found !== null && found.high < minKappa
    ? { verdicts: newest.length, kappa: found.kappa, high: found.high }
    : null;
}

/**
 * Computes kappa and its interval from some of the subjects that were drawn. The share that the judge lets fail is known of all
 * that were drawn, judged by people or not.
 */
function kappaOfDrawn(
  pairs: readonly DrawnPair[],
  drawn: readonly DrawnPair[],
  level: number,
): ReturnType<typeof cohensKappa> {
  if (drawn.every(({ weight }) => weight === 1)) return cohensKappa(confusionOf(pairs), reach(1 - 2 * level));
  const [failed, passed] = [pairs.filter(({ judge }) => !judge), pairs.filter(({ judge }) => judge)];
  const failedShare = weightOf(drawn.filter(({ judge }) => !judge)) / weightOf(drawn);
  return stratifiedKappa({ failedShare, passed: differingIn(passed), failed: differingIn(failed) }, level);
}

const weightOf = (pairs: readonly DrawnPair[]): number => pairs.reduce((sum, { weight }) => sum + weight, 0);

/** Returns the share of pairs that differ, and the number of pairs of equal weight that say as much (L. Kish, 1965). */
function differingIn(pairs: readonly DrawnPair[]): DifferingShare {
  const total = weightOf(pairs);
  const differing = pairs.reduce(
    (sum, { judge, human, weight }) => sum + weight * (human === null ? 0.5 : Number(human !== judge)),
    0,
  );
  const squares = pairs.reduce((sum, { weight }) => sum + weight * weight, 0);
  return total === 0
    ? { share: 0, count: 0 }
    : { share: differing / total, count: (total * total) / squares };
}

/**
 * Counts drawn pairs by their verdicts as if they were drawn without preference: by their weights, and as many as pairs of equal
 * weight that say as much.
 */
export function weightedConfusion(pairs: readonly DrawnPair[]): Confusion {
  const total = weightOf(pairs);
  const squares = pairs.reduce((sum, { weight }) => sum + weight * weight, 0);
  const scale = squares === 0 ? 1 : total / squares;
  return confusionOf(pairs, ({ weight }) => weight * scale);
}

/** Counts pairs by their verdicts; where people are undecided, one half each. */
export function confusionOf<P extends VerdictPair>(
  pairs: readonly P[],
  weigh: (pair: P) => number = () => 1,
): Confusion {
  const count = (judge: boolean, human: boolean): number =>
    pairs
      .filter((pair) => pair.judge === judge)
      .reduce(
        (sum, pair) => sum + weigh(pair) * (pair.human === null ? 0.5 : Number(pair.human === human)),
        0,
      );
  return {
    truePositives: count(true, true),
    falsePositives: count(true, false),
    falseNegatives: count(false, true),
    trueNegatives: count(false, false),
  };
}
