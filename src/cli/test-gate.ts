import type { Rate, Report } from './test-report.ts';
import { intervalText, percentText } from './test-text.ts';

/** Verdict on a report, with a message that explains it. */
export interface Gate {
  /** Exit code of the process: 0 = passed, 1 = failed, 2 = unknown. */
  code: 0 | 1 | 2;
  message: string;
}

/** Required pass rate, in percent. */
export interface GateRule {
  failUnder: number;
  /** True if the lower bound of the interval must reach the rate. */
  isStrict: boolean;
}

/**
 * Decides whether the pass rate is sufficient. A rate below the line fails even when tests are missing, because they
 * could not have improved it sufficiently.
 */
export function gateOf({ tasks, rate }: Report, rule: GateRule): Gate {
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
  if (rate === null)
    return { code: 2, message: 'Unknown: no test was judged; check that a definition applies to the tests.' };
  return { code: 0, message: `Passed: ${rateText(rate, rule)} is not below ${line}.` };
}

const measureOf = ({ rate, low }: Rate, { isStrict }: GateRule): number => (isStrict ? low : rate);

const rateText = (rate: Rate, { isStrict }: GateRule): string =>
  isStrict
    ? `the lower bound of the pass rate, ${percentText(rate.low)},`
    : `the pass rate ${percentText(rate.rate)} (95 % interval ${intervalText(rate)}, ${rate.tests} tests)`;
