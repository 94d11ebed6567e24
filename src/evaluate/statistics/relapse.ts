import { logBeta } from './beta.ts';

/**
 * Probability with which each of the two tests below calls a problem that is gone a relapse, however long and often it looks: 5 % together.
 */
const RELAPSE_ERROR = 0.025;

/** Number of bets that the wealth of an example is the mean of. */
const BETS = 20;

/** Days between two of the days from which live verdicts are looked at. */
const PERIOD_DAYS = 7;
/** Parameters of the beta distribution that shares of failed verdicts are expected to have: most are some percent. */
const EXPECTED = { failed: 0.5, passed: 20 };

/** Result of an example in a run. */
export interface ExampleRun {
  exampleId: string;
  /** Share of its tests in the run that failed, from 0 to 1. */
  failed: number;
}

/** Design of the test of examples. */
export interface ExampleWatch {
  /** Number of examples that are watched, with those that were not run. */
  examples: number;
  /** Share of tests of an example that may fail although the problem is gone. */
  tolerated: number;
  /** Number of runs of each example before the first one that is given. */
  earlier?: number;
}

/**
 * Returns the place of the run at which the examples show a relapse; null while they do not. Each example bets that it fails more often
 * than `tolerated` (I. Waudby-Smith, A. Ramdas, JRSS B 86 (2024) 1–27), again from each run on with the weight 1 / (k (k + 1)) for the
 * k-th, because a relapse begins at an unknown time. The mean of all examples exceeds 1 / `error` at any time with that probability at
 * most, also when tests of one run fail together (J. Ville, 1939).
 */
export function exampleRelapse(
  runs: readonly ExampleRun[],
  { examples, tolerated, earlier = 0 }: ExampleWatch,
  error = RELAPSE_ERROR,
): number | null {
  const bets = Array.from({ length: BETS }, (_, index) => (index + 0.5) / (BETS * tolerated));
  const watched = new Map<string, { runs: number; wealths: readonly number[]; wealth: number }>();
  let total = examples;
  for (const [place, { exampleId, failed }] of runs.entries()) {
    const before = watched.get(exampleId) ?? { runs: earlier, wealths: bets.map(() => 0), wealth: 1 };
    const number = before.runs + 1;
    const begun = 1 / (number * (number + 1));
    const wealths = before.wealths.map(
      (wealth, index) => (wealth + begun) * (1 + (bets[index] as number) * (failed - tolerated)),
    );
    const wealth = wealths.reduce((sum, one) => sum + one, 0) / BETS + 1 / (number + 1);
    watched.set(exampleId, { runs: number, wealths, wealth });
    total += wealth - before.wealth;
    if (total >= examples / error) return place;
  }
  return null;
}

/** Verdicts of an evaluator, and how many of them failed. */
export interface FailedVerdicts {
  of: number;
  failed: number;
}

/** Verdicts on live traffic of one day. */
export interface LiveDay extends FailedVerdicts {
  /** Number of days since the problem was resolved. */
  day: number;
}

/** A relapse that live verdicts show. */
export interface LiveRelapse {
  /** Place of the day from which they show it. */
  place: number;
  /** Verdicts that measure how often the evaluator fails a good response; null if it makes no errors. */
  reference: FailedVerdicts | null;
}

/**
 * Returns the relapse that live verdicts show; null while they show none. It compares the share that failed since the start of a week with
 * that of the subjects that people let pass, `falseAlarms`, and of the live verdicts before that week, in which the problem was gone. Neither
 * share is known exactly: the likelihood of both samples under priors of the beta distribution is divided by the highest one at which they
 * have the same share (L. Wasserman, A. Ramdas, S. Balakrishnan, "Universal inference", PNAS 117 (2020) 16880–16890). Because a relapse
 * begins at an unknown time, each week counts, the k-th with the weight 1 / (k (k + 1)). The sum exceeds 1 / `error` at any time
 * with that probability at most (J. Ville, 1939). Without `falseAlarms` the evaluator makes no errors, so that one failure is enough.
 */
export function liveRelapse(
  days: readonly LiveDay[],
  falseAlarms: FailedVerdicts | null,
  error = RELAPSE_ERROR,
): LiveRelapse | null {
  if (falseAlarms === null) {
    const first = days.findIndex(({ failed }) => failed > 0);
    return first === -1 ? null : { place: first, reference: null };
  }
  const last = days.at(-1);
  if (!last) return null;
  const all = sumOf(days);
  const reference = { ...falseAlarms };
  let total = 1 / (Math.floor(last.day / PERIOD_DAYS) + 2);
  let best: LiveRelapse & { wealth: number } = { place: 0, reference, wealth: 0 };
  for (const [place, { day, of, failed }] of days.entries()) {
    if (day % PERIOD_DAYS === 0) {
      const since = {
        of: all.of + falseAlarms.of - reference.of,
        failed: all.failed + falseAlarms.failed - reference.failed,
      };
      const period = day / PERIOD_DAYS + 1;
      const wealth = Math.exp(logEvidence(since, reference)) / (period * (period + 1));
      if (wealth > best.wealth) best = { place, reference: { ...reference }, wealth };
      total += wealth;
    }
    reference.of += of;
    reference.failed += failed;
  }
  return total >= 1 / error ? { place: best.place, reference: best.reference } : null;
}

const sumOf = (all: readonly FailedVerdicts[]): FailedVerdicts => ({
  of: all.reduce((sum, { of }) => sum + of, 0),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
});

/** Returns the logarithm of the evidence that live verdicts fail more often than those of the reference. */
function logEvidence(live: FailedVerdicts, reference: FailedVerdicts): number {
  const isHigher = live.failed * reference.of > reference.failed * live.of;
  const highest = isHigher
    ? logLikelihood(sumOf([live, reference]))
    : logLikelihood(live) + logLikelihood(reference);
  return logMarginal(live) + logMarginal(reference) - highest;
}

const logMarginal = ({ of, failed }: FailedVerdicts): number =>
  logBeta(failed + EXPECTED.failed, of - failed + EXPECTED.passed) -
  logBeta(EXPECTED.failed, EXPECTED.passed);

/** Returns the logarithm of the highest likelihood of verdicts. */
const logLikelihood = ({ of, failed }: FailedVerdicts): number =>
  timesLog(failed, failed / of) + timesLog(of - failed, 1 - failed / of);

const timesLog = (count: number, share: number): number => (count === 0 ? 0 : count * Math.log(share));
