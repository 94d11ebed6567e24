import { probabilitiesOfPassed } from '../evaluate/statistics/beta-binomial.ts';
import { effectiveTests, expectedSums } from '../evaluate/statistics/clusters.ts';
import { meanInterval } from '../evaluate/statistics/mean-interval.ts';
import { formatTable } from './tables.ts';

/** Numbers of examples in the table. */
const SIZES = [10, 30, 100, 300, 1_000];
const MAX_EXAMPLES = 10_000;
/** Probability of a wrong result that a plan accepts. */
const RISK = 0.05;

export interface TestPlan {
  /** Required pass rate, in percent. */
  failUnder: number;
  /** True if the lower bound of the interval must reach the rate. */
  isStrict: boolean;
  /** True pass rate of the app, in percent. */
  trueRate: number;
  /** Number of tests of each example. */
  repeats: number;
  /** Correlation between the results of two tests of one example, from 0 to 1. */
  correlation: number;
}

/** Most tests whose distribution is computed exactly. */
const MOST_EXACT = 2_000;

/**
 * Returns the probability that the gate opens for an app of the true rate, with one verdict per test: the upper tail of the
 * binomial distribution, or of the sum of beta-binomial ones for repeated tests. Where these are very many, they count as
 * the number of independent tests that are as informative.
 */
export function probabilityOfPassing(examples: number, plan: TestPlan): number {
  const { repeats, correlation } = plan;
  const share = plan.trueRate / 100;
  if (repeats > 1 && examples * repeats <= MOST_EXACT) {
    const chances = probabilitiesOfPassed({ examples, repeats, share, correlation });
    return Math.min(
      1,
      chances.subarray(fewestPassed(examples * repeats, examples, plan)).reduce((sum, one) => sum + one, 0),
    );
  }
  const tests = worthOf(examples, plan);
  const needed = fewestPassed(tests, examples, plan);
  if (share === 0 || share === 1) return share * tests >= needed ? 1 : 0;
  let [sum, logMass] = [0, tests * Math.log1p(-share)];
  for (let passed = 0; passed <= tests; passed++) {
    if (passed >= needed) sum += Math.exp(logMass);
    logMass += Math.log((tests - passed) / (passed + 1)) + Math.log(share / (1 - share));
  }
  return Math.min(1, sum);
}

const worthOf = (examples: number, { repeats, correlation }: TestPlan): number =>
  Math.round(effectiveTests({ examples, repeats, correlation }));

/** Returns how many of the independent tests must pass; more than there are if no number is enough. */
function fewestPassed(tests: number, examples: number, plan: TestPlan): number {
  let [low, high] = [0, tests + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle / tests, examples, plan)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isEnough(
  share: number,
  examples: number,
  { failUnder, isStrict, repeats, correlation }: TestPlan,
): boolean {
  const measure = isStrict
    ? meanInterval(expectedSums({ examples, repeats, correlation }, Math.min(share, 1))).low
    : share;
  return 100 * measure >= failUnder - 1e-9;
}

/** Formats how often the gate opens by the number of examples, and how many examples make a wrong result rare. */
export function planText(plan: TestPlan): string {
  const { failUnder, isStrict, trueRate, repeats, correlation } = plan;
  const shouldPass = trueRate >= failUnder;
  const wrong = (examples: number): number => {
    const passing = probabilityOfPassing(examples, plan);
    return shouldPass ? 1 - passing : passing;
  };
  const needed = smallest((examples) => wrong(examples) <= RISK);
  const what = shouldPass ? 'be stopped' : 'pass';
  const conclusion =
    needed === null
      ? `More than ${MAX_EXAMPLES} examples are needed for it to ${what} in at most 5 % of runs.`
      : `From about ${needed} examples on, it would ${what} in at most 5 % of runs.`;
  const assumed =
    repeats === 1
      ? 'This applies to one test of each example, with one verdict; repeated tests of the same examples tell less: see --repeat.'
      : `This applies to ${repeats} tests of each example, with one verdict, whose results have a correlation of ${correlation} within an example (--correlation): at 1, repeats tell nothing new; at 0, each is worth a further example.`;
  return [
    `An app whose true pass rate is ${trueRate} %, with --fail-under ${failUnder}${isStrict ? ' --strict' : ''}${repeats === 1 ? '' : ` --repeat ${repeats}`}:`,
    '',
    planTable(plan).trimEnd(),
    '',
    `${conclusion} ${assumed}`,
    '',
  ].join('\n');
}

function planTable(plan: TestPlan): string {
  const chance = (examples: number): string => `${percent(probabilityOfPassing(examples, plan))} %`;
  if (plan.repeats === 1)
    return formatTable(
      ['EXAMPLES', 'EXIT CODE 0'],
      SIZES.map((examples) => [String(examples), chance(examples)]),
    );
  return formatTable(
    ['EXAMPLES', 'TESTS', 'WORTH', 'EXIT CODE 0'],
    SIZES.map((examples) => [
      String(examples),
      String(examples * plan.repeats),
      String(worthOf(examples, plan)),
      chance(examples),
    ]),
  );
}

/** Returns the smallest number of examples that meets the condition, to about 2 percent; null above MAX_EXAMPLES. */
function smallest(isMet: (examples: number) => boolean): number | null {
  for (
    let examples = 1;
    examples <= MAX_EXAMPLES;
    examples = Math.max(examples + 1, Math.ceil(examples * 1.02))
  )
    if (isMet(examples)) return examples;
  return null;
}

const percent = (share: number): string => (100 * share).toFixed(1);
