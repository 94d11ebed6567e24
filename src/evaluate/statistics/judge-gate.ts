import { cohensKappa, type Confusion } from './agreement.ts';
import { reach } from './normal.ts';

/** Verdicts of a judge and of people on the same subject; true means passed. */
export interface VerdictPair {
  judge: boolean;
  human: boolean;
}

export interface GateRule {
  /** Kappa that the judge must reach, from 0 to 1. */
  minKappa: number;
  /** Number of human verdicts at the first test. */
  minAnnotations: number;
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
}

export interface GateState {
  /** True if the last test passed and nothing has revoked it since. */
  isValid: boolean;
  /** Last test; null before the first one. */
  test: GateTest | null;
  /** Upper bound of kappa of the newest verdicts when it revokes the gate; null when it does not. */
  revokedBy: { verdicts: number; kappa: number; high: number } | null;
  /** Number of verdicts at which the next test takes place. */
  nextTestAt: number;
}

/** Probability that all tests together let a judge pass whose kappa is lower than required. */
const ERROR = 0.05;
/** Confidence of the interval that revokes. */
const REVOKING = 0.95;

/**
 * Computes whether a judge is good enough to decide, from pairs in the order of the human verdicts, which must be of a
 * random sample. It is tested at `minAnnotations` verdicts and whenever their number has doubled, by the lower bound
 * of kappa. The tests share the error: test k has a one-sided level of 0.05 / 2^k, so that testing again does not let
 * a bad judge pass in the end (alpha spending; K. K. G. Lan, D. L. DeMets, "Discrete sequential boundaries for clinical
 * trials", Biometrika 70 (1983) 659–663). Between tests, a gate is revoked when the upper bound of kappa over the
 * newest `minAnnotations` verdicts is below the required kappa.
 */
export function judgeGate(pairs: readonly VerdictPair[], rule: GateRule): GateState {
  const { minAnnotations, minKappa } = rule;
  let test: GateTest | null = null;
  let nextTestAt = minAnnotations;
  for (let number = 1; nextTestAt <= pairs.length; number++, nextTestAt *= 2) {
    const level = ERROR / 2 ** number;
    const found = cohensKappa(confusionOf(pairs.slice(0, nextTestAt)), reach(1 - 2 * level));
    test = {
      number,
      verdicts: nextTestAt,
      kappa: found?.kappa ?? null,
      low: found?.low ?? null,
      confidence: 1 - level,
      isPassed: found !== null && found.low >= minKappa,
    };
  }
  const revokedBy = test?.isPassed === true ? revocation(pairs, rule) : null;
  return { isValid: test?.isPassed === true && revokedBy === null, test, revokedBy, nextTestAt };
}

function revocation(
  pairs: readonly VerdictPair[],
  { minAnnotations, minKappa }: GateRule,
): GateState['revokedBy'] {
  const newest = pairs.slice(-minAnnotations);
  const found = cohensKappa(confusionOf(newest), reach(REVOKING));
  return found !== null && found.high < minKappa
    ? { verdicts: newest.length, kappa: found.kappa, high: found.high }
    : null;
}

/** Counts pairs by their verdicts. */
export function confusionOf(pairs: readonly VerdictPair[]): Confusion {
  const count = (judge: boolean, human: boolean): number =>
    pairs.filter((pair) => pair.judge === judge && pair.human === human).length;
  return {
    truePositives: count(true, true),
    falsePositives: count(true, false),
    falseNegatives: count(false, true),
    trueNegatives: count(false, false),
  };
}
