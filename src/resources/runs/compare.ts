import { cohensD, oddsRatio } from '../../evaluate/statistics/effect-size.ts';
import { type Difference, differenceOf, type Pair, pairUp } from '../../evaluate/statistics/comparison.ts';
import { holm } from '../../evaluate/statistics/holm.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import { wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { Database } from '../../storage/database.ts';
import { definitions } from '../definitions/record.ts';
import { tasks as taskTable } from '../tasks/record.ts';
import {
  type CompareBody,
  type ComparedCandidate,
  MAX_SHOWN_TASKS,
  type RunComparison,
  type SideMetrics,
  type TaskDifference,
} from './compare-contract.ts';
import { loadSides, type SideTests } from './compare-store.ts';

const taskTitles = taskTable.pick('id', 'title');
const definitionNames = definitions.pick('id', 'name', 'type');

interface CompareRuns {
  application: number;
  body: CompareBody;
}

/** Compares runs, which may take seconds. Throws `not_found` and `too_large`. */
function compareRuns(database: Database, { application, body }: CompareRuns): RunComparison {
  const { confidence, definitionId = null } = body;
  const { baseline, candidates } = loadSides(database, application, body);
  const pairings = candidates.map((candidate) => pairUp(baseline.counted, candidate.counted));
  const differences = pairings.map(({ pairs }) =>
    pairs.length === 0 ? null : differenceOf(pairs, confidence),
  );
  const adjusted = adjustedPValues(differences);
  return {
    confidence,
    definitionId,
    baseline: metricsOf(baseline, confidence),
    candidates: candidates.map((candidate, index): ComparedCandidate => {
      const { pairs, onlyBaseline, onlyCandidate } = pairings[index] as (typeof pairings)[number];
      const difference = differences[index] ?? null;
      return {
        ...metricsOf(candidate, confidence),
        pairs: pairs.length,
        onlyInBaseline: onlyBaseline,
        onlyInCandidate: onlyCandidate,
        difference: difference && shownDifference(difference, adjusted.get(difference) as number),
        effectSize: difference && {
          riskDifference: difference.estimate,
          oddsRatio: oddsRatio(difference.baseline, difference.candidate),
          cohensD: cohensD(scoresOf(pairs)),
        },
        tasks: changedTasks(database, application, pairs),
        definitions: definitionDifferences(database, application, baseline, candidate),
      };
    }),
  };
}

function metricsOf({ counted, unfinished, errors }: SideTests, confidence: number): SideMetrics {
  const tests = counted.length;
  const sides = { tests, unfinished, errors };
  if (tests === 0) return { ...sides, passRate: null, passRateInterval: null };
  const passRate = settled(counted.reduce((sum, { rate }) => sum + rate, 0) / tests);
  const { low, high } = wilsonInterval(passRate, tests, reach(confidence));
  return {
    ...sides,
    passRate: percent(passRate),
    passRateInterval: { low: percent(low), high: percent(high) },
  };
}

function adjustedPValues(differences: readonly (Difference | null)[]): Map<Difference, number> {
  const found = differences.filter((difference) => difference !== null);
  const adjusted = holm(found.map(({ pValue }) => pValue));
  return new Map(found.map((difference, index) => [difference, adjusted[index] as number]));
}

const shownDifference = (
  { baseline, candidate, estimate, low, high, pValue, method, reason }: Difference,
  adjustedPValue: number,
): NonNullable<ComparedCandidate['difference']> => ({
  baseline: percent(baseline),
  candidate: percent(candidate),
  estimate: percent(estimate),
  low: percent(low),
  high: percent(high),
  method,
  reason,
  pValue,
  adjustedPValue,
});

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
  baseline: SideTests,
  candidate: SideTests,
): ComparedCandidate['definitions'] {
  const compared = [...baseline.byDefinition].flatMap(([id, tests]) => {
    const { pairs } = pairUp(tests, candidate.byDefinition.get(id) ?? []);
    return pairs.length === 0 ? [] : [{ id, ...meansOf(pairs) }];
  });
  const ids = compared.map(({ id }) => id);
  const named = definitionNames.byIds(database, application, ids);
  return compared.flatMap((means) => {
    const names = named.get(means.id);
    return names ? [{ ...names, ...means }] : [];
  });
}

export const compareQueries = { compareRuns };
