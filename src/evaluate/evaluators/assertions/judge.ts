import { settled } from '../../statistics/settled.ts';
import type { Subject } from '../../subject.ts';
import { truncateReason } from './assertion.ts';
import type { Checks, SetOfChecks, SingleCheck } from './schema.ts';

/** Result of one check. */
export interface CheckResult {
  type: string;
  not: boolean;
  weight: number;
  /** Score from 0 to 1. */
  score: number;
  passed: boolean;
  reason: string;
  /** Results of the assertions in a set; absent for a single assertion. */
  assertions?: CheckResult[];
}

interface Judgement {
  /** Mean of the scores, by weight, from 0 to 1. */
  score: number;
  passed: boolean;
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
  const score = settled(deciding.reduce((sum, one) => sum + one.score * (one.weight / total), 0));
  const passed = threshold === undefined ? deciding.every((one) => one.passed) : score >= threshold;
  return { score, passed, results };
}

function runSingle(subject: Subject, { type, assertion, given, weight, not }: SingleCheck): CheckResult {
  const found = assertion.check(subject, given);
  if ('lacks' in found) return { type, not, weight, score: 0, passed: false, reason: found.lacks };
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
  const { score, passed, results } = judge(subject, set);
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

/** Summarises how many checks passed, and why the first failed one did not. */
export function reasonOf(results: readonly CheckResult[]): string {
  const failed = results.find(({ passed, weight }) => !passed && weight > 0);
  const held = results.filter(({ passed }) => passed).length;
  const counted = `${held} of ${results.length} hold`;
  return failed
    ? truncateReason(`${counted}; ${failed.not ? 'not ' : ''}${failed.type}: ${failed.reason}`)
    : counted;
}
