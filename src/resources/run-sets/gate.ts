import { intervalText, percentText, pointsText } from '../../evaluate/statistics/percent-text.ts';
import { countText } from '../../runtime/count-text.ts';
import type { ComparedSideOfRuns } from '../runs/compare-sides.ts';
import { isJudged, type RateWithInterval, type Report, type TestReport } from './report.ts';

/** Verdict on a report, with a message that explains it. */
export interface GateVerdict {
  /** Exit code of the process: 0 = passed, 1 = failed, 2 = unknown. */
  code: 0 | 1 | 2;
  message: string;
}

/** Required pass rate, in percent. */
export interface RequiredRate {
  failUnder: number;
  /** True if the lower bound of the interval must reach the rate. */
  isStrict: boolean;
  /** Number of tests that may lack a verdict. */
  allowSkipped: number;
}

/**
 * Decides whether the pass rate is sufficient. A rate below the line fails even when verdicts are missing. Otherwise
 * missing ones leave the result unknown: a test without a verdict never passes.
 */
export function gateVerdictOf({ tasks, rate, advisory }: Report, rule: RequiredRate): GateVerdict {
  const tests = tasks.flatMap((task) => task.tests);
  const errors = tests.flatMap(({ findings }) => findings.find(({ kind }) => kind === 'error') ?? []);
  const line = percentText(rule.failUnder);
  if (rate !== null && measureOf(rate, rule) < rule.failUnder)
    return { code: 1, message: `Failed: ${rateText(rate, rule)} is below ${line}.` };
  const [error] = errors;
  if (error) {
    const first = `${error.name}: ${error.reason}`;
    return {
      code: 2,
      message: `Unknown: ${errors.length} of ${tests.length} tests could not be run or judged (${first})`,
    };
  }
  const notJudged = tests.filter((test) => !isJudged(test));
  if (rate !== null && notJudged.length > rule.allowSkipped)
    return {
      code: 2,
      message: `Unknown: judged ${tests.length - notJudged.length} of ${tests.length} tests (${reasonOf(notJudged)}). --allow-skipped ${notJudged.length} accepts that.`,
    };
  if (rate === null && advisory.length > 0)
    return {
      code: 2,
      message:
        'Unknown: all definitions that apply are advisory. Give them a gate, or let their verdicts count with --with-advisory.',
    };
  if (rate === null) return { code: 2, message: `Unknown: no test was judged${whyNone(notJudged)}` };
  return { code: 0, message: `Passed: ${rateText(rate, rule)} is not below ${line}.` };
}

/** Requirements of a comparison with a baseline, in percentage points; `minPaired` in percent. */
export interface RegressionRule {
  margin: number;
  minPaired: number;
  findLoss: number;
}

/**
 * Decides whether the candidate is worse than the baseline by more than `margin` percentage points: it fails when the
 * complete interval of the difference is. A comparison of a remnant, or one that could not have shown such a loss, leaves the
 * result unknown unless it shows one. `onlyInBaseline` has the names of definitions that judged the baseline and nothing of the candidate.
 */
export function regressionGate(
  { confidence, candidates: [candidate] }: { confidence: number; candidates: readonly ComparedSideOfRuns[] },
  { margin, minPaired, findLoss }: RegressionRule,
  onlyInBaseline: readonly string[] = [],
): GateVerdict {
  const difference = candidate?.difference;
  if (!candidate || !difference)
    return {
      code: 2,
      message: `Unknown: nothing could be compared with the baseline.${adviceOn(candidate, onlyInBaseline)}`,
    };
  const { low, high, highIfNonePassed, smallestLoss } = difference;
  const interval = `${100 * confidence} % interval of the difference: ${pointsText(low)} to ${pointsText(high)}`;
  const { pairedShare } = candidate;
  if (pairedShare < minPaired)
    return {
      code: 2,
      message: `Unknown: only ${percentText(pairedShare)} of what was tested could be compared with the baseline; ${percentText(minPaired)} is required (--min-paired).${adviceOn(candidate, onlyInBaseline)}`,
    };
  if (high < -margin)
    return {
      code: 1,
      message: `Failed: worse than the baseline by more than ${margin} points (${interval}).`,
    };
  if (highIfNonePassed >= -margin)
    return {
      code: 2,
      message: `Unknown: no result could have shown a loss of more than ${margin} points: if nothing had passed, up to ${pointsText(highIfNonePassed)} would still be possible. ${COMPARE_MORE}`,
    };
  const found = margin + smallestLoss;
  if (smallestLoss > findLoss || found > difference.baseline)
    return {
      code: 2,
      message: `Unknown: a loss below about ${pointsText(found)} could not have been shown (${interval}); ${smallestLoss > findLoss ? `--find-loss requires ${findLoss}` : `the baseline has ${percentText(difference.baseline)} to lose`}. ${COMPARE_MORE}`,
    };
  return {
    code: 0,
    message: `No regression of more than ${margin} points was shown (${interval}); losses up to ${pointsText(Math.min(low, 0))} are possible. The smallest loss that could have been shown is about ${pointsText(found)}.`,
  };
}

const COMPARE_MORE = 'Compare more examples; `touchstone test --plan --no-regression` says how many.';

/** Says what to do about pairs that were judged by different versions, or in the baseline also by definitions that no longer apply. */
function adviceOn(candidate: ComparedSideOfRuns | undefined, onlyInBaseline: readonly string[]): string {
  if (!candidate?.judgedOtherwise) return '';
  if (onlyInBaseline.length > 0)
    return ` The baseline was also judged by ${onlyInBaseline.join(', ')}, which judged nothing here, and evaluating it again does not change that: link it again, or take a baseline that was started without it.`;
  return ` ${countText(candidate.judgedOtherwise, 'pair')} had other expected values, definition versions or judge versions in the baseline: evaluate it again by today's (--rejudge-baseline, or POST /v0/runs/{id}/evaluate), which costs about what judging these runs did, or take a newer baseline.`;
}

/** Returns the exit code for several gates: failed if one is, else unknown if one is. */
export const exitCodeOf = (gates: readonly GateVerdict[]): GateVerdict['code'] =>
  gates.some(({ code }) => code === 1) ? 1 : gates.some(({ code }) => code === 2) ? 2 : 0;

/** Returns the first reason why a test lacks a verdict. */
function reasonOf(notJudged: readonly TestReport[]): string {
  return skippedReason(notJudged) ?? 'no definition applies to the others';
}

/** Explains why no test has a verdict. */
function whyNone(tests: readonly TestReport[]): string {
  const reason = skippedReason(tests);
  return reason === undefined
    ? '; check that a definition applies to the tests.'
    : `, because all verdicts were skipped (${reason}).`;
}

/** Returns the first reason why a verdict was skipped. */
function skippedReason(tests: readonly TestReport[]): string | undefined {
  const [first] = tests.flatMap(({ findings }) => findings.find(({ kind }) => kind === 'skipped') ?? []);
  return first && `${first.name}: ${first.reason}`;
}

const measureOf = ({ rate, low }: RateWithInterval, { isStrict }: RequiredRate): number =>
  isStrict ? low : rate;

const basisText = ({ tests, examples }: RateWithInterval): string =>
  `${countText(tests, 'test')} of ${countText(examples, 'example')}`;

const rateText = (rate: RateWithInterval, { isStrict }: RequiredRate): string =>
  isStrict
    ? `the lower bound of the pass rate, ${percentText(rate.low)} (${basisText(rate)}),`
    : `the pass rate ${percentText(rate.rate)} (95 % interval ${intervalText(rate)}, ${basisText(rate)})`;
