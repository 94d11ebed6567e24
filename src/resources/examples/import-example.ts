import { createExampleBody, type NewExampleFields } from './contract.ts';
import type { ExampleField, ImportField, ImportMapping, ImportSource } from './import-contract.ts';
import { ASSERTION_COLUMN, THRESHOLD_OF_CELL } from './import-formats.ts';
import {
  chatAnswer,
  chatInput,
  hasToolCalls,
  importedValue,
  messageText,
  onlyMember,
  onlyText,
} from './import-value.ts';
import { isObject } from '../../contract/is-object.ts';
import { type CellSettings, keptAssertions } from './promptfoo-assertions.ts';
import { variableInFile } from './promptfoo-values.ts';
import { sha256Hex } from '../../runtime/sha256.ts';
import { exactJson } from './exact-numbers.ts';

/** Fields of an imported example; its status if the file has it. */
export type ImportedFields = NewExampleFields & { key: string; status?: 'ACTIVE' | 'ARCHIVED' };

/** A row as an example, or its fault. `given`: fields that the file has. */
export type ImportedExample =
  | {
      line: number;
      fields: ImportedFields;
      given: readonly ExampleField[];
      /** Parts of its cells that an example does not have. */
      notCarried: readonly string[];
      /** Thresholds of the rubrics that are texts to be similar to, by their name. */
      similar: Readonly<Record<string, number>>;
    }
  | { line: number; error: string };

/** A row that is an example. */
export type UsableRow = Exclude<ImportedExample, { error: string }>;

/** Makes an example of a row. Without a key of its own, its key is a hash of its input. */
export function exampleOf(
  line: number,
  row: Readonly<Record<string, unknown>>,
  mapping: ImportMapping,
  hasSchema: boolean,
): ImportedExample {
  const found: Partial<Record<ImportField, unknown>> = {};
  for (const [field, source] of Object.entries(mapping) as [ImportField, ImportSource][]) {
    const cell = importedValue(row, source);
    const value = READ[field](cell, { hasSchema, source });
    // An empty cell is nothing; an empty text is written as JSON.
    const isEmpty = field === 'expectedJson' ? cell === '' : value === '';
    if (value !== undefined && value !== null && !isEmpty) found[field] = value;
  }
  const inFile = isPromptfoo(row, mapping)
    ? variableInFile(isObject(row['vars']) ? row['vars'] : row)
    : undefined;
  if (inFile !== undefined)
    return {
      line,
      error: `input: the variable ${inFile.slice(0, 100)} is in a file, which the import does not have`,
    };
  const asserted = assertionsOf(row, mapping);
  if (asserted !== null) {
    if (asserted.expected !== undefined) found.expected = asserted.expected;
    if (asserted.rubric !== undefined) found.rubric ??= asserted.rubric;
    if (asserted.rubrics !== undefined) found.rubrics ??= asserted.rubrics;
    if (asserted.assertions.length > 0) found.assertions ??= asserted.assertions;
    const isKept =
      asserted.expected !== undefined ||
      asserted.rubric !== undefined ||
      asserted.rubrics !== undefined ||
      asserted.assertions.length > 0;
    if (!isKept && asserted.lost.length > 0)
      return { line, error: `${asserted.column}: an example cannot have ${asserted.lost.join(', ')}` };
  }
  const { expectedJson, status, ...fields } = found;
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
  const isArchived = status === 'ARCHIVED';
  const answer = typeof mapping.expected === 'string' ? row[mapping.expected] : undefined;
  const lost = [...(asserted?.lost ?? []), ...(hasToolCalls(answer) ? ['the tool calls of the answer'] : [])];
  const notCarried = lost.map((part) => `line ${line}: ${part}`);
  return {
    line,
    given,
    fields: { ...parsed.data, key: parsed.data.key ?? key, ...(isArchived && { status }) },
    notCarried,
    similar: asserted?.similar ?? {},
  };
}

/** Reports whether a row is a test of promptfoo, whose variables may be in files. */
const isPromptfoo = (row: Readonly<Record<string, unknown>>, { input, expected }: ImportMapping): boolean =>
  (typeof expected === 'string' && ASSERTION_COLUMN.test(expected)) ||
  (input === 'vars' && isObject(row['vars']));

/** Returns what assertions of promptfoo become; null if the row has none. */
function assertionsOf(row: Readonly<Record<string, unknown>>, { expected }: ImportMapping) {
  if (typeof expected !== 'string' || !ASSERTION_COLUMN.test(expected)) return null;
  const columns = Object.keys(row).filter((name) => ASSERTION_COLUMN.test(name));
  const sent = columns.flatMap((name) => (isNothing(row[name]) ? [] : [row[name]]));
  const variables = isObject(row['vars']) ? row['vars'] : row;
  const given = row['threshold'] ?? row['__threshold'];
  const threshold = isNothing(given) ? undefined : Number(given);
  const cells = expected.startsWith('__') ? cellSettings(row) : {};
  return sent.length === 0
    ? null
    : { column: expected, ...keptAssertions(sent, { variables, threshold, cells }) };
}

/** Returns the settings of promptfoo's assertions in the cells of a row. */
function cellSettings(row: Readonly<Record<string, unknown>>): CellSettings {
  const thresholds = Object.entries(row).flatMap(([column, cell]): [number, number][] => {
    const place = THRESHOLD_OF_CELL.exec(column);
    const isNumber = typeof cell === 'string' && cell.trim() !== '' && Number.isFinite(Number(cell));
    return place && isNumber ? [[Math.max(0, Number(place[1]) - 1), Number(cell)]] : [];
  });
  const metric = row['__metric'];
  return {
    isEquality: true,
    thresholds: new Map(thresholds),
    ...(typeof metric === 'string' && metric !== '' && { metric }),
  };
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

type Read = (value: unknown, from: { hasSchema: boolean; source: ImportSource }) => unknown;

const NOT_JSON = Symbol('not JSON');
const text: Read = (value) =>
  value === undefined || value === null ? value : typeof value === 'string' ? value : JSON.stringify(value);

/** Reads how each field is written in files: cells of CSV are texts; other tools nest what they have. */
const READ: Readonly<Record<ImportField, Read>> = {
  input: (value, from) => {
    if (from.hasSchema) return typeof value === 'string' ? objectIn(value) : value;
    const given = chatInput(onlyMember(value) ?? value) ?? value;
    return onlyText(given) ?? text(given, from);
  },
  expected: (value, { source }) => {
    if (typeof source === 'string' && ASSERTION_COLUMN.test(source)) return undefined;
    if (source === 'messages' || source === 'preferred_output') return chatAnswer(value) ?? undefined;
    return onlyText(value) ?? messageText(onlyMember(value) ?? value) ?? value;
  },
  expectedJson: (value) => (typeof value === 'string' && value !== '' ? jsonOrFault(value) : value),
  key: text,
  rubric: rubricIn,
  rubrics: (value) => (typeof value === 'string' && value !== '' ? (jsonInCell(value) ?? value) : value),
  assertions: (value) => (typeof value === 'string' && value !== '' ? (jsonInCell(value) ?? value) : value),
  metadata: (value, { source }) => metadataIn(value, source),
  tags: (value) => (typeof value === 'string' ? tagsIn(value) : value),
  split: (value, from) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string')
      ? splitOf(value)
      : text(value, from),
  weight: (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  status: (value) => (String(value).toUpperCase() === 'ARCHIVED' ? 'ARCHIVED' : undefined),
};

/** Returns the splits of a list as one; LangSmith has all examples in `base`, and some in others too. */
const splitOf = (splits: readonly string[]): string =>
  splits.filter((one) => one !== 'base' || splits.length === 1).join(',');

/** Members of metadata that are objects of members themselves. */
const NESTED: ReadonlySet<string> = new Set([
  'metadata',
  'additional_metadata',
  'additionalMetadata',
  'custom_column_key_values',
  'customColumnKeyValues',
]);

/** Returns metadata as an object; a text is the member that has the name of its column. */
function metadataIn(value: unknown, source: ImportSource): unknown {
  const given = typeof value === 'string' ? objectIn(value) : value;
  if (isNothing(given)) return undefined;
  if (!isObject(given)) return { [[source].flat().join(' ')]: given };
  // What several columns have is one object, without the names of those that are objects themselves.
  if (typeof source === 'string') return given;
  const members = Object.entries(given).map(([name, member]): Record<string, unknown> => {
    const nested = typeof member === 'string' ? objectIn(member) : member;
    if (NESTED.has(name)) return isObject(nested) ? nested : { [name]: nested };
    const isTools = /^expected_?tools$/i.test(name) && typeof member === 'string';
    return { [name]: isTools ? (jsonInCell(member) ?? member) : member };
  });
  return Object.assign({}, ...members) as Record<string, unknown>;
}

/** Returns a rubric as a text; lists become lines. */
function rubricIn(value: unknown): unknown {
  if (isNothing(value)) return undefined;
  if (typeof value === 'string') return value;
  const parts = isObject(value) ? Object.values(value) : [value].flat();
  return parts
    .flatMap((part): unknown[] => (Array.isArray(part) ? (part as unknown[]) : [part]))
    .flatMap((part) => (isObject(part) ? Object.entries(part).map(namedRule) : [ruleText(part)]))
    .map((part) => `- ${part}`)
    .join('\n');
}

const ruleText = (rule: unknown): string => (typeof rule === 'string' ? rule : JSON.stringify(rule));

/** Returns guidelines with a name, such as those of MLflow, as one line. */
const namedRule = ([name, rules]: [string, unknown]): string =>
  `${name}: ${[rules].flat().map(ruleText).join('; ')}`;

function jsonOrFault(cell: string): unknown {
  const value = jsonInCell(cell);
  return value === undefined ? NOT_JSON : value;
}

/** Returns the object that a text encodes as JSON, else the text. */
const objectIn = (value: string): unknown =>
  value.trimStart().startsWith('{') ? (jsonInCell(value) ?? value) : value;

/** Returns the tags in a text: a JSON array, or tags between commas, semicolons or bars. */
function tagsIn(value: string): unknown {
  const list = value.startsWith('[') ? jsonInCell(value) : undefined;
  if (list !== undefined) return list;
  const tags = value.split(/[,;|]/).map((tag) => tag.trim());
  return tags.filter(Boolean);
}

/** Parses JSON in a cell; undefined if it is none. Numbers beyond 2^53 become texts. */
function jsonInCell(cell: string): unknown {
  try {
    return exactJson(cell);
  } catch {
    return undefined;
  }
}
