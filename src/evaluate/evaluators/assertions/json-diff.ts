import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { nfc } from '../../../contract/text-forms.ts';
import type { JsonValue } from '../../../traces/span-wire.ts';
import { settled } from '../../statistics/settled.ts';
import { textOf } from '../../subject.ts';
import { assertion, NO_OUTPUT, quoteAll, yesOrNo } from './assertion.ts';
import { findJson, jsonIn } from './find-json.ts';
import { jsonValue } from './values.ts';

/** Number of fields from which on JSON is not compared. */
const MAX_FIELDS = 10_000;

/** Comparison of two values, field by field. */
interface Difference {
  /** Number of fields: values that are no object or list, and those with nothing in them. */
  fields: number;
  /** Paths of fields that differ, as JSON pointers. */
  differing: string[];
}

export const jsonDiff = assertion({
  passes:
    'the JSON of the output has at least the share `threshold` of its fields equal to those of the value; a field is missing, further or different',
  score: 'share of equal fields, among those of both',
  example: { value: { city: 'Paris', nights: 2 }, threshold: 1 },
  fields: {
    value: jsonValue.describe('JSON'),
    threshold: z.number().min(0).max(1).default(1).describe('lowest share of equal fields; default 1'),
  },
  reads: ['output'],
  check: ({ output }, { value, threshold }) => {
    const text = textOf(output);
    if (text === null) return NO_OUTPUT;
    const json = typeof output === 'string' ? (jsonIn(output) ?? firstJson(output)) : output;
    if (json === undefined) return yesOrNo(false, 'the output contains no JSON');
    const found: Difference = { fields: 0, differing: [] };
    compare(json, value, '', found);
    if (found.fields >= MAX_FIELDS) return yesOrNo(false, `the JSON has ${MAX_FIELDS} fields or more`);
    const score = settled(1 - found.differing.length / found.fields);
    const differing = found.differing.map((path) => path || '/');
    return {
      passed: score >= threshold,
      score,
      reason:
        differing.length === 0
          ? `all ${found.fields} fields are equal`
          : `${differing.length} of ${found.fields} fields differ: ${quoteAll(differing)}`,
    };
  },
});

/** Returns the first object or list in a text; undefined when there is none. */
function firstJson(text: string): JsonValue | undefined {
  const [first] = findJson(text).take(1);
  return first;
}

function compare(
  actual: JsonValue | undefined,
  wanted: JsonValue | undefined,
  path: string,
  found: Difference,
): void {
  if (found.fields >= MAX_FIELDS) return;
  const [left, right] = [membersOf(actual), membersOf(wanted)];
  const isOneKind = left === null || right === null || Array.isArray(actual) === Array.isArray(wanted);
  const keys = isOneKind ? new Set([...(right?.keys() ?? []), ...(left?.keys() ?? [])]) : new Set<string>();
  if ((left === null && right === null) || keys.size === 0) {
    found.fields += 1;
    if (!isDeepStrictEqual(formOf(actual), formOf(wanted))) found.differing.push(path);
    return;
  }
  for (const key of keys) {
    const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    compare(left?.get(key), right?.get(key), pointer, found);
  }
}

/** Returns the members of an object or a list by name; null for other values. */
const membersOf = (value: JsonValue | undefined): Map<string, JsonValue> | null =>
  typeof value === 'object' && value !== null
    ? new Map(Object.entries(value).map(([name, member]) => [nfc(name), member]))
    : null;

const formOf = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? nfc(value) : value;
