import { type ComparedSideOfRuns, compareSides } from '../runs/compare-sides.ts';
import { type EvalRow, type StoredSide, sideTests } from '../runs/compare-side.ts';
import type { DecidedGate, Decision, DecisionRule, DecisionOutcome } from './decision-contract.ts';
import { gateVerdictOf, type GateVerdict, regressionGate } from './gate.ts';
import { sureGate } from './sure-gate.ts';
import {
  type Advisory,
  type AdvisoryDefinition,
  countedRates,
  isJudged,
  makeReport,
  NO_ADVISORY,
  type ReportedEval,
  type ReportedTask,
  type ReportedTest,
} from './report.ts';
import type { RunSetStatus } from './record.ts';

/** Confidence of the intervals of a decision. */
export const CONFIDENCE = 0.95;

/** Everything that a decision depends on besides its rule. */
export interface DecisionInputs {
  status: RunSetStatus;
  /** Number of examples of a run set that tests in batches until it is sure; null for one that tests all at once. */
  mostExamples: number | null;
  tasks: readonly ReportedTask[];
  tests: readonly ReportedTest[];
  /** Evals that did not pass, could not be judged, or were skipped. */
  findings: readonly ReportedEval[];
  /** Definitions whose verdicts are only shown, on both sides. */
  advisory: readonly AdvisoryDefinition[];
  /** Names of definitions, by id. */
  names: Readonly<Record<string, string>>;
  candidate: StoredSide;
  /** Null without a baseline. */
  baseline: StoredSide | null;
}

export interface Decided
  extends Pick<Decision, 'outcome' | 'reasons' | 'gates' | 'tests' | 'judged' | 'rate' | 'advisory'> {
  compared: ComparedSideOfRuns | null;
}

const OUTCOME_OF: Readonly<Record<GateVerdict['code'], DecisionOutcome>> = {
  0: 'PASS',
  1: 'FAIL',
  2: 'INCONCLUSIVE',
};
const SEVERITY: Readonly<Record<DecisionOutcome, number>> = { FAIL: 0, INCONCLUSIVE: 1, PASS: 2 };

/** Decides whether a run set is good enough: a pure function, so that whoever has its inputs comes to the same decision. */
export function decide(inputs: DecisionInputs, rule: DecisionRule): Decided {
  const { question, equalTasks, withAdvisory } = rule;
  const shown = withAdvisory ? [] : inputs.advisory;
  const ids = new Set(shown.map(({ id }) => id));
  const judging = new Set([
    ...inputs.candidate.evals.map(({ definitionId }) => definitionId),
    ...inputs.findings.map(({ definition }) => definition.id),
  ]);
  const advisory = advisoryOfTests(
    shown.filter(({ id }) => judging.has(id)),
    inputs.candidate.evals,
  );
  const report = makeReport(
    inputs.tasks,
    { tests: inputs.tests, evals: inputs.findings },
    { question, equalTasks, advisory },
  );
  const compared = comparedWithBaseline(inputs, ids, rule);
  const gates: DecidedGate[] = [...faultsOf(inputs, ids)];
  let { rate }: Pick<Decided, 'rate'> = report;
  if (inputs.mostExamples === null)
    gates.push(gateOf('LINE', gateVerdictOf(report, { ...rule, isStrict: rule.strict })));
  else {
    // Looks at results that decide whether more are tested need bounds that hold at every look.
    const sure = sureGate(report, countedRates(inputs.tests, advisory), {
      failUnder: rule.failUnder,
      allowSkipped: rule.allowSkipped,
      mostExamples: inputs.mostExamples,
    });
    gates.push(gateOf('LINE', sure.verdict));
    ({ rate } = sure);
  }
  if (rule.margin !== null)
    gates.push(
      gateOf(
        'REGRESSION',
        inputs.mostExamples !== null
          ? { code: 2, message: 'Unknown: a run set that tests until it is sure is compared with nothing.' }
          : compared === null
            ? { code: 2, message: 'Unknown: there is no baseline to compare with.' }
            : regressionGate(
                { confidence: CONFIDENCE, candidates: [compared] },
                { ...rule, margin: rule.margin },
              ),
      ),
    );
  const ordered = gates.toSorted((a, b) => SEVERITY[a.outcome] - SEVERITY[b.outcome]);
  const tests = report.tasks.flatMap((task) => task.tests);
  return {
    outcome: outcomeOf(gates),
    reasons: ordered.map(({ message }) => message),
    gates,
    tests: tests.length,
    judged: tests.filter(isJudged).length,
    rate,
    advisory: [...advisory.definitions],
    compared,
  };
}

const gateOf = (of: DecidedGate['of'], { code, message }: GateVerdict): DecidedGate => ({
  of,
  outcome: OUTCOME_OF[code],
  message,
});

/** A run set that is faulty itself is undecided, whatever its results are; else it fails if one gate does. */
function outcomeOf(gates: readonly DecidedGate[]): DecisionOutcome {
  const outcomes = gates.map(({ outcome }) => outcome);
  if (gates.some(({ of }) => of === 'RUN_SET')) return 'INCONCLUSIVE';
  if (outcomes.includes('FAIL')) return 'FAIL';
  return outcomes.includes('INCONCLUSIVE') ? 'INCONCLUSIVE' : 'PASS';
}

function advisoryOfTests(definitions: readonly AdvisoryDefinition[], evals: readonly EvalRow[]): Advisory {
  if (definitions.length === 0) return NO_ADVISORY;
  const ids = new Set(definitions.map(({ id }) => id));
  const counts = new Map<string, { passed: number; total: number }>();
  for (const { testId, definitionId, passed } of evals) {
    if (!ids.has(definitionId)) continue;
    const known = counts.get(testId) ?? { passed: 0, total: 0 };
    counts.set(testId, { passed: known.passed + passed, total: known.total + 1 });
  }
  return { definitions, counts };
}

function comparedWithBaseline(
  { candidate, baseline, mostExamples }: DecisionInputs,
  leftOut: ReadonlySet<string>,
  { question, equalTasks }: DecisionRule,
): ComparedSideOfRuns | null {
  if (baseline === null || mostExamples !== null) return null;
  const [first] = compareSides(
    sideTests(baseline, undefined, leftOut),
    [sideTests(candidate, undefined, leftOut)],
    { question, equalTasks, confidence: CONFIDENCE },
  );
  return first?.compared ?? null;
}

/** Returns what leaves a run set undecided whatever its results are. */
function faultsOf({ status, candidate, names }: DecisionInputs, leftOut: ReadonlySet<string>): DecidedGate[] {
  const faults: string[] = [];
  if (status === 'RUNNING') faults.push('Unknown: the run set is still running.');
  const counted = candidate.evals.filter(({ definitionId }) => !leftOut.has(definitionId));
  for (const [id, evals] of Map.groupBy(counted, ({ definitionId }) => definitionId)) {
    const name = names[id] ?? id;
    const versions = new Set(evals.map(({ version }) => version));
    const judges = new Set(evals.map(({ judgeVersion }) => judgeVersion));
    if (versions.size > 1)
      faults.push(
        `Unknown: ${name} judged some tests in version ${Math.min(...versions)} and others in version ${Math.max(...versions)}. Evaluate all runs of the set again.`,
      );
    else if (judges.size > 1)
      faults.push(
        `Unknown: ${judges.size} different judges gave the verdicts of ${name}, such as another model behind the same name. Evaluate all runs of the set again.`,
      );
  }
  return faults.map((message) => ({ of: 'RUN_SET', outcome: 'INCONCLUSIVE', message }));
}
