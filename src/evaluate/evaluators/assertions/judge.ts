import { settled } from '../../statistics/settled.ts';
import type { Subject } from '../../subject.ts';
import { truncateReason } from './assertion.ts';
import type { Checks, SetOfChecks, SingleCheck } from './schema.ts';

/** Result of one check. */
export interface CheckResult {
  type: string;
  not: boolean;
  /** Configured weight; 0 if it could not decide. */
  weight: number;
  /** Score from 0 to 1. */
  score: number;
  passed: boolean;
  reason: string;
  /** True if it could not decide, so that it does not count; absent for any other check. */
  undecided?: true;
  /** Results of the assertions in a set; absent for a single assertion. */
  assertions?: CheckResult[];
}

interface Judgement {
  /** Mean of the scores, by weight, from 0 to 1. */
  score: number;
  passed: boolean;
  /** False if no check that counts could decide. */
  isDecided: boolean;
  results: CheckResult[];
}

/** Runs all checks, even after one has failed. Calls `onCheck` before each with its index. */
export function judge(
  subject: Subject,
  { assertions, threshold }: Checks,
  onCheck?: (index: number) => void,
): Judgement {
  const results = assertions.map((check, index) => {
    onCheck?.(index);
    return check.type === 'assert-set' ? runSet(subject, check) : runSingle(subject, check);
  });
  const deciding = results.filter(({ weight }) => weight > 0);
  const total = deciding.reduce((sum, { weight }) => sum + weight, 0);
  const isDecided = deciding.length > 0;
  const score = settled(deciding.reduce((sum, one) => sum + one.score * (one.weight / total), 0));
  const passed = threshold === undefined ? deciding.every((one) => one.passed) : score >= threshold;
  return { score, passed: isDecided && passed, isDecided, results };
}

function runSingle(subject: Subject, { type, assertion, given, weight, not }: SingleCheck): CheckResult {
  const found = assertion.check(subject, given);
  if ('lacks' in found) return { type, not, weight, score: 0, passed: false, reason: found.lacks };
  if ('undecided' in found) return undecided({ type, not, reason: found.undecided });
  return {
    type,
    not,
    weight,
    score: settled(not ? 1 - found.score : found.score),
    passed: found.passed !== not,
    reason: truncateReason(found.reason),
  };
}

function runSet(subject: Subject, { type, weight, not, ...set }: SetOfChecks): CheckResult {
  const { score, passed, isDecided, results } = judge(subject, set);
  if (!isDecided) return { ...undecided({ type, not, reason: reasonOf(results) }), assertions: results };
  return {
    type,
    not,
    weight,
    score: settled(not ? 1 - score : score),
    passed: passed !== not,
    reason: reasonOf(results),
    assertions: results,
  };
}

const undecided = (check: Pick<CheckResult, 'type' | 'not' | 'reason'>): CheckResult => ({
  ...check,
  weight: 0,
  score: 0,
  passed: false,
  undecided: true,
});

/** Summarises how many checks passed, and why the first failed one did not, else why one could not decide. */
export function reasonOf(results: readonly CheckResult[]): string {
  const failed = results.find(({ passed, weight }) => !passed && weight > 0);
  const held = results.filter(({ passed }) => passed).length;
  const counted = `${held} of ${results.length} hold`;
  const named = failed ?? results.find((one) => one.undecided);
  return named
    ? truncateReason(`${counted}; ${named.not ? 'not ' : ''}${named.type}: ${named.reason}`)
    : counted;
}
