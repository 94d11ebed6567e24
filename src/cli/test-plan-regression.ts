import { countText } from '../runtime/count-text.ts';
import { examplesToShow, smallestLoss } from '../evaluate/statistics/smallest-loss.ts';
import { formatTable } from './tables.ts';
import type { TestPlan } from './test-plan.ts';

/** Numbers of examples of each task in the table. */
const SIZES = [5, 10, 20, 50, 100, 300, 1_000];
const MAX_EXAMPLES = 10_000;

/** A comparison with a baseline that is planned. */
export interface RegressionPlan extends Pick<TestPlan, 'trueRate' | 'repeats' | 'correlation'> {
  tasks: number;
  /** Loss that is to be found, in percentage points. */
  findLoss: number;
}

/** Formats which losses a comparison shows, by the number of examples, and how many the wanted loss needs. */
export function regressionPlanText(plan: RegressionPlan): string {
  const { tasks, trueRate, repeats, correlation, findLoss } = plan;
  const design = { tasks, repeats, correlation, share: trueRate / 100 };
  const rows = SIZES.map((examples) => {
    const loss = smallestLoss({ ...design, examples });
    return [
      String(examples),
      String(tasks * examples * repeats),
      loss === null ? 'none' : `${(Math.ceil(1_000 * loss) / 10).toFixed(1)} points`,
    ];
  });
  const needed = examplesToShow(findLoss / 100, design, MAX_EXAMPLES);
  const conclusion =
    needed === null
      ? `No number of examples up to ${MAX_EXAMPLES} of each task shows a loss of ${findLoss} points that often.`
      : `A loss of ${findLoss} points (--find-loss) needs ${needed} examples of each task.`;
  return [
    `Smallest loss that --no-regression shows in 80 % of runs, for ${countText(tasks, 'task')} (--tasks) with ${countText(repeats, 'test')} of each example (--repeat), if the baseline passes ${trueRate} % (--true-rate):`,
    '',
    formatTable(['EXAMPLES OF EACH TASK', 'TESTS', 'SMALLEST LOSS'], rows).trimEnd(),
    '',
    `${conclusion} This applies to a loss that hits some of the examples in all tasks alike, with one verdict for each test and a correlation of ${correlation} within an example (--correlation).`,
    '',
  ].join('\n');
}
