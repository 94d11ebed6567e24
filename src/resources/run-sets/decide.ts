import type { CanaryVerdict } from '../definitions/canary-store.ts';
import { type ComparedSideOfRuns, compareSides } from '../runs/compare-sides.ts';
import { type EvalRow, type StoredSide, sideTests } from '../runs/compare-side.ts';
import type { DecidedGate, Decision, DecisionRule, DecisionOutcome } from './decision-contract.ts';
import { judgedCanaries } from './canary-gate.ts';
import { judgedAgainInPart, judgedAgainOf } from './judged-again.ts';
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

/** Most evals that explain results. */
export const MAX_FINDINGS = 20_000;
/** Confidence of the intervals of a decision. */
export const CONFIDENCE = 0.95;

/** Everything that a decision depends on besides its rule. */
export interface DecisionInputs {
  status: RunSetStatus;
  /** Number of examples of a run set that tests in batches until it is sure; null for one that tests all at once. */
  mostExamples: number | null;
  /** Number of tests that it has started, or will start. */
  plannedTests: number;
  tasks: readonly ReportedTask[];
  tests: readonly ReportedTest[];
  /** Evals that did not pass, could not be judged, or were skipped. */
  findings: readonly ReportedEval[];
  /** Definitions whose verdicts are only shown, on both sides. */
  advisory: readonly AdvisoryDefinition[];
  /** Advisory ones that had a valid gate, and why it is not valid. */
  lost: readonly { id: string; reason: string }[];
  /** Names of definitions, by id. */
  names: Readonly<Record<string, string>>;
  candidate: StoredSide;
  /** Null without a baseline. */
  baseline: StoredSide | null;
  /** Frozen subjects that judges have judged again. */
  canaries: readonly CanaryVerdict[];
}

export interface Decided
  extends Pick<
    Decision,
    | 'outcome'
    | 'reasons'
    | 'gates'
    | 'tests'
    | 'judged'
    | 'rate'
    | 'advisory'
    | 'canaries'
    | 'judgedAgain'
    | 'onlyInBaseline'
  > {
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
  const canaries = judgedCanaries(inputs.canaries, { names: inputs.names, leftOut: ids });
  const only = onlyInBaseline(inputs, ids);
  const gates: DecidedGate[] = [
    ...faultsOf(inputs, ids),
    ...inputs.lost
      .filter(({ id }) => ids.has(id) && judging.has(id))
      .map((one) => lostGate(one, inputs.names)),
    ...canaries.map(({ verdict }) => gateOf('CANARIES', verdict)),
  ];
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
            : isOpen(inputs.baseline)
              ? { code: 2, message: 'Unknown: tests of the baseline have not ended.' }
              : judgedAgainInPart(inputs.baseline?.evals ?? [], ids).length > 0
                ? {
                    code: 2,
                    message:
                      'Unknown: some tests of the baseline were judged again, and not all. Evaluate all of its runs again, with `force`.',
                  }
                : regressionGate(
                    { confidence: CONFIDENCE, candidates: [compared] },
                    { ...rule, margin: rule.margin },
                    only.map(({ name }) => name),
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
    canaries: canaries.map(({ verdict: _verdict, ...counts }) => counts),
    judgedAgain: judgedAgainOf(inputs.candidate.evals, { names: inputs.names, leftOut: ids }),
    onlyInBaseline: only,
    compared,
  };
}

/** Returns the definitions that judged the baseline and nothing of the run set. */
function onlyInBaseline(
  { baseline, candidate, names }: DecisionInputs,
  leftOut: ReadonlySet<string>,
): Decided['onlyInBaseline'] {
  const judging = new Set(candidate.evals.map(({ definitionId }) => definitionId));
  const before = new Set((baseline?.evals ?? []).map(({ definitionId }) => definitionId));
  return [...before]
    .filter((id) => !judging.has(id) && !leftOut.has(id))
    .map((id) => ({ id, name: names[id] ?? id }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const isOpen = (side: StoredSide | null): boolean => side?.tests.some(({ isOver }) => isOver === 0) ?? false;

const gateOf = (of: DecidedGate['of'], { code, message }: GateVerdict): DecidedGate => ({
  of,
  outcome: OUTCOME_OF[code],
  message,
});

/** A run set that is faulty itself, or whose judge has changed, is undecided whatever its results are; else it fails if one gate does. */
function outcomeOf(gates: readonly DecidedGate[]): DecisionOutcome {
  const outcomes = gates.map(({ outcome }) => outcome);
  if (gates.some(({ of, outcome }) => of === 'RUN_SET' || (of === 'CANARIES' && outcome !== 'PASS')))
    return 'INCONCLUSIVE';
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

const isWithoutVerdict = ({ status }: ReportedEval): boolean => status === 'FAILED' || status === 'SKIPPED';

/** Returns a fault for each definition that has judged some tests of a task, and others of it not at all. */
function judgedInPart(
  { tests, findings, candidate, names, tasks }: DecisionInputs,
  leftOut: ReadonlySet<string>,
): string[] {
  const judgedBy = new Map<string, Set<string>>();
  const add = (testId: string | null, definitionId: string): void => {
    if (testId === null || leftOut.has(definitionId)) return;
    const known = judgedBy.get(testId) ?? new Set();
    judgedBy.set(testId, known.add(definitionId));
  };
  for (const { testId, definitionId } of candidate.evals) add(testId, definitionId);
  for (const { testId, definition } of findings) add(testId, definition.id);
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const judged = tests.filter(({ id, status }) => status === 'COMPLETED' && judgedBy.has(id));
  return [...Map.groupBy(judged, ({ taskId }) => taskId)].flatMap(([taskId, ofTask]) => {
    const sets = ofTask.map(({ id }) => judgedBy.get(id) as Set<string>);
    const all = sets.reduce((union, set) => union.union(set), new Set<string>());
    return [...all]
      .filter((id) => sets.some((set) => !set.has(id)))
      .map(
        (id) =>
          `Unknown: ${names[id] ?? id} judged some tests of ${titles.get(taskId) ?? taskId} and not others. Evaluate all runs of the set again.`,
      );
  });
}

/** Describes that a judge no longer decides, so that what it would have failed cannot pass unseen. */
const lostGate = (
  { id, reason }: DecisionInputs['lost'][number],
  names: DecisionInputs['names'],
): DecidedGate => ({
  of: 'RUN_SET',
  outcome: 'INCONCLUSIVE',
  message: `Unknown: ${names[id] ?? id} had a valid gate and has lost it, so its verdicts do not count: ${reason.replace(/\.$/, '')}. Compare its judge with people again and start another run set, or let its verdicts count with --with-advisory.`,
});

/** Returns what leaves a run set undecided whatever its results are. */
function faultsOf(inputs: DecisionInputs, leftOut: ReadonlySet<string>): DecidedGate[] {
  const { status, plannedTests, tests, findings, candidate, names } = inputs;
  const faults: string[] = [];
  if (status === 'RUNNING') faults.push('Unknown: the run set is still running.');
  else if (tests.length < plannedTests)
    faults.push(
      `Unknown: the run set has ${tests.length} of its ${plannedTests} tests; the others were not started, or were deleted.`,
    );
  if (findings.filter(isWithoutVerdict).length > MAX_FINDINGS)
    faults.push(`Unknown: more than ${MAX_FINDINGS} evals have no verdict.`);
  faults.push(...judgedInPart(inputs, leftOut));
  for (const id of judgedAgainInPart(candidate.evals, leftOut))
    faults.push(
      `Unknown: ${names[id] ?? id} judged some tests again, and not all. Evaluate all runs of the set again, with \`force\`.`,
    );
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
