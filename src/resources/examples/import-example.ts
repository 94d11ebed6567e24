import { createExampleBody, type NewExampleFields } from './contract.ts';
import type { ExampleField, ImportField, ImportMapping } from './import-contract.ts';
import { isObject } from '../../contract/is-object.ts';
import { hasAssertions, keptAssertions } from './promptfoo-assertions.ts';
import { sha256Hex } from '../../runtime/sha256.ts';
import { jsonIn } from '../../evaluate/evaluators/assertions/find-json.ts';

/** A row as an example, or its fault. `given`: fields that the file has. */
export type ImportedExample =
  | {
      line: number;
      fields: NewExampleFields & { key: string };
      given: readonly ExampleField[];
      /** Parts of its cells that an example does not have. */
      notCarried: readonly string[];
    }
  | { line: number; error: string };

/** Makes an example of a row. Without a key of its own, its key is a hash of its input. */
export function exampleOf(
  line: number,
  row: Readonly<Record<string, unknown>>,
  mapping: ImportMapping,
  hasSchema: boolean,
): ImportedExample {
  const found: Partial<Record<ImportField, unknown>> = {};
  for (const [field, column] of Object.entries(mapping) as [ImportField, string][]) {
    const value = READ[field](row[column], { hasSchema, column });
    // An empty cell is nothing; an empty text is written as JSON.
    const isEmpty = field === 'expectedJson' ? row[column] === '' : value === '';
    if (value !== undefined && value !== null && !isEmpty) found[field] = value;
  }
  const asserted = assertionsOf(row, mapping);
  if (asserted !== null) {
    if (asserted.expected !== undefined) found.expected = asserted.expected;
    if (asserted.rubric !== undefined) found.rubric ??= asserted.rubric;
    if (asserted.expected === undefined && asserted.rubric === undefined && asserted.lost.length > 0)
      return { line, error: `${mapping.expected}: an example cannot have ${asserted.lost.join(', ')}` };
  }
  const { expectedJson, ...fields } = found;
  if (expectedJson === NOT_JSON) return { line, error: 'expectedJson: is not valid JSON' };
  if (expectedJson !== undefined) fields.expected ??= expectedJson;
  const input = JSON.stringify(fields.input ?? '');
  const key = typeof fields.key === 'string' ? fields.key : `input:${sha256Hex(input).slice(0, 32)}`;
  const parsed = createExampleBody.safeParse({ ...fields, key });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      line,
      error: `${issue?.path.join('.')}: ${fields.input === undefined ? 'is missing' : issue?.message}`,
    };
  }
  const given = Object.keys(fields) as ExampleField[];
  const notCarried = (asserted?.lost ?? []).map((lost) => `line ${line}: ${lost}`);
  return { line, given, fields: { ...parsed.data, key: parsed.data.key ?? key }, notCarried };
}

/** Returns what assertions of promptfoo become; null if the row has none. */
function assertionsOf(row: Readonly<Record<string, unknown>>, { expected: column }: ImportMapping) {
  const sent = column !== undefined && hasAssertions(column) ? row[column] : undefined;
  return sent === undefined || sent === null || sent === '' ? null : keptAssertions(sent);
}

type Read = (value: unknown, from: { hasSchema: boolean; column: string }) => unknown;

const NOT_JSON = Symbol('not JSON');
const text: Read = (value) =>
  value === undefined || value === null ? value : typeof value === 'string' ? value : JSON.stringify(value);

/** Reads how each field is written in files: cells of CSV are texts; other tools nest what they have. */
const READ: Readonly<Record<ImportField, Read>> = {
  input: (value, from) => {
    if (from.hasSchema) return typeof value === 'string' ? objectIn(value) : value;
    if (!isObject(value)) return text(value, from);
    const [only, ...others] = Object.values(value);
    return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(value);
  },
  expected: (value, { column }) => (hasAssertions(column) ? undefined : value),
  expectedJson: (value) => (typeof value === 'string' && value !== '' ? jsonOrFault(value) : value),
  key: text,
  rubric: text,
  metadata: (value) => (typeof value === 'string' ? objectIn(value) : value),
  tags: (value) => (typeof value === 'string' ? tagsIn(value) : value),
  split: text,
  weight: (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
};

function jsonOrFault(cell: string): unknown {
  const value = jsonIn(cell);
  return value === undefined ? NOT_JSON : value;
}

/** Returns the object that a text encodes as JSON, else the text. */
const objectIn = (value: string): unknown =>
  value.trimStart().startsWith('{') ? (jsonIn(value) ?? value) : value;

/** Returns the tags in a text: a JSON array, or tags between commas, semicolons or bars. */
function tagsIn(value: string): unknown {
  const list = value.startsWith('[') ? jsonIn(value) : undefined;
  if (list !== undefined) return list;
  const tags = value.split(/[,;|]/).map((tag) => tag.trim());
  return tags.filter(Boolean);
}
