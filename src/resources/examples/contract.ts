import { withheld } from '../../contract/withheld.ts';
import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { exact, shortAsJson } from '../../contract/exact-json.ts';
import { pagination, paging } from '../../contract/paging.ts';
import { searchText, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { dateTime, textKey, uuid } from '../../contract/values.ts';
import { checksFault } from '../../evaluate/evaluators/assertions/schema.ts';

const MAX_PROMPT_CHARACTERS = 200_000;
const MAX_TAGS = 20;
const MAX_ASSERTIONS = 100;

const json = z.record(z.string(), z.unknown());
const status = z
  .enum(['ACTIVE', 'ARCHIVED'])
  .describe('Only tests of `ACTIVE` examples are started. An example with tests is archived, not deleted.');
const anyStatus = z
  .enum(['ACTIVE', 'ARCHIVED', 'WRITTEN'])
  .describe(
    'Only tests of `ACTIVE` examples are started. `WRITTEN`: a prompt that a model wrote for tests of a `NORMAL` task. An example with tests is archived, not deleted.',
  );

const fields = {
  input: shortAsJson(exact(z.union([z.string().min(1), json])), MAX_PROMPT_CHARACTERS).describe(
    'Prompt: a text, or an object that meets the `simulatedPromptSchema` of the task.',
  ),
  expected: shortAsJson(exact(z.unknown()), MAX_PROMPT_CHARACTERS).describe(
    'Expected output, any JSON. It takes precedence over `expected` of a link; null means none.',
  ),
  rubric: exact(z.string().min(1).max(10_000)).nullable().describe('What a good answer must contain.'),
  rubrics: shortAsJson(
    exact(z.record(textKey(256), z.string().min(1).max(10_000))).refine(
      (given) => Object.keys(given).length > 0,
      {
        error: 'must have a rubric; null stands for none',
      },
    ),
    20_000,
  )
    .nullable()
    .describe(
      'Rubrics of single criteria, such as `{"Tone":"Apologises once."}`: each member has the name or the id of a definition, which reads it in place of `rubric`.',
    ),
  assertions: shortAsJson(exact(z.array(json).min(1).max(MAX_ASSERTIONS)), 20_000)
    .superRefine((given, context) => {
      for (const issue of checksFault(given)) context.addIssue({ ...issue });
    })
    .nullable()
    .describe(
      'Checks of the output and the trace, as in `globalConfig` of `ASSERT`. Definitions of that type with `exampleAssertions` apply them.',
    ),
  metadata: shortAsJson(exact(json), 20_000)
    .nullable()
    .describe('Metadata that is sent with each test, in addition to that of the task.'),
  tags: z.array(exact(textKey(64))).max(MAX_TAGS),
  split: exact(textKey(64)).nullable().describe('Part of the data set, such as `train` or `test`.'),
  weight: z.number().min(0).max(1_000).describe('Importance of the example. It is kept and exported.'),
  position: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('Place in the order of the task. The example that has this place gets the old one.'),
  key: exact(textKey(256))
    .nullable()
    .describe('Identity of the example within its task: an import with the same key changes it.'),
};

export const example = namedObject('Example', {
  ...recordFields,
  taskId: uuid,
  position: z.int().describe('Place in the order of the task. Examples with equal places are ordered by id.'),
  key: fields.key,
  input: z.union([z.string(), json]),
  expected: z.unknown(),
  rubric: z.string().nullable(),
  rubrics: z
    .record(z.string(), z.string())
    .nullable()
    .describe('Rubrics by the name or the id of the definition that reads it.'),
  assertions: z.array(json).nullable().describe('Checks that belong to this example alone.'),
  metadata: json.nullable(),
  tags: z.array(z.string()),
  split: z.string().nullable(),
  weight: z.number(),
  status: anyStatus,
  version: z.int().describe('Number of the version, from 1. Grows with every change.'),
  traceId: uuid.nullable().describe('Trace that the example was made from.'),
  withheld,
});
export type Example = z.input<typeof example>;

export const createExampleBody = z.object({
  input: fields.input,
  expected: fields.expected.default(null),
  rubric: fields.rubric.default(null),
  rubrics: fields.rubrics.default(null),
  assertions: fields.assertions.default(null),
  metadata: fields.metadata.default(null),
  tags: fields.tags.default([]),
  split: fields.split.default(null),
  weight: fields.weight.default(1),
  key: fields.key.default(null),
});
export type NewExampleFields = z.output<typeof createExampleBody>;

export const updateExampleBody = z.object({ ...fields, status }).partial();
export type GivenExampleFields = z.output<typeof updateExampleBody>;

const filters = {
  status: several(anyStatus).describe('Examples with one of these statuses. Default: `ACTIVE`.'),
  split: several(textKey(64)).describe('Examples of one of these splits.'),
  key: several(textKey(256)).describe('Examples with one of these keys.'),
  search: searchText.describe(
    'Examples with this text in their input, ignoring case; no character has a special meaning.',
  ),
};
export const examplesFilter = z.object(filters);
export type ExamplesFilter = z.output<typeof examplesFilter>;

export const examplesQuery = z.object({
  ...paging(['position', 'modifiedAt']),
  orderDir: z.enum(['asc', 'desc']).default('asc').describe('Direction of the order.'),
  ...filters,
});
export type ExamplesQuery = z.output<typeof examplesQuery>;

const { input, expected, rubric, rubrics, assertions, metadata, tags, split, weight, version } =
  example.shape;
export const exampleVersion = namedObject('ExampleVersion', {
  version,
  replacedAt: dateTime.nullable().describe('Time of the next version; null for the current one.'),
  input,
  expected,
  rubric,
  rubrics,
  assertions,
  metadata,
  tags,
  split,
  weight,
  status: anyStatus,
});
export type ExampleVersion = z.input<typeof exampleVersion>;

export const exampleHistory = z.object({
  data: z.array(exampleVersion).describe('Newest first; the last 100 are kept.'),
});
export const exampleList = z.object({ data: z.array(example), pagination });
