import { countText } from '../../runtime/count-text.ts';
import { anytimeMean } from '../../evaluate/statistics/anytime-mean.ts';
import { expectedStops } from '../../evaluate/statistics/anytime-saving.ts';
import { intervalText, percentText } from '../../evaluate/statistics/percent-text.ts';
import { type TestRate } from '../../evaluate/statistics/rate-interval.ts';
import { percent, settledMean } from '../../evaluate/statistics/settled.ts';
import type { DecidedRate } from './decision-contract.ts';
import { gateVerdictOf, type GateVerdict } from './gate.ts';
import type { Report } from './report.ts';

interface SureRule {
  failUnder: number;
  allowSkipped: number;
  /** Number of examples that may be tested. */
  mostExamples: number;
}

/**
 * Decides whether the pass rate of tests that stop when they are sure is at least that of the rule. Examples with the same input are
 * one value. A test that could not be judged leaves it unknown, unless the others already show that the rate is too low.
 */
export function sureGate(
  report: Report,
  rates: readonly TestRate[],
  { failUnder, allowSkipped, mostExamples }: SureRule,
): { verdict: GateVerdict; rate: DecidedRate | null } {
  if (rates.length === 0) return { verdict: faultOf(report, allowSkipped), rate: null };
  const values = [...Map.groupBy(rates, ({ input }) => input).values()].map((tests) =>
    settledMean(tests.map((test) => test.rate)),
  );
  const { mean, low, high, isAbove } = anytimeMean(values, failUnder / 100);
  const rate: DecidedRate = {
    rate: percent(mean),
    low: percent(low),
    high: percent(high),
    question: 'THESE_TASKS',
    clusteredBy: 'EXAMPLE',
    clusters: values.length,
    examples: values.length,
    tests: rates.length,
    method: 'ANYTIME',
  };
  const what = `the pass rate ${percentText(rate.rate)} (bounds that hold at every look: ${intervalText(rate)}, ${values.length} of at most ${countText(mostExamples, 'example')})`;
  const line = percentText(failUnder);
  if (isAbove === false)
    return { rate, verdict: { code: 1, message: `Failed: ${what} is surely below ${line}.` } };
  const fault = faultOf(report, allowSkipped);
  if (fault.code !== 0) return { rate, verdict: fault };
  if (isAbove === true)
    return { rate, verdict: { code: 0, message: `Passed: ${what} is surely not below ${line}.` } };
  return {
    rate,
    verdict: { code: 2, message: `Unknown: ${what} is not surely above or below ${line}.` },
  };
}

/** Returns the verdict of the usual gate without a line: passed unless tests could not be run or judged. */
const faultOf = (report: Report, allowSkipped: number): GateVerdict =>
  gateVerdictOf(report, { failUnder: 0, isStrict: false, allowSkipped });

/** Formats what stopping early has saved, and what it saves on average. */
export function savingText(
  { rate, examples }: Pick<DecidedRate, 'rate' | 'examples'>,
  { failUnder, batch, mostExamples }: { failUnder: number; batch: number; mostExamples: number },
): string {
  const saved = Math.max(0, mostExamples - examples);
  const design = { share: rate / 100, line: failUnder / 100, batch, most: mostExamples };
  const expected = Math.round(expectedStops(design).examples);
  const needed = expected < mostExamples ? `${expected} on average` : 'all of them, and may need more';
  return `Tested ${examples} of ${countText(mostExamples, 'example')}: ${saved} saved. An app with this pass rate needs ${needed}.`;
}
