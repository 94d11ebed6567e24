import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { paging } from '../../contract/paging.ts';
import { several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { givenTime, shortText, uuid } from '../../contract/values.ts';
import { withheld } from '../../contract/withheld.ts';
import { chosenExamples, result, triggerBody } from '../tests/contract.ts';
import { baselineText, recordedDecision } from './decision-contract.ts';
import { RUN_SET_STATUSES } from './record.ts';

const MAX_TASKS = 1_000;
const MAX_METADATA_CHARACTERS = 20_000;
const MAX_BATCH = 500;
const DEFAULT_BATCH = 20;
/** Most examples of a run set that tests in batches. */
export const MAX_UNTIL_SURE = 2_000;

const status = z
  .enum(RUN_SET_STATUSES)
  .describe(
    '`COMPLETED` when all tests have ended and one of them completed, `FAILED` if none did or not all could be started.',
  );
const count = z.int();

export const runSet = namedObject('RunSet', {
  ...recordFields,
  title: z.string().nullable(),
  commit: z.string().nullable(),
  branch: z.string().nullable(),
  pullRequest: z.string().nullable(),
  buildUrl: z.string().nullable(),
  author: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  status,
  repeat: count.describe('Number of tests of each example.'),
  runIds: z.array(uuid).describe('Its runs, one for each task.'),
  tests: z
    .object({
      total: count.describe('Number of its tests, started or not.'),
      open: count.describe('Number of those that have not ended.'),
    })
    .describe('Progress.'),
  canaries: z
    .object({
      total: count.describe('Number of frozen tests and traces that judges judge again.'),
      open: count.describe('Number of those that wait for their verdict.'),
    })
    .describe('Canaries of the judges of its definitions.'),
  examples: count.describe('Number of examples that were chosen at its start.'),
  result,
  untilSure: z
    .object({ batch: count, tested: count.describe('Number of examples that were tested so far.') })
    .nullable()
    .describe(
      'Progress of a run set that tests in batches until it is sure; null for one that tests all at once.',
    ),
  baselineId: uuid.nullable().describe('Run set that it is compared with.'),
  decision: recordedDecision.nullable(),
  withheld,
});
export type RunSet = z.input<typeof runSet>;

const definition = z.object({
  id: uuid,
  version: count,
  name: z.string(),
  type: z.string(),
  judgeVersion: z
    .string()
    .nullable()
    .describe('Judge of the newest eval of this version at the start; null if there was none.'),
});
const example = z.object({ id: uuid, version: count });

export const runSetSnapshot = namedObject('RunSetSnapshot', {
  definitions: z.array(definition),
  tasks: z.array(
    z.object({
      taskId: uuid,
      definitionIds: z.array(uuid),
      examples: z.array(example).describe('Examples with their versions, in the order of their tests.'),
    }),
  ),
});
export type RunSetSnapshot = z.input<typeof runSetSnapshot>;

const metadata = shortAsJson(exact(z.record(z.string(), z.unknown())), MAX_METADATA_CHARACTERS);
const link = z.url({ protocol: /^https?$/ }).max(2_000);
const ids = z.array(uuid).min(1).max(100);

export const createRunSetBody = z
  .object({
    taskIds: z.array(uuid).min(1).max(MAX_TASKS).optional().describe('Tasks to test.'),
    filter: z
      .object({
        topicId: ids.optional().describe('Tasks of one of these topics.'),
        tagId: ids.optional().describe('Tasks with one of these tags.'),
      })
      .optional()
      .describe('Further tasks: all active ones that match. An empty object selects all active ones.'),
    examples: chosenExamples
      .nullable()
      .optional()
      .describe(
        'Examples to test. Default: all active examples of the tasks, as an empty object. Null: `repeat` tests of each task, which take its examples in turn.',
      )
      // No default in the schema: generators of clients leave out a call that has an object as one.
      .transform((given) => (given === undefined ? {} : given)),
    repeat: triggerBody.shape.repeat.describe(
      'Number of tests of each chosen example; of each task, if its tests take its examples in turn.',
    ),
    promptSeed: triggerBody.shape.promptSeed,
    title: exact(shortText).nullable().default(null),
    commit: exact(shortText).nullable().default(null),
    branch: exact(shortText).nullable().default(null),
    pullRequest: exact(shortText).nullable().default(null),
    buildUrl: link.nullable().default(null),
    author: exact(shortText).nullable().default(null),
    metadata: metadata.nullable().default(null),
    baseline: baselineText.optional(),
    untilSure: z
      .object({
        batch: z
          .int()
          .min(1)
          .max(MAX_BATCH)
          .default(DEFAULT_BATCH)
          .describe('Number of examples of a batch.'),
        max: z
          .int()
          .min(1)
          .max(MAX_UNTIL_SURE)
          .default(MAX_UNTIL_SURE)
          .describe('Largest number of examples to test.'),
      })
      .optional()
      .describe(
        'Test the examples in random order and in batches: the first one now, each further one by `POST /v0/run-sets/{id}/continue`. Decisions on such a run set hold at every look. Needs `repeat` 1, and tasks whose prompts no model writes.',
      ),
  })
  .refine(({ taskIds, filter }) => taskIds !== undefined || filter !== undefined, {
    error: 'must have taskIds or filter',
  })
  .refine(({ untilSure, examples }) => untilSure === undefined || examples !== null, {
    error: 'must not be null with untilSure',
    path: ['examples'],
  })
  .refine(({ untilSure, repeat }) => untilSure === undefined || repeat === 1, {
    error: 'must be 1 with untilSure',
    path: ['repeat'],
  });
export type CreateRunSetBody = z.output<typeof createRunSetBody>;

export const runSetsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'id']),
  status: several(status).describe('Run sets with one of these statuses.'),
  branch: several(exact(shortText)).describe('Run sets of one of these branches.'),
  commit: several(exact(shortText)).describe('Run sets of one of these commits.'),
  startDate: givenTime.optional().describe('Run sets started at this time or later.'),
  endDate: givenTime.optional().describe('Run sets started at this time or earlier.'),
});
export type RunSetsQuery = z.output<typeof runSetsQuery>;
