import type { ById } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { each, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { listedTests } from '../../tests/record.ts';
import { canariesOf } from '../definitions/canary-store.ts';
import { type AdvisoryJudge, advisoryJudges, GATE_REMOVED } from '../definitions/advisory-judges.ts';
import { fixedGatesOf, provedInRuns } from '../definitions/fixed-gates.ts';
import { definitions } from '../definitions/record.ts';
import { judgeStandings, type Standings } from '../definitions/standing.ts';
import { MAX_COMPARED_TESTS } from '../runs/compare-contract.ts';
import { loadSide } from '../runs/compare-store.ts';
import { tasks } from '../tasks/record.ts';
import { type BaselineRuns, findBaseline, runIdsOf } from './baseline.ts';
import { type DecisionInputs, MAX_FINDINGS } from './decide.ts';
import type { RecordedDecision } from './decision-contract.ts';
import { runSets } from './record.ts';
import type { ReportedEval, ReportedTest } from './report.ts';

/** Characters of the reason of an eval. */
const MAX_REASON = 500;

export interface LoadDecision extends ById {
  /** Text that names the baseline; undefined for the one that the run set was started with. */
  baseline: string | undefined;
  /** Time, in Unix milliseconds. */
  now: number;
  /** A decision that was recorded, whose baseline and advisory definitions apply instead of today's. */
  recorded?: RecordedDecision;
}

export interface LoadedDecision {
  inputs: DecisionInputs;
  /** Null without a baseline. */
  baseline: BaselineRuns | null;
  standings: Standings;
}

const decided = runSets.pick(
  'id',
  'createdAt',
  'branch',
  'status',
  'baselineId',
  'baselineRuns',
  'batchExamples',
  'plannedTests',
);
const titles = tasks.pick('id', 'title');
const names = definitions.pick('id', 'name');

/** Loads everything that the decision on a run set depends on. Throws `not_found` and `bad_request`. */
export function loadDecision(database: Database, args: LoadDecision): LoadedDecision {
  const { owner, id, now, recorded } = args;
  const { application } = owner;
  const set = decided.find(database, application, id);
  if (!set) throw new AppError('not_found', 'run set not found');
  const runIds = runIdsOf(database, application, id);
  const baseline = recorded ? baselineOfRecorded(recorded) : baselineOf(database, args, set);
  checkSize(database, application, [...runIds, ...(baseline?.runIds ?? [])]);
  const candidate = loadSide(database, application, { runIds }, undefined);
  const other = baseline && loadSide(database, application, { runIds: baseline.runIds }, undefined);
  const findings = findingsOf(database, application, runIds);
  const canaries = canariesOf(database, { application, runSetId: id });
  const judging = new Set([
    ...[...candidate.evals, ...(other?.evals ?? [])].map(({ definitionId }) => definitionId),
    ...findings.map(({ definition }) => definition.id),
    ...canaries.map(({ definitionId }) => definitionId),
  ]);
  const named = names.byIds(database, application, judging);
  const today = judgeStandings(database, { application, ids: judging, now });
  const found = advisoryJudges(today, {
    evals: candidate.evals,
    fixed: fixedGatesOf(database, { application, runIds }),
    provedBefore: provedInRuns(database, { application, runIds: baseline?.runIds ?? [] }),
  });
  const shown = shownDefinitions(found, named, recorded);
  const standings = { ...today, advisory: new Set(shown.advisory.map((one) => one.id)) };
  const tests = testsOfRuns(database, application, runIds);
  return {
    baseline,
    standings,
    inputs: {
      status: set.status,
      plannedTests: set.plannedTests,
      mostExamples: set.batchExamples === null ? null : countExamplesOf(database, application, id),
      tasks: tasksOf(database, application, tests),
      tests,
      findings,
      ...shown,
      names: Object.fromEntries([...named.values()].map((one) => [one.id, one.name])),
      candidate,
      baseline: other,
      canaries,
    },
  };
}

const baselineOfRecorded = ({ baselineId, baselineRunIds }: RecordedDecision): BaselineRuns | null =>
  baselineRunIds.length === 0 ? null : { runSetId: baselineId, runIds: baselineRunIds };

/** Throws `too_large` if runs have more tests than can be compared. */
function checkSize(database: Database, application: number, runIds: readonly string[]): void {
  const tests =
    database.get<{ n: number }>(
      `SELECT count(*) AS n FROM test WHERE application = :application AND run_id IN ${valuesOf(':runIds')}`,
      { application, runIds: JSON.stringify(runIds) },
    )?.n ?? 0;
  if (tests > MAX_COMPARED_TESTS)
    throw new AppError('too_large', `At most ${MAX_COMPARED_TESTS} tests can be compared; got ${tests}`);
}

const countExamplesOf = (database: Database, application: number, id: string): number =>
  database.get<{ n: number }>(
    'SELECT count(*) AS n FROM run_set_example WHERE application = :application AND run_set_id = :id',
    { application, id },
  )?.n ?? 0;

type DecidedSet = NonNullable<ReturnType<typeof decided.find>>;

function baselineOf(
  database: Database,
  { owner: { application }, id, baseline: text }: LoadDecision,
  { createdAt, branch, baselineId, baselineRuns }: DecidedSet,
): BaselineRuns | null {
  if (text === undefined) return baselineRuns && { runSetId: baselineId, runIds: baselineRuns };
  return findBaseline(database, { application, id, branch, startedAt: Date.parse(createdAt) }, text);
}

/** Returns the advisory definitions of a decision; one that was recorded keeps those of the time when it was made. */
function shownDefinitions(
  found: readonly AdvisoryJudge[],
  named: ReadonlyMap<string, { name: string }>,
  recorded: RecordedDecision | undefined,
): Pick<DecisionInputs, 'advisory' | 'lost'> {
  const kept = recorded
    ? recorded.advisoryIds.map(
        (id) => found.find((one) => one.id === id) ?? { id, reason: null, isLost: false },
      )
    : found;
  const sorted = kept.toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
  return {
    advisory: sorted.map(({ id, reason }) => ({ id, reason, name: named.get(id)?.name ?? id })),
    lost: sorted.flatMap(({ id, reason, isLost }) =>
      isLost ? [{ id, reason: reason ?? GATE_REMOVED }] : [],
    ),
  };
}

function tasksOf(
  database: Database,
  application: number,
  tests: readonly ReportedTest[],
): DecisionInputs['tasks'] {
  const ids = new Set(tests.map(({ taskId }) => taskId));
  const found = titles.byIds(database, application, ids);
  return [...ids].map((id) => ({ id, title: found.get(id)?.title ?? '' }));
}

interface Counts {
  id: string;
  passed: number;
  total: number;
}

function testsOfRuns(database: Database, application: number, runIds: readonly string[]): ReportedTest[] {
  const ofRuns = { runIds: JSON.stringify(runIds) };
  const condition = `run_id IN ${valuesOf(':runIds')}`;
  const counts = database.all<Counts>(
    `SELECT id, counted_passed AS passed, counted_evals AS total FROM test
     WHERE application = :application AND ${condition}`,
    { application, ...ofRuns },
  );
  const countsOf = new Map(counts.map((row) => [row.id, row]));
  const rows = listedTests.all(
    database,
    application,
    `${condition} ORDER BY created_at, example_index, id`,
    ofRuns,
  );
  return rows.map(({ id, taskId, prompt, inputDigest, status, phase, failure, createdAt, modifiedAt }) => {
    const { passed, total } = countsOf.get(id) ?? { passed: 0, total: 0 };
    return {
      id,
      taskId,
      prompt,
      inputDigest,
      status,
      phase,
      failure,
      createdAt,
      modifiedAt,
      result: total === 0 ? null : { passed, total },
    };
  });
}

interface FindingRow {
  testId: string;
  definitionId: string;
  name: string | null;
  status: ReportedEval['status'];
  passed: number | null;
  reason: string | null;
}

/** Returns the evals of runs that did not pass, could not be judged, or were skipped; those without a verdict first. */
const findingsOf = (database: Database, application: number, runIds: readonly string[]): ReportedEval[] =>
  database
    .all<FindingRow>(
      `SELECT test_id AS "testId", definition_id AS "definitionId", definition.name, eval.status, passed,
         substr(reason, 1, ${MAX_REASON}) AS reason
       FROM ${each(':runIds')} ${orderedJoin} eval ON eval.application = :application AND run_id = value
         LEFT JOIN definition ON definition.id = definition_id AND definition.application = eval.application
       WHERE superseded = 0
         AND (eval.status IN ('FAILED', 'SKIPPED') OR passed = 0)
       ORDER BY eval.status = 'COMPLETED', eval.created_at, eval.id LIMIT ${MAX_FINDINGS + 1}`,
      { application, runIds: JSON.stringify(runIds) },
    )
    .map(({ testId, definitionId, name, status, passed, reason }) => ({
      testId,
      status,
      passed: passed === null ? null : passed === 1,
      reason,
      definition: { id: definitionId, name: name ?? definitionId },
    }));
