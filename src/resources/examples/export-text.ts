import { csvLine } from '../exports/csv-line.ts';
import type { ExportFormat } from '../exports/export-stream.ts';
import type { Example } from './contract.ts';
import { type ExampleField, type ImportField, IMPORT_FIELDS } from './import-contract.ts';

export type ExportedExample = Pick<Example, 'id' | ExampleField>;

const jsonText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : jsonText(value));

/** Key of an example in a file. Without a key of its own, it is the id, by which an import finds the example too. */
const keyOf = ({ id, key }: ExportedExample): string => key ?? id;

/** Contents of the columns of a CSV file, which has only texts. */
const CELLS: Readonly<Record<ImportField, (example: ExportedExample) => string | number | null>> = {
  key: keyOf,
  input: ({ input }) => textOr(input),
  expected: ({ expected }) => (typeof expected === 'string' ? expected : null),
  expectedJson: ({ expected }) => (typeof expected === 'string' ? null : jsonText(expected)),
  rubric: ({ rubric }) => rubric,
  metadata: ({ metadata }) => jsonText(metadata),
  tags: ({ tags }) => (tags.length === 0 ? null : JSON.stringify(tags)),
  split: ({ split }) => split,
  weight: ({ weight }) => weight,
};

/** Text before the first example of a file. */
export const exportHead = (format: ExportFormat): string => (format === 'csv' ? csvLine(IMPORT_FIELDS) : '');

/** Formats one example as a line of a file, with the fields that an import reads. */
export function exportLine(format: ExportFormat, example: ExportedExample): string {
  if (format === 'csv') return csvLine(IMPORT_FIELDS.map((field) => CELLS[field](example)));
  const { input, expected, rubric, metadata, tags, split, weight } = example;
  const line = { key: keyOf(example), input, expected, rubric, metadata, tags, split, weight };
  return `${JSON.stringify(line)}\n`;
}
