import { singleValues } from '../evaluate/statistics/clusters.ts';
import { meanInterval } from '../evaluate/statistics/mean-interval.ts';
import { table } from './tables.ts';

/** Numbers of tests in the table. */
const SIZES = [10, 30, 100, 300, 1_000];
const MAX_TESTS = 10_000;
/** Probability of a wrong result that a plan accepts. */
const RISK = 0.05;

export interface Plan {
  /** Required pass rate, in percent. */
  failUnder: number;
  /** True if the lower bound of the interval must reach the rate. */
  isStrict: boolean;
  /** True pass rate of the app, in percent. */
  trueRate: number;
}

/**
 * Returns the probability that the gate opens for an app of the true rate, with `tests` tests of one verdict
 * each, every one of another example: the upper tail of the binomial distribution.
 */
export function probabilityOfPassing(tests: number, { failUnder, isStrict, trueRate }: Plan): number {
  const share = trueRate / 100;
  const needed = fewestPassed(tests, { failUnder, isStrict });
  if (share === 0 || share === 1) return share * tests >= needed ? 1 : 0;
  let [sum, logMass] = [0, tests * Math.log1p(-share)];
  for (let passed = 0; passed <= tests; passed++) {
    if (passed >= needed) sum += Math.exp(logMass);
    logMass += Math.log((tests - passed) / (passed + 1)) + Math.log(share / (1 - share));
  }
  return Math.min(1, sum);
}

/** Returns how many tests must pass; more than there are if no number is enough. */
function fewestPassed(tests: number, rule: Pick<Plan, 'failUnder' | 'isStrict'>): number {
  let [low, high] = [0, tests + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle, tests, rule)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isEnough(
  passed: number,
  tests: number,
  { failUnder, isStrict }: Pick<Plan, 'failUnder' | 'isStrict'>,
): boolean {
  const rate = passed / tests;
  const measure = isStrict ? meanInterval(singleValues(passed, tests)).low : rate;
  return 100 * measure >= failUnder - 1e-9;
}

/** Formats how often the gate opens by the number of tests, and how many tests make a wrong result rare. */
export function planText(plan: Plan): string {
  const { failUnder, isStrict, trueRate } = plan;
  const rows = SIZES.map((tests) => [String(tests), `${percent(probabilityOfPassing(tests, plan))} %`]);
  const shouldPass = trueRate >= failUnder;
  const wrong = (tests: number): number => {
    const passing = probabilityOfPassing(tests, plan);
    return shouldPass ? 1 - passing : passing;
  };
  const needed = smallest((tests) => wrong(tests) <= RISK);
  const what = shouldPass ? 'be stopped' : 'pass';
  const conclusion =
    needed === null
      ? `More than ${MAX_TESTS} examples are needed for it to ${what} in at most 5 % of runs.`
      : `From about ${needed} examples on, it would ${what} in at most 5 % of runs.`;
  return [
    `An app whose true pass rate is ${trueRate} %, with --fail-under ${failUnder}${isStrict ? ' --strict' : ''}:`,
    '',
    table(['EXAMPLES', 'EXIT CODE 0'], rows).trimEnd(),
    '',
    `${conclusion} This applies to one test of each example, with one verdict; repeated tests of the same examples tell less.`,
    '',
  ].join('\n');
}

/** Returns the smallest number of tests that meets the condition, to about 2 percent; null above MAX_TESTS. */
function smallest(isMet: (tests: number) => boolean): number | null {
  for (let tests = 1; tests <= MAX_TESTS; tests = Math.max(tests + 1, Math.ceil(tests * 1.02)))
    if (isMet(tests)) return tests;
  return null;
}

const percent = (share: number): string => (100 * share).toFixed(1);
