import { createExampleBody, type NewExampleFields } from './contract.ts';
import type { ExampleField, ImportField, ImportMapping } from './import-contract.ts';
import { isObject } from '../../contract/is-object.ts';
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
    if (value !== undefined && value !== null && value !== '') found[field] = value;
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
  const notCarried = mapping.expected === undefined ? [] : lostOf(row[mapping.expected], mapping.expected);
  return { line, given, fields: { ...parsed.data, key: parsed.data.key ?? key }, notCarried };
}

type Read = (value: unknown, from: { hasSchema: boolean; column: string }) => unknown;

const NOT_JSON = Symbol('not JSON');
/** Columns of promptfoo: a list of assertions, and an assertion as a text. */
const ASSERTIONS: ReadonlySet<string> = new Set(['assert', '__expected']);

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
  expected: (value, { column }) => {
    if (!ASSERTIONS.has(column)) return value;
    return Array.isArray(value) && value.every(isAssertion) ? assertedValue(value) : plain(value);
  },
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

interface Assertion {
  type: string;
  value?: unknown;
}
const isAssertion = (value: unknown): value is Assertion =>
  isObject(value) && typeof value['type'] === 'string';

/** Returns the value of the first assertion of promptfoo that has one. */
const assertedValue = (assertions: readonly Assertion[]): unknown =>
  assertions.find(({ value }) => value !== undefined)?.value;

/** Removes the type from promptfoo's `equals: value`. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(?:equals|contains|icontains):\s*/, '') : value;

/** Returns what assertions of promptfoo say beside the value that is expected. */
function lostOf(value: unknown, column: string): string[] {
  if (!ASSERTIONS.has(column)) return [];
  if (!Array.isArray(value) || !value.every(isAssertion)) {
    const [prefix] = typeof value === 'string' ? (/^(?:contains|icontains):/.exec(value) ?? []) : [];
    return prefix === undefined ? [] : [TYPES];
  }
  const used = value.find((one) => one.value !== undefined);
  return [
    ...(value.length > 1 ? ['further assertions of a row'] : []),
    ...(used && used.type !== 'equals' ? [TYPES] : []),
    ...(value.some((one) => Object.keys(one).some((name) => !['type', 'value'].includes(name)))
      ? ['thresholds, weights and other settings of assertions']
      : []),
  ];
}
const TYPES = 'types of assertions: the value is the expected output';
