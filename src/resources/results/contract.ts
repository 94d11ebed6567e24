import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { pagination } from '../../contract/paging.ts';
import { oneToSeveral, queryBoolean, queryInteger, several } from '../../contract/query.ts';
import { uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';
import { filterLine, type RequestedFilter } from '../../filter/query.ts';
import { EVAL_STATUSES } from '../../evaluate/eval-record.ts';
import { OUTCOMES } from '../../tests/outcome/outcome.ts';
import { outcome } from '../tests/contract.ts';

const MAX_SIDES = 10;
const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 100;
const MAX_TEXT = 4_000;
const DEFAULT_TEXT = 400;

/** Changes of an example between sides, those that need attention first. */
export const CHANGES = ['REGRESSED', 'FIXED', 'BOTH_FAILED', 'ONE_SIDE', 'BOTH_PASSED'] as const;
export type Change = (typeof CHANGES)[number];
const CHANGE_FILTERS = [...CHANGES, 'OUTPUT_CHANGED'] as const;

const RESULT_ORDERS = ['result', 'outcome', 'example', 'durationMs', 'cost', 'tokens'] as const;

const RESULT_GROUPS = ['evaluator', 'topic', 'tag', 'subset'] as const;
export type ResultGroups = (typeof RESULT_GROUPS)[number];

const sideText = z
  .string()
  .regex(/^(?:run|variant):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, {
    error: 'must be run:<id> or variant:<id>',
  })
  .transform((text) => text.toLowerCase());

export const resultFilters = {
  q: filterLine,
  side: oneToSeveral(sideText, MAX_SIDES).describe(
    'What to show side by side: `run:<id>` for a run, `variant:<id>` for all tests of a variant of an experiment. The first is the baseline, and the last is the one that outcomes and causes are about. At most 10.',
  ),
  outcome: several(z.enum(OUTCOMES)).describe('Examples with one of these outcomes on the last side.'),
  change: several(z.enum(CHANGE_FILTERS)).describe(
    'Examples with one of these changes. `REGRESSED`: passed on the first side, and failed on another. `FIXED`: failed on the first side, and passed on another. `ONE_SIDE`: a side has no result that counts. `OUTPUT_CHANGED`: the beginnings of the outputs differ.',
  ),
  causeKey: several(z.string().min(1).max(200)).describe(
    'Examples that did not pass on the last side for one of these causes.',
  ),
  issueId: several(uuid).describe('Examples whose test on the last side is linked to one of these issues.'),
  definitionId: uuid.optional().describe('Examples with a verdict of this evaluator on the last side.'),
  passed: queryBoolean.optional().describe('With `definitionId`: whether that verdict passed.'),
};

const MAX_VALUES = 100;
const valuesOf = <T extends z.ZodType>(element: T) => z.array(element).min(1).max(MAX_VALUES).optional();

/** Filters of results in a request body. */
export const resultSelection = z.object({
  q: filterLine,
  side: z.array(sideText).min(1).max(MAX_SIDES),
  outcome: valuesOf(z.enum(OUTCOMES)),
  change: valuesOf(z.enum(CHANGE_FILTERS)),
  causeKey: valuesOf(z.string().min(1).max(200)),
  issueId: valuesOf(uuid),
  definitionId: uuid.optional(),
  passed: z.boolean().optional(),
});

export const resultsQuery = z.object({
  ...resultFilters,
  orderBy: z
    .enum(RESULT_ORDERS)
    .default('result')
    .describe(
      'Order of the examples. `outcome`: those whose outcome needs attention first, then those with the most common cause. `result`: the same, but examples that regressed come first where there are several sides. The others are of the last side.',
    ),
  orderDir: z.enum(['asc', 'desc']).default('desc').describe('Direction of the order.'),
  groupBy: z
    .enum(RESULT_GROUPS)
    .optional()
    .describe(
      'Puts examples into groups, those with the most failures first, in place of `orderBy`: by the evaluator that failed them, by the topic or the tags of the task, or by the subset (`split`) of the example.',
    ),
  skip: queryInteger(0, Number.MAX_SAFE_INTEGER).default(0).describe('Number of entries to skip.'),
  limit: queryInteger(1, MAX_LIMIT).default(DEFAULT_LIMIT).describe('Largest number of entries to return.'),
  text: queryInteger(0, MAX_TEXT)
    .default(DEFAULT_TEXT)
    .describe('Largest number of characters of each input, expected value, output and reason.'),
});
export type ResultsQuery = z.output<typeof resultsQuery>;
/** Filter of results; `q` as it was parsed. */
export type ResultFilter = Omit<Pick<ResultsQuery, keyof typeof resultFilters>, 'q'> & {
  q?: RequestedFilter | undefined;
  /** Caller, from whom verdicts may be withheld. */
  seenBy?: SeenBy | undefined;
};
export type ResultsPage = Omit<ResultsQuery, 'q'> & Pick<ResultFilter, 'q' | 'seenBy'>;

const cause = z.object({
  key: z.string(),
  title: z.string().describe('Cause in words.'),
});

const verdict = z.object({
  evalId: uuid,
  definitionId: uuid,
  status: z.enum(EVAL_STATUSES),
  passed: z.boolean().nullable(),
  score: z.number().nullable(),
  reason: z.string().nullable(),
  citations: z
    .array(z.object({ start: z.int(), end: z.int() }))
    .describe('Places in the output of the words that the verdict is about, in UTF-16 code units.'),
});
export type ResultVerdict = z.input<typeof verdict>;

const resultSide = z.object({
  side: z.int().describe('Place of the side among `side` of the request, from 0.'),
  tests: z.int().describe('Number of tests of the example.'),
  passed: z.int().describe('Number of those that passed.'),
  outcome: outcome.describe('Outcome of the example: of several tests, that which needs attention most.'),
  testId: uuid.describe('Test with that outcome, of which the other fields are.'),
  traceId: uuid.nullable(),
  output: z.string().nullable(),
  isTruncated: z.boolean().describe('True if the output is longer than shown.'),
  cause: cause.nullable(),
  verdicts: z.array(verdict),
  durationMs: z.number().nullable().describe('Duration of the traces of the app.'),
  cost: z.number().nullable().describe('Cost of the traces, in US dollars.'),
  tokens: z.int().nullable(),
  withheld,
});

const group = z.object({
  key: z.string(),
  title: z.string(),
  count: z.int().describe('Number of its examples that meet the filter.'),
});
export type ResultGroup = z.input<typeof group>;

const resultRow = z.object({
  taskId: uuid,
  exampleId: uuid.nullable(),
  exampleIndex: z.int().nullable().describe('Place of the example in its task, from 0.'),
  input: z.string(),
  expected: z
    .string()
    .nullable()
    .describe('Expected value of the example as it is now; null without one, and for a deleted example.'),
  isExampleDeleted: z.boolean(),
  change: z.enum(CHANGES).nullable().describe('Change between the sides; null with one side.'),
  isOutputChanged: z.boolean().nullable().describe('True if the beginnings of the outputs differ.'),
  sides: z.array(resultSide).describe('Sides that were tested with the example.'),
  group: group.optional().describe('Group of the example; only with `groupBy`.'),
});
export type ResultRow = z.input<typeof resultRow>;
export type ResultSideRow = z.input<typeof resultSide>;

const count = z.int();
export const results = namedObject('Results', {
  data: z.array(resultRow),
  pagination,
  columns: z
    .array(
      z.object({
        definitionId: uuid,
        name: z.string(),
        type: z.string(),
        isBlocking: z.boolean().describe('True if its verdict can fail a test.'),
        min: z.number().describe('Lowest score.'),
        max: z.number().describe('Highest score.'),
      }),
    )
    .describe('Evaluators with verdicts on a side, blocking ones first.'),
  facets: z
    .object({
      outcomes: z.object({
        FAILED: count,
        APP_ERROR: count,
        NO_VERDICT: count,
        NOT_RUN: count,
        RUNNING: count,
        PASSED: count,
      }),
      changes: z.object({
        REGRESSED: count,
        FIXED: count,
        BOTH_FAILED: count,
        ONE_SIDE: count,
        BOTH_PASSED: count,
        OUTPUT_CHANGED: count,
      }),
      causes: z.array(z.object({ ...cause.shape, outcome, count })).describe('Largest first, at most 200.'),
      definitions: z.array(z.object({ id: uuid, passed: count, failed: count, none: count })),
    })
    .describe(
      'Number of examples by outcome, change and cause, and of tests by verdict, whatever the filter.',
    ),
});
export type Results = z.input<typeof results>;
