import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { queryBoolean, queryInteger, queryPercent } from '../../contract/query.ts';
import { RATE_METHODS } from '../../evaluate/statistics/rate-interval.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { comparison } from '../runs/compare-contract.ts';
import { question, rateInterval } from '../tests/rate-interval.ts';

export const DECISION_OUTCOMES = ['PASS', 'FAIL', 'INCONCLUSIVE'] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

const outcome = z
  .enum(DECISION_OUTCOMES)
  .describe(
    '`PASS`, `FAIL`, or `INCONCLUSIVE` if the results do not decide it; `touchstone test` exits with 0, 1 and 2.',
  );
const percent = z.number().min(0).max(100);

/** Most characters of a baseline in an address, which headers limit. */
const MAX_IN_ADDRESS = 4_000;
const BASELINE =
  'What to compare with: the id of a run set; `previous`, the newest completed run set of the same branch before this one; `branch:` with a name, the newest completed run set of that branch besides this one; or ids of runs, separated by commas.';

export const baselineText = z.string().min(1).max(40_000).describe(BASELINE);

/** Rule of a decision as it is requested. */
export const decisionQuery = z.object({
  baseline: z
    .string()
    .min(1)
    .max(MAX_IN_ADDRESS)
    .optional()
    .describe(`${BASELINE} Default: the baseline that the run set was started with.`),
  failUnder: queryPercent({ isShare: true })
    .default(100)
    .describe('Required pass rate, in percent; up to 1 with the sign, such as `0.6%`.'),
  strict: queryBoolean
    .default(false)
    .describe('Require the lower bound of the interval to reach `failUnder`, not the pass rate itself.'),
  allowSkipped: queryInteger(0, 10_000).default(0).describe('Number of tests that may lack a verdict.'),
  question: question.default('EXAMPLES_LIKE_THESE'),
  equalTasks: queryBoolean.default(false).describe('Give each task the same weight.'),
  withAdvisory: queryBoolean.default(false).describe('Let the verdicts of advisory definitions count.'),
  margin: queryPercent()
    .optional()
    .describe(
      'Fail also if the run set is worse than the baseline by more than so many percentage points. Without it, the comparison decides nothing. Below 1 with the sign, such as `0.5%`.',
    ),
  minPaired: queryPercent({ isShare: true })
    .default(80)
    .describe('Lowest percentage of what was tested on either side that must be compared.'),
  findLoss: queryPercent()
    .default(50)
    .describe('Loss beyond the margin that the comparison must be able to show, in percentage points.'),
});
export type DecisionQuery = z.output<typeof decisionQuery>;

const rule = z
  .object({
    failUnder: percent,
    strict: z.boolean(),
    allowSkipped: z.int(),
    question,
    equalTasks: z.boolean(),
    withAdvisory: z.boolean(),
    margin: percent.nullable(),
    minPaired: percent,
    findLoss: percent,
  })
  .describe('What was asked.');
export type DecisionRule = z.output<typeof rule>;

const rate = z
  .object({
    rate: percent,
    ...rateInterval.shape,
    method: z
      .enum([...RATE_METHODS, 'ANYTIME'])
      .describe(
        'Method of the interval; `ANYTIME` for a run set that tests until it is sure: bounds that hold at every look.',
      ),
  })
  .describe('Pass rate and its 95 % interval, in percent.');
export type DecidedRate = z.input<typeof rate>;

const gate = z.object({
  of: z
    .enum(['RUN_SET', 'CANARIES', 'LINE', 'REGRESSION'])
    .describe(
      'What decides: `LINE` the required pass rate, `REGRESSION` the comparison with the baseline, `RUN_SET` a fault of the run set that leaves it undecided, `CANARIES` whether a judge still gives the verdicts that it gave on frozen tests and traces.',
    ),
  outcome,
  message: z.string(),
});
export type DecidedGate = z.input<typeof gate>;

const canaries = z.object({
  id: uuid.describe('The definition.'),
  name: z.string(),
  canaries: z.int().describe('Number of frozen tests and traces that were judged again.'),
  open: z.int().describe('Number of those that wait for their verdict.'),
  compared: z.int().describe('Number of those with a verdict.'),
  toPassed: z.int().describe('Number of those that pass now and did not before.'),
  toFailed: z.int().describe('Number of those that passed before and do not now.'),
  changed: z
    .object({ rate: percent, low: percent, high: percent })
    .nullable()
    .describe(
      'Share of the verdicts that changed, with its 95 % interval (Wilson), in percent; null without a verdict.',
    ),
  isShifted: z
    .boolean()
    .describe(
      'True if the changes are more than chance: the judge has changed, and the decision is unknown.',
    ),
});

const judgedAgain = z.object({
  id: uuid.describe('The definition.'),
  name: z.string(),
  times: z.int().describe('How many times it judged one of the tests, at most.'),
});
export type JudgedAgain = z.output<typeof judgedAgain>;

export const decision = namedObject('Decision', {
  runSetId: uuid,
  outcome,
  reasons: z.array(z.string()).describe('One sentence for each gate, the decisive ones first.'),
  gates: z.array(gate),
  rule,
  tests: z.int(),
  judged: z.int().describe('Number of tests for which every definition gave a verdict.'),
  rate: rate.nullable().describe('Pass rate with its interval; null when nothing counts.'),
  advisory: z
    .array(z.object({ id: uuid, name: z.string(), reason: z.string().nullable() }))
    .describe(
      'Definitions whose verdicts are only shown, and why their gate is not valid; null without a gate.',
    ),
  canaries: z
    .array(canaries)
    .describe('Definitions whose canaries were judged again, unless their verdicts are only shown.'),
  judgedAgain: z
    .array(judgedAgain)
    .describe(
      'Definitions that judged tests of the run set again although nothing that they judge had changed: only their newest verdicts count. Each further try makes it more likely that an unsteady judge lets a run set pass.',
    ),
  onlyInBaseline: z
    .array(z.object({ id: uuid, name: z.string() }))
    .describe(
      'Definitions that judged the baseline and nothing of the run set, such as one that was unlinked: to evaluate the baseline again does not change that.',
    ),
  baselineId: uuid.nullable().describe('Run set that was compared with; null for none, or for single runs.'),
  baselineRunIds: z.array(uuid).describe('Runs that were compared with.'),
  comparison: comparison
    .nullable()
    .describe(
      'Comparison with the baseline, as `POST /v0/runs/compare` returns it; null without a baseline.',
    ),
});
export type Decision = z.input<typeof decision>;

/** The part of a decision that a run set keeps: it has no text. */
export const recordedDecision = z
  .object({
    outcome,
    at: dateTime,
    rule,
    rate: percent.nullable(),
    baselineId: uuid.nullable(),
    baselineRunIds: z.array(uuid),
    advisoryIds: z.array(uuid).describe('Definitions whose verdicts were only shown.'),
  })
  .describe('Last decision that was recorded by `POST /v0/run-sets/{id}/decision`.');
export type RecordedDecision = z.input<typeof recordedDecision>;
