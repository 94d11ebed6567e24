import { FAILURES_OF_APP, type Failure } from '../failures.ts';
import type { TestStatus } from '../states.ts';
import { unquoted } from '../message-quote.ts';

/** Outcomes of tests, those that need attention first. */
export const OUTCOMES = ['FAILED', 'APP_ERROR', 'NO_VERDICT', 'NOT_RUN', 'RUNNING', 'PASSED'] as const;
export type TestOutcome = (typeof OUTCOMES)[number];

/** Outcomes that count for the share of tests that passed. */
export const COUNTED_OUTCOMES = ['FAILED', 'APP_ERROR', 'PASSED'] as const satisfies readonly TestOutcome[];

export const OUTCOME_BASES = ['BLOCKING', 'ALL'] as const;
export type OutcomeBasis = (typeof OUTCOME_BASES)[number];

/** Current verdict of a definition on a test. */
export interface CurrentVerdict {
  definitionId: string;
  definitionType: string;
  /** True if the verdict can fail a run. */
  isBlocking: boolean;
  status: string;
  passed: boolean | null;
  /** Details of a failed `ASSERT` or `FACT`; null for others, and once they were deleted. */
  results: unknown;
}

/** Outcome of a test that has ended. */
export interface EndedOutcome {
  outcome: Exclude<TestOutcome, 'RUNNING'>;
  /** Verdicts that decided: the blocking ones, or all because none is blocking; null if the test has no verdicts. */
  basis: OutcomeBasis | null;
  /** Key of the cause; null if the test passed. Tests with the same key did not pass for the same reason. */
  causeKey: string | null;
}

interface EndedTest {
  status: TestStatus;
  failure: Failure | null;
  /** Verdicts in a fixed order, so that the cause is the same each time. */
  verdicts: readonly CurrentVerdict[];
}

/**
 * Decides the outcome of a test that has ended. It passes when every blocking verdict passed and none is missing. All verdicts decide
 * if none is blocking.
 */
export function decideOutcome({ status, failure, verdicts }: EndedTest): EndedOutcome {
  if (status === 'FAILED') return outcomeOfFailure(failure);
  const blocking = verdicts.filter(({ isBlocking }) => isBlocking);
  const basis = blocking.length > 0 ? 'BLOCKING' : 'ALL';
  const deciding = blocking.length > 0 ? blocking : verdicts;
  const failed = deciding.find(({ status: ofEval, passed }) => ofEval === 'COMPLETED' && passed === false);
  if (failed) return { outcome: 'FAILED', basis, causeKey: causeOfVerdict(failed) };
  const missing = deciding.find(({ status: ofEval }) => ofEval !== 'COMPLETED');
  if (missing)
    return { outcome: 'NO_VERDICT', basis, causeKey: `none:${missing.definitionId}:${missing.status}` };
  if (deciding.length === 0) return { outcome: 'NO_VERDICT', basis: null, causeKey: 'none' };
  return { outcome: 'PASSED', basis, causeKey: null };
}

/** Failures after the app was tested, when only its verdict is missing. */
const WITHOUT_VERDICT: ReadonlySet<string> = new Set(['evaluation_error', 'trace_deleted']);

function outcomeOfFailure(failure: Failure | null): EndedOutcome {
  const code = failure?.code ?? 'cancelled';
  const status = failure === null ? null : statusIn(failure);
  const causeKey = `failure:${code}${status === null ? '' : `:${status}`}`;
  if (FAILURES_OF_APP.has(code)) return { outcome: 'APP_ERROR', basis: null, causeKey };
  return { outcome: WITHOUT_VERDICT.has(code) ? 'NO_VERDICT' : 'NOT_RUN', basis: null, causeKey };
}

/** Returns the HTTP status of a failed delivery; null for other failures. */
const statusIn = ({ code, message }: Failure): string | null =>
  code === 'webhook_status' ? (/status (\d{3})/.exec(unquoted(message))?.[1] ?? null) : null;

/** Returns the key of a failed verdict: its definition, and for some types what failed. It has no text of the response. */
function causeOfVerdict({ definitionId, definitionType, results }: CurrentVerdict): string {
  const signature =
    definitionType === 'ASSERT' ? checkOf(results) : definitionType === 'FACT' ? factsOf(results) : null;
  return `verdict:${definitionId}${signature === null ? '' : `:${signature}`}`;
}

interface StoredCheck {
  type?: unknown;
  passed?: unknown;
  weight?: unknown;
}

/** Returns the place and the type of the first failed assertion. */
function checkOf(results: unknown): string | null {
  const { assertions } = (results ?? {}) as { assertions?: unknown };
  if (!Array.isArray(assertions)) return null;
  const index = (assertions as StoredCheck[]).findIndex(
    ({ passed, weight }) => passed === false && weight !== 0,
  );
  const type = (assertions as StoredCheck[])[index]?.type;
  return typeof type === 'string' ? `${index}:${type}` : null;
}

/** Returns whether facts are missing, contradicted, or both. */
function factsOf(results: unknown): string | null {
  const { falsePositives, falseNegatives } = (results ?? {}) as Record<string, unknown>;
  const has = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
  if (has(falsePositives)) return has(falseNegatives) ? 'missing+contradicted' : 'contradicted';
  return has(falseNegatives) ? 'missing' : null;
}
