import type { Database } from '../../storage/database.ts';
import { sideTests } from '../runs/compare-side.ts';
import { comparisonOfSides } from '../runs/compare.ts';
import { CONFIDENCE, decide } from './decide.ts';
import { type LoadDecision, loadDecision } from './decision-inputs.ts';
import { runs } from '../../tests/record.ts';
import type { Decision, DecisionRule, RecordedDecision } from './decision-contract.ts';
import { runSets } from './record.ts';

/** Decides on a run set, which may take seconds. Throws `not_found` and `bad_request`. */
function decideRunSet(
  database: Database,
  { rule, ...args }: LoadDecision & { rule: DecisionRule },
): Decision {
  const { id, owner } = args;
  const { inputs, baseline, standings } = loadDecision(database, args);
  const { compared: _, ...decided } = decide(inputs, rule);
  const leftOut = new Set(rule.withAdvisory ? [] : inputs.advisory.map((one) => one.id));
  const { question, equalTasks } = rule;
  const comparison =
    inputs.mostExamples === null &&
    inputs.baseline &&
    comparisonOfSides(database, owner.application, {
      baseline: sideTests(inputs.baseline, undefined, leftOut),
      candidates: [sideTests(inputs.candidate, undefined, leftOut)],
      standings,
      definitionId: null,
      question,
      equalTasks,
      confidence: CONFIDENCE,
    });
  return {
    runSetId: id,
    ...decided,
    rule,
    baselineId: baseline?.runSetId ?? null,
    baselineRunIds: baseline?.runIds ?? [],
    comparison: comparison || null,
  };
}

interface RecordDecision {
  application: number;
  id: string;
  decision: Omit<RecordedDecision, 'at'>;
  at: number;
}

const recorded = runSets.pick('id', 'decision', 'decidedAt', 'usedAt');

/** Records a decision, which pins the run set and its baseline against retention. Throws `not_found`. */
function recordDecision(database: Database, { application, id, decision, at }: RecordDecision): void {
  const kept = { ...decision, at: new Date(at).toISOString() };
  recorded.update(database, { application, id, at }, { decision: kept, decidedAt: at });
  const baseline = runs.byIds(database, application, decision.baselineRunIds).values();
  const sets = new Set([...baseline].flatMap(({ runSetId }) => runSetId ?? []));
  for (const baselineId of sets)
    recorded.updateAll(database, { application, at }, { usedAt: at }, 'id = :baselineId', { baselineId });
}

export const decisionCommands = { recordDecision };
export const decisionQueries = { decideRunSet };
