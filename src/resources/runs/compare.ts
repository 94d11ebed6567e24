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
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import type { Database } from '../../storage/database.ts';
import { correctedRateOfTests } from '../definitions/corrected-rate.ts';
import { definitions } from '../definitions/record.ts';
import type { Standings } from '../definitions/standing.ts';
import { tasks as taskTable } from '../tasks/record.ts';
import { shownRateInterval } from '../tests/rate-interval.ts';
import {
  type CompareBody,
  type ComparedCandidate,
  MAX_SHOWN_TASKS,
  type RunComparison,
  type SideMetrics,
  type TaskDifference,
} from './compare-contract.ts';
import { pairingOf } from './compare-pairing.ts';
import { loadSides, type SideTests } from './compare-store.ts';

const taskTitles = taskTable.pick('id', 'title');
const definitionNames = definitions.pick('id', 'name', 'type');

interface CompareRuns {
  application: number;
  body: CompareBody;
  now: number;
}

/** Compares runs, which may take seconds. Throws `not_found` and `too_large`. */
function compareRuns(database: Database, { application, body, now }: CompareRuns): RunComparison {
  const { confidence, question, equalTasks, definitionId = null } = body;
  const options = { question, confidence, equalTasks };
  const { baseline, candidates, standings } = loadSides(database, application, body, now);
  const pairings = candidates.map((candidate) => pairUp(baseline.counted, candidate.counted));
  const differences = pairings.map(({ pairs }) => (pairs.length === 0 ? null : differenceOf(pairs, options)));
  const adjusted = adjustedPValues(differences);
  return {
    confidence,
    question,
    definitionId,
    baseline: metricsOf(baseline, options),
    candidates: candidates.map((candidate, index): ComparedCandidate => {
      const pairing = pairings[index] as Pairing;
      const { pairs } = pairing;
      const difference = differences[index] ?? null;
      return {
        ...metricsOf(candidate, options),
        ...pairingOf(pairing, baseline.inputs, candidate.inputs),
        difference: difference && shownDifference(difference, adjusted.get(difference) as Adjusted),
        effectSize: difference && {
          riskDifference: difference.estimate,
          oddsRatio: oddsRatio(difference.baseline, difference.candidate),
          cohensD: cohensD(scoresOf(pairs)),
        },
        tasks: changedTasks(database, application, pairs),
        definitions: definitionDifferences(database, application, { baseline, candidate, standings }),
      };
    }),
  };
}

function metricsOf(
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

/** Computes, for at least one pair, their number, both pass rates and the difference, in percent. */
function meansOf(pairs: readonly Pair[]) {
  const mean = (side: 'baseline' | 'candidate'): number =>
    settled(pairs.reduce((sum, pair) => sum + pair[side].rate, 0) / pairs.length);
  const [baseline, candidate] = [mean('baseline'), mean('candidate')] as const;
  return {
    pairs: pairs.length,
    baseline: percent(baseline),
    candidate: percent(candidate),
    difference: percent(candidate - baseline),
  };
}

function changedTasks(
  database: Database,
  application: number,
  pairs: readonly Pair[],
): ComparedCandidate['tasks'] {
  const ofTasks = Map.groupBy(pairs, ({ taskId }) => taskId);
  const tasks = [...ofTasks].map(([taskId, ofTask]) => ({ taskId, ...meansOf(ofTask) }));
  const better = tasks.filter(({ difference }) => difference > 0).sort((a, b) => b.difference - a.difference);
  const worse = tasks.filter(({ difference }) => difference < 0).sort((a, b) => a.difference - b.difference);
  const shown = [better, worse].map((all) => all.slice(0, MAX_SHOWN_TASKS));
  const ids = shown.flat().map(({ taskId }) => taskId);
  const titles = taskTitles.byIds(database, application, ids);
  const [mostImproved = [], mostWorsened = []] = shown.map((all) =>
    all.map((task): TaskDifference => ({ ...task, title: titles.get(task.taskId)?.title ?? '' })),
  );
  return {
    better: better.length,
    worse: worse.length,
    same: tasks.length - better.length - worse.length,
    mostImproved,
    mostWorsened,
  };
}

function definitionDifferences(
  database: Database,
  application: number,
  { baseline, candidate, standings }: { baseline: SideTests; candidate: SideTests; standings: Standings },
): ComparedCandidate['definitions'] {
  const compared = [...baseline.byDefinition].flatMap(([id, tests]) => {
    const others = candidate.byDefinition.get(id) ?? [];
    const { pairs } = pairUp(tests, others);
    if (pairs.length === 0) return [];
    const standing = standings.gated.get(id);
    return [
      {
        id,
        isAdvisory: standings.advisory.has(id),
        ...meansOf(pairs),
        correctedBaseline: correctedRateOfTests(standing, tests),
        correctedCandidate: correctedRateOfTests(standing, others),
      },
    ];
  });
  const ids = compared.map(({ id }) => id);
  const named = definitionNames.byIds(database, application, ids);
  return compared.flatMap((means) => {
    const names = named.get(means.id);
    return names ? [{ ...names, ...means }] : [];
  });
}

export const compareQueries = { compareRuns };
