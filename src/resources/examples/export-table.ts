import { type ExportTable, jsonColumn, jsonCell, exportNumber, textColumn } from '../exports/export-table.ts';
import type { Example } from './contract.ts';
import type { ExampleField, ImportField } from './import-contract.ts';
import { onlyText } from './import-value.ts';

export type ExportedExample = Pick<Example, 'id' | ExampleField>;

const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : jsonCell(value));

/** Key of an example in a file. Without a key of its own, it is the id, by which an import finds the example too. */
const keyOf = ({ id, key }: ExportedExample): string => key ?? id;

/** Reports whether a cell can hold an expected value. An empty cell means that nothing is expected, not an empty output. */
const isPlain = (expected: unknown): expected is string => typeof expected === 'string' && expected !== '';

/** Columns of a file, which have only texts and numbers. */
const columns: {
  [Field in Exclude<ImportField, 'status'>]: ExportTable<ExportedExample>['columns'][string];
} = {
  input: textColumn(({ input }) => textOr(input)),
  expected: textColumn(({ expected }) => (isPlain(expected) ? expected : null)),
  expectedJson: jsonColumn(({ expected }) => (isPlain(expected) ? null : expected)),
  key: textColumn(keyOf),
  rubric: textColumn(({ rubric }) => rubric),
  rubrics: jsonColumn(({ rubrics }) => rubrics),
  assertions: jsonColumn(({ assertions }) => assertions),
  metadata: jsonColumn(({ metadata }) => metadata),
  tags: textColumn(({ tags }) => (tags.length === 0 ? null : JSON.stringify(tags))),
  split: textColumn(({ split }) => split),
  weight: exportNumber(({ weight }) => weight),
};

/** Examples in a file, with the fields that an import reads. */
export const exampleTable: ExportTable<ExportedExample> = {
  columns,
  object: ({ id, key, input, expected, rubric, rubrics, assertions, metadata, tags, split, weight }) => ({
    key: key ?? id,
    input,
    // An import takes the text out of an object that has nothing else.
    ...(expected === '' || onlyText(expected) !== undefined
      ? { expectedJson: JSON.stringify(expected) }
      : { expected }),
    rubric,
    ...(rubrics !== null && { rubrics }),
    ...(assertions !== null && { assertions }),
    metadata,
    tags,
    split,
    weight,
  }),
};
