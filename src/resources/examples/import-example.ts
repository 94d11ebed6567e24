import { createHash } from 'node:crypto';
import { createExampleBody, type NewExampleFields } from './contract.ts';
import type { ImportField, ImportMapping } from './import-contract.ts';
import { isObject } from './import-rows.ts';

/** A row as an example, or its fault. `given`: fields that the file has. */
export type ImportedExample =
  | { line: number; fields: NewExampleFields & { key: string }; given: readonly ImportField[] }
  | { line: number; error: string };

/** Makes an example of a row. Without a key of its own, its key is a hash of its input. */
export function exampleOf(
  line: number,
  row: Readonly<Record<string, unknown>>,
  mapping: ImportMapping,
  hasSchema: boolean,
): ImportedExample {
  const fields: Partial<Record<ImportField, unknown>> = {};
  for (const [field, column] of Object.entries(mapping) as [ImportField, string][]) {
    const value = READ[field](row[column], hasSchema);
    if (value !== undefined && value !== null && value !== '') fields[field] = value;
  }
  const input = JSON.stringify(fields.input ?? '');
  const key =
    typeof fields.key === 'string'
      ? fields.key
      : `input:${createHash('sha256').update(input).digest('hex').slice(0, 32)}`;
  const parsed = createExampleBody.safeParse({ ...fields, key });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      line,
      error: `${issue?.path.join('.')}: ${fields.input === undefined ? 'is missing' : issue?.message}`,
    };
  }
  const given = Object.keys(fields) as ImportField[];
  return { line, given, fields: { ...parsed.data, key } };
}

type Read = (value: unknown, hasSchema: boolean) => unknown;

const text: Read = (value) =>
  value === undefined || value === null ? value : typeof value === 'string' ? value : JSON.stringify(value);

/** Reads how each field is written in files: cells of CSV are texts; other tools nest what they have. */
const READ: Readonly<Record<ImportField, Read>> = {
  input: (value, hasSchema) => {
    if (hasSchema) return typeof value === 'string' ? objectIn(value) : value;
    if (!isObject(value)) return text(value, hasSchema);
    const [only, ...others] = Object.values(value);
    return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(value);
  },
  expected: (value) =>
    Array.isArray(value) && value.every(isAssertion) ? assertedValue(value) : plain(value),
  key: text,
  rubric: text,
  metadata: (value) => (typeof value === 'string' ? objectIn(value) : value),
  tags: (value) =>
    typeof value === 'string'
      ? value
          .split(/[,;|]/)
          .map((tag) => tag.trim())
          .filter(Boolean)
      : value,
  split: text,
  weight: (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
};

/** Returns the object that a text encodes as JSON, else the text. */
function objectIn(value: string): unknown {
  if (!value.trimStart().startsWith('{')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
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
