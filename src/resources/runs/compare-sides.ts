import { benjaminiHochberg } from '../../evaluate/statistics/benjamini-hochberg.ts';
import {
  type Difference,
  differenceOf,
  type DifferenceOptions,
  type Pair,
  type Pairing,
  pairUp,
} from '../../evaluate/statistics/comparison.ts';
import { cohensD, oddsRatio } from '../../evaluate/statistics/effect-size.ts';
import { holm } from '../../evaluate/statistics/holm.ts';
import { meanRate, computeRateInterval } from '../../evaluate/statistics/rate-interval.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import { shownRateInterval } from '../tests/rate-interval.ts';
import type { ComparedCandidate, SideMetrics } from './compare-contract.ts';
import { pairingOf } from './compare-pairing.ts';
import type { SideTests } from './compare-side.ts';

/** A comparison of a candidate without the names of its tasks and definitions. */
export type ComparedSideOfRuns = Omit<ComparedCandidate, 'tasks' | 'definitions'>;

/** Compares candidates with the baseline: a pure function of their tests. */
export function compareSides(
  baseline: SideTests,
  candidates: readonly SideTests[],
  options: DifferenceOptions,
): { pairs: readonly Pair[]; compared: ComparedSideOfRuns }[] {
  const pairings = candidates.map((candidate) => pairUp(baseline.counted, candidate.counted));
  const differences = pairings.map(({ pairs }) => (pairs.length === 0 ? null : differenceOf(pairs, options)));
  const adjusted = adjustedPValues(differences);
  return candidates.map((candidate, index) => {
    const pairing = pairings[index] as Pairing;
    const { pairs } = pairing;
    const difference = differences[index] ?? null;
    const compared = {
      ...metricsOfSide(candidate, options),
      ...pairingOf(pairing, baseline.inputs, candidate.inputs),
      difference: difference && shownDifference(difference, adjusted.get(difference) as Adjusted),
      effectSize: difference && {
        riskDifference: difference.estimate,
        oddsRatio: oddsRatio(difference.baseline, difference.candidate),
        cohensD: cohensD(scoresOf(pairs)),
      },
    };
    return { pairs, compared };
  });
}

/** Counts the tests of a side, and computes its pass rate. */
export function metricsOfSide(
  { counted, unfinished, errors, tracesDeleted }: SideTests,
  options: DifferenceOptions,
): SideMetrics {
  const tests = counted.length;
  const sides = { tests, unfinished, errors, tracesDeleted };
  if (tests === 0) return { ...sides, passRate: null, passRateInterval: null };
  return {
    ...sides,
    passRate: percent(meanRate(counted, options.equalTasks)),
    passRateInterval: shownRateInterval(computeRateInterval(counted, options)),
  };
}

type Adjusted = Pick<NonNullable<ComparedCandidate['difference']>, 'adjustedPValue' | 'falseDiscoveryPValue'>;

function adjustedPValues(differences: readonly (Difference | null)[]): Map<Difference, Adjusted> {
  const found = differences.filter((difference) => difference !== null);
  const pValues = found.map(({ pValue }) => pValue);
  const adjusted = holm(pValues);
  const discoveries = benjaminiHochberg(pValues);
  return new Map(
    found.map((difference, index) => [
      difference,
      {
        adjustedPValue: adjusted[index] as number,
        falseDiscoveryPValue: discoveries[index] as number,
      },
    ]),
  );
}

const shownDifference = (
  difference: Difference,
  adjusted: Adjusted,
): NonNullable<ComparedCandidate['difference']> => ({
  ...difference,
  baseline: percent(difference.baseline),
  candidate: percent(difference.candidate),
  estimate: percent(difference.estimate),
  low: percent(difference.low),
  high: percent(difference.high),
  highIfNonePassed: percent(difference.highIfNonePassed),
  smallestLoss: percent(Math.max(0, difference.high - difference.estimate)),
  reason: reasonOf(difference),
  ...adjusted,
});

function reasonOf({ clusteredBy, clusters, question }: Difference): string {
  if (clusteredBy === 'TEST')
    return `The interval is for these very examples: each of ${clusters} tests is one observation.`;
  if (clusteredBy === 'TASK')
    return `Examples of one task are not independent: ${clusters} tasks are ${clusters} observations, and nothing is decided that their examples do not show too.`;
  const tasks =
    question === 'THESE_TASKS' ? ' of these very tasks: fewer than five say nothing about others' : '';
  return `Tests of one example are not independent: ${clusters} examples are ${clusters} observations${tasks}.`;
}

const scoresOf = (pairs: readonly Pair[]): [baseline: number, candidate: number][] =>
  pairs.flatMap(({ baseline, candidate }) =>
    baseline.score === null || candidate.score === null ? [] : [[baseline.score, candidate.score]],
  );
