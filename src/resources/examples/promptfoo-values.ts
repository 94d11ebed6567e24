import { isObject } from '../../contract/is-object.ts';
import { exactJson } from './exact-numbers.ts';

const LISTS = /-(?:any|all)$/;
const TEXTS: ReadonlySet<string> = new Set(['equals', 'contains', 'icontains', 'starts-with', 'levenshtein']);
/** Types whose value says more than the check of `ASSERT` knows, such as the elements of XML. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['is-xml', 'is-html', 'is-refusal']);

/** Text in place of which promptfoo takes the content of a file. */
const IN_FILE = /^file:\/\//;

/** Returns the name of a variable whose value is the content of a file; undefined if there is none. */
export const variableInFile = (variables: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(variables).find((name) => {
    const value = variables[name];
    return !name.startsWith('__') && typeof value === 'string' && IN_FILE.test(value);
  });

/** Value that no check can have. */
export const NO_VALUE = Symbol('no value');

/** Returns the value of a check as promptfoo reads that of an assertion; NO_VALUE if it cannot be kept. */
export function checkValue(type: string, value: unknown): unknown {
  // promptfoo finds no arrays in texts.
  if (type === 'contains-json' && (value === undefined || value === '')) return { type: 'object' };
  if (value === undefined || value === '') return undefined;
  if (WITHOUT_VALUE.has(type)) return NO_VALUE;
  if (TEXTS.has(type)) return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (LISTS.test(type)) return listIn(value);
  if (type === 'contains-json') return objectSchema(typeof value === 'string' ? schemaIn(value) : value);
  if (type === 'is-json' && typeof value === 'string') return schemaIn(value);
  if (type === 'word-count' && typeof value === 'string') return Number(value);
  return value;
}

/** Returns the texts of a list between commas, each of which may be in quotes. */
function listIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'string') return value;
  if (!value.includes('"')) return value.split(',').map((part) => part.trim());
  const parts = value.match(/\s*(?:"(?:[^"]|"")*"|[^,]*)\s*(?:,|$)/g) ?? [];
  return parts
    .map((part) => part.replace(/,$/, '').trim())
    .filter((part, index) => part !== '' || index < parts.length - 1)
    .map((part) => (/^".*"$/s.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part));
}

/** Returns a schema that only objects match, as promptfoo finds no other JSON in a text. */
const objectSchema = (schema: unknown): unknown =>
  !isObject(schema) || schema['type'] !== undefined ? schema : { ...schema, type: 'object' };

function schemaIn(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return NO_VALUE;
  }
}

/**
 * Replaces variables such as `{{city}}` in the texts of a value, as promptfoo does. NO_VALUE if one is unknown, or if a template is
 * more than a variable.
 */
export function renderedValue(value: unknown, variables: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return renderedText(value, variables);
  if (Array.isArray(value)) {
    const parts = value.map((part) => renderedValue(part, variables));
    return parts.includes(NO_VALUE) ? NO_VALUE : parts;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, part]) => [name, renderedValue(part, variables)] as const,
  );
  return members.some(([, part]) => part === NO_VALUE) ? NO_VALUE : Object.fromEntries(members);
}

function renderedText(text: string, variables: Readonly<Record<string, unknown>>): unknown {
  // The content of a file is not in the configuration that names it.
  if (IN_FILE.test(text)) return NO_VALUE;
  if (!/\{\{|\{%|\{#/.test(text)) return text;
  let isComplete = true;
  const rendered = text.replaceAll(/\{\{-?\s*([\w.]+)\s*-?\}\}/g, (_match, path: string) => {
    let found: unknown = variables;
    for (const name of path.split('.'))
      found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean')
      return String(found);
    isComplete = false;
    return '';
  });
  return isComplete && !/\{%|\{#|\{\{/.test(text.replaceAll(/\{\{-?\s*[\w.]+\s*-?\}\}/g, ''))
    ? rendered
    : NO_VALUE;
}
