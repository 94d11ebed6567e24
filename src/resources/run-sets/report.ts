import {
  computeRateInterval,
  meanRate,
  type RateInterval,
  type RateOptions,
  type TestRate,
} from '../../evaluate/statistics/rate-interval.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import type { ListedEval } from '../evals/contract.ts';
import type { ListedTest } from '../tests/contract.ts';

export interface ReportedTask {
  id: string;
  title: string;
}

/** Fields of a test that a report reads. */
export type ReportedTest = Pick<
  ListedTest,
  'id' | 'taskId' | 'prompt' | 'inputDigest' | 'status' | 'phase' | 'failure' | 'createdAt' | 'modifiedAt'
> & { result: { passed: number; total: number } | null };

/** Fields of an eval that explain why its test did not pass cleanly. */
export type ReportedEval = Pick<ListedEval, 'testId' | 'status' | 'passed' | 'reason'> & {
  definition: { id: string; name: string };
};

/** Tests of runs, and what explains their results. */
export interface RunsOutcome {
  tests: readonly ReportedTest[];
  /** Evals that did not pass, could not be judged, or were skipped. */
  evals: readonly ReportedEval[];
}

/** A definition whose verdicts are only shown, because no valid gate proves that its judge agrees with people. */
export interface AdvisoryDefinition {
  id: string;
  name: string;
  /** Reason why its gate is not valid; null when it has no gate. */
  reason: string | null;
}

/** Verdicts that are only shown. */
export interface Advisory {
  definitions: readonly AdvisoryDefinition[];
  /** Completed evals by these definitions, by test. */
  counts: ReadonlyMap<string, { passed: number; total: number }>;
}

export const NO_ADVISORY: Advisory = { definitions: [], counts: new Map() };

/** A pass rate and its 95 % interval, in percent. */
export interface RateWithInterval extends RateInterval {
  rate: number;
}

/**
 * Verdict on a test. `passed`: every verdict is good. `failed`: at least one is not, or the app failed. `error`: the
 * test could not be run or judged, or has not ended. `skipped`: there was nothing to judge it by.
 */
export type TestVerdict = 'passed' | 'failed' | 'error' | 'skipped';

/** Reason why a test did not pass cleanly. `advisory`: an eval that did not pass, but only shows something. */
export interface TestFinding {
  kind: 'failed' | 'error' | 'skipped' | 'advisory';
  /** Name of a definition, or of the test's own failure. */
  name: string;
  reason: string;
}

export interface TestReport {
  id: string;
  prompt: string;
  verdict: TestVerdict;
  findings: TestFinding[];
  seconds: number;
}

export interface TaskReport {
  task: ReportedTask;
  tests: TestReport[];
  /** Pass rate; null when no test counts. */
  rate: RateWithInterval | null;
  corrected: readonly CorrectedDefinition[];
}

/** Pass rate of a definition whose judge has a valid gate, as it is and corrected for the errors of the judge, in percent. */
export interface CorrectedDefinition {
  name: string;
  rate: number;
  corrected: { rate: number; low: number; high: number };
}

/** Corrected pass rates of all tests together, and by the id of the task. */
export interface CorrectedRates {
  all: readonly CorrectedDefinition[];
  byTask: ReadonlyMap<string, readonly CorrectedDefinition[]>;
}

const NOT_CORRECTED: CorrectedRates = { all: [], byTask: new Map() };

export interface Report {
  tasks: TaskReport[];
  rate: RateWithInterval | null;
  /** Definitions whose verdicts are only shown. */
  advisory: Advisory['definitions'];
  corrected: readonly CorrectedDefinition[];
}

/** Creates the report: tasks in order, with the results of their tests. Advisory verdicts are shown and do not count. */
export function makeReport(
  tasks: readonly ReportedTask[],
  outcome: RunsOutcome,
  {
    advisory = NO_ADVISORY,
    corrected = NOT_CORRECTED,
    ...options
  }: RateOptions & { advisory?: Advisory; corrected?: CorrectedRates } = {},
): Report {
  const { evals } = outcome;
  const tests = outcome.tests.map((test) => withoutAdvisory(test, advisory));
  const shown = new Set(advisory.definitions.map(({ id }) => id));
  const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
  const testsOf = Map.groupBy(tests, ({ taskId }) => taskId);
  return {
    rate: rateOf(tests, options),
    advisory: advisory.definitions,
    corrected: corrected.all,
    tasks: tasks.map((task) => {
      const own = testsOf.get(task.id) ?? [];
      return {
        task,
        rate: rateOf(own, options),
        corrected: corrected.byTask.get(task.id) ?? [],
        tests: own.map((test) => testReport(test, evalsOf.get(test.id) ?? [], shown)),
      };
    }),
  };
}

function withoutAdvisory(test: ReportedTest, { counts }: Advisory): ReportedTest {
  const { passed, total } = counts.get(test.id) ?? { passed: 0, total: 0 };
  const { result } = test;
  if (total === 0 || result === null) return test;
  return { ...test, result: { ...result, passed: result.passed - passed, total: result.total - total } };
}

/** Reports whether every definition that applies to the test gave a verdict, and at least one does. */
export const isJudged = ({ verdict, findings }: TestReport): boolean =>
  verdict !== 'skipped' && findings.every(({ kind }) => kind === 'failed' || kind === 'advisory');

export const countOf = (tests: readonly TestReport[], verdict: TestVerdict): number =>
  tests.filter((test) => test.verdict === verdict).length;

/** Returns the rates of the tests that count, without advisory verdicts. */
export const countedRates = (tests: readonly ReportedTest[], advisory: Advisory): TestRate[] =>
  ratesOf(tests.map((test) => withoutAdvisory(test, advisory)));

const ratesOf = (tests: readonly ReportedTest[]): TestRate[] =>
  tests.flatMap(({ taskId, inputDigest: input, result }) =>
    result && result.total > 0 ? [{ taskId, input, rate: result.passed / result.total }] : [],
  );

function rateOf(tests: readonly ReportedTest[], options: RateOptions): RateWithInterval | null {
  const counted = ratesOf(tests);
  if (counted.length === 0) return null;
  const { low, high, ...interval } = computeRateInterval(counted, options);
  const rate = meanRate(counted, options.equalTasks);
  return { rate: percent(rate), low: percent(low), high: percent(high), ...interval };
}

function testReport(
  test: ReportedTest,
  evals: readonly ReportedEval[],
  advisory: ReadonlySet<string>,
): TestReport {
  const { id, prompt, result, createdAt, modifiedAt } = test;
  const findings = [...ownFindings(test), ...evals.map((one) => evalFinding(one, advisory))];
  return {
    id,
    prompt,
    findings,
    verdict: verdictOf(findings, isCounted(result)),
    seconds: Math.max(0, Date.parse(modifiedAt) - Date.parse(createdAt)) / 1_000,
  };
}

const isCounted = (result: ReportedTest['result']): boolean => result !== null && result.total > 0;

function verdictOf(findings: readonly TestFinding[], hasResult: boolean): TestVerdict {
  if (findings.some(({ kind }) => kind === 'failed')) return 'failed';
  if (findings.some(({ kind }) => kind === 'error')) return 'error';
  return hasResult ? 'passed' : 'skipped';
}

/** Returns the findings of a test that did not complete. */
function ownFindings({ status, phase, failure, result }: ReportedTest): TestFinding[] {
  if (status === 'COMPLETED') return [];
  if (failure === null)
    return [{ kind: 'error', name: 'not over', reason: `The test is still in the phase ${phase}.` }];
  const { code, message, hint } = failure;
  // A failure that counts is one of the app.
  return [{ kind: isCounted(result) ? 'failed' : 'error', name: code, reason: `${message} ${hint}`.trim() }];
}

function evalFinding(
  { definition, status, reason }: ReportedEval,
  advisory: ReadonlySet<string>,
): TestFinding {
  const finding = { name: definition.name, reason: reason ?? '' };
  if (advisory.has(definition.id)) return { kind: 'advisory', ...finding };
  const kinds = { FAILED: 'error', SKIPPED: 'skipped' } as const;
  return { kind: status === 'FAILED' || status === 'SKIPPED' ? kinds[status] : 'failed', ...finding };
}
