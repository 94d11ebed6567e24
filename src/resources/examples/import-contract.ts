import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { uuid } from '../../contract/values.ts';
import { example } from './contract.ts';

/** Fields of an example that a column or member of a file can have. */
export const IMPORT_FIELDS = [
  'input',
  'expected',
  'expectedJson',
  'key',
  'rubric',
  'rubrics',
  'assertions',
  'metadata',
  'tags',
  'split',
  'weight',
  'status',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];
/** Field of the example itself: `expectedJson` is another way to write `expected`. */
export type ExampleField = Exclude<ImportField, 'expectedJson' | 'status'>;

const path = z.string().min(1).max(256);
const mapping = z.partialRecord(
  z.enum(IMPORT_FIELDS),
  z.union([path, z.array(path).min(1).max(100)]).nullable(),
);
/** Columns by field as a caller gives them; null for a field that takes none. */
export type GivenMapping = z.output<typeof mapping>;
/** Place of a field in a row: a column, a path of members such as `inputs.question`, or several of these. */
export type ImportSource = string | readonly string[];
export type ImportMapping = Partial<Record<ImportField, ImportSource>>;

const mappingText = z
  .string()
  .max(10_000)
  .transform((text, context) => {
    try {
      const parsed = mapping.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
    } catch {
      // Reported below.
    }
    const message = `must be a JSON object of columns by field (${IMPORT_FIELDS.join(', ')}), such as {"input":"question"}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const importFields = z.object({
  mapping: mappingText
    .optional()
    .describe(
      'JSON object with the column of each field, such as `{"input":"question","expected":"answer"}`. A path such as `inputs.question` names a member of an object, a list several columns, such as those of `metadata`. Fields that it does not name are guessed; a field with `null` takes no column.',
    ),
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` to check the file and show the mapping without storing anything.'),
  definitions: z
    .enum(['true', 'false'])
    .default('true')
    .describe(
      '`false` to import only examples from a file of promptfoo. Otherwise definitions that apply their checks and rubrics are linked to the task, and created if there are none.',
    ),
});

const count = z.int().min(0);
const { input, expected, key, rubric, rubrics, assertions, metadata, tags } = example.shape;

export const importReport = namedObject('ExampleImport', {
  dryRun: z.boolean(),
  rows: count.describe('Number of rows read.'),
  created: count,
  updated: count.describe('Number of examples whose key was known and whose fields changed.'),
  unchanged: count.describe('Number of examples whose key was known and whose fields were the same.'),
  replaced: z
    .array(
      z.object({
        line: count.describe('Line on which the row begins.'),
        key: z.string(),
        fields: z.array(z.string()).describe('Fields that have another value now.'),
      }),
    )
    .describe('First 100 of the examples that were updated. Their former versions are kept.'),
  rejected: z
    .array(z.object({ line: count.describe('Line on which the row begins.'), error: z.string() }))
    .describe('First 100 rows that could not be used.'),
  rejectedCount: count,
  format: z
    .string()
    .nullable()
    .describe('Format of another tool that the rows have; null if they have none.'),
  mapping: z
    .record(z.string(), z.string())
    .describe('Column that each field was taken from; several are separated by commas.'),
  assertions: count.describe(
    'Number of rows with checks of their own, which definitions of `ASSERT` with `exampleAssertions` apply.',
  ),
  rubrics: count.describe('Number of rows with a rubric.'),
  definitions: z
    .array(
      z.object({
        id: uuid.nullable().describe('Null if a dry run would create it.'),
        name: z.string(),
        type: z.string(),
        action: z.enum(['CREATED', 'LINKED', 'KEPT']).describe('`KEPT`: it applied to the task before.'),
      }),
    )
    .describe('Definitions that apply the checks and rubrics of a file of promptfoo to the task.'),
  unusedColumns: z.array(z.string()).describe('Columns that no field was taken from.'),
  notCarried: z
    .array(z.string())
    .describe(
      'First 100 parts of rows that examples do not have, with their line, such as further assertions of promptfoo.',
    ),
  preview: z
    .array(z.object({ key, input, expected, rubric, rubrics, assertions, metadata, tags }))
    .describe('First three examples of the file.'),
});
export type ImportReport = z.input<typeof importReport>;

/** Returns the report of an import that has read no row yet. */
export const emptyImport = (): Omit<ImportReport, 'dryRun' | 'preview'> => ({
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  replaced: [],
  rejected: [],
  rejectedCount: 0,
  format: null,
  mapping: {},
  assertions: 0,
  rubrics: 0,
  definitions: [],
  unusedColumns: [],
  notCarried: [],
});
