import { type DifferenceOptions, type Pair, pairUp } from '../../evaluate/statistics/comparison.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import type { Database } from '../../storage/database.ts';
import { correctedRateOfTests } from '../definitions/corrected-rate.ts';
import { definitions } from '../definitions/record.ts';
import type { Standings } from '../definitions/standing.ts';
import { tasks as taskTable } from '../tasks/record.ts';
import { appChanges } from './app-changes.ts';
import {
  type CompareBody,
  type ComparedCandidate,
  MAX_SHOWN_TASKS,
  type RunComparison,
  type TaskDifference,
} from './compare-contract.ts';
import type { SideTests } from './compare-side.ts';
import { compareSides, metricsOfSide } from './compare-sides.ts';
import { loadSides, type Sides } from './compare-store.ts';

const taskTitles = taskTable.pick('id', 'title');
const definitionNames = definitions.pick('id', 'name', 'type');

interface CompareRuns {
  application: number;
  body: CompareBody;
  now: number;
}

/** Compares runs, which may take seconds. Throws `not_found` and `too_large`. */
function compareRuns(database: Database, { application, body, now }: CompareRuns): RunComparison {
  const { confidence, question, equalTasks, withChanges, definitionId = null } = body;
  const sides = loadSides(database, application, body, now);
  const comparison = comparisonOfSides(database, application, {
    ...sides,
    confidence,
    question,
    equalTasks,
    definitionId,
  });
  if (!withChanges) return comparison;
  const changes = appChanges(database, application, body.baseline, body.candidates);
  const candidates = comparison.candidates.map((candidate, index) => ({ ...candidate, ...changes[index] }));
  return { ...comparison, candidates };
}

/** Compares sides that were loaded, and names their tasks and definitions. */
export function comparisonOfSides(
  database: Database,
  application: number,
  {
    baseline,
    candidates,
    standings,
    definitionId,
    ...options
  }: Sides & DifferenceOptions & { definitionId: string | null },
): RunComparison {
  const { confidence, question } = options;
  return {
    confidence,
    question,
    definitionId,
    baseline: metricsOfSide(baseline, options),
    candidates: compareSides(baseline, candidates, options).map(({ pairs, compared }, index) => ({
      ...compared,
      tasks: changedTasks(database, application, pairs),
      definitions: definitionDifferences(database, application, {
        baseline,
        candidate: candidates[index] as SideTests,
        standings,
      }),
    })),
  };
}

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
