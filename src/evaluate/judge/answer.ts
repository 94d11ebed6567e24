import type { z } from 'zod';
import type { JsonValue } from '../../traces/span-wire.ts';
import { findJson, jsonIn } from '../evaluators/assertions/find-json.ts';
import { repaired } from './repair.ts';

const MAX_ISSUES = 5;
/** Most JSON objects that are parsed in one response. */
const MAX_OBJECTS = 100;
/**
 * Reasoning that some models write before their answer. Without its opening tag, the text is not left out: the end of a
 * reasoning may be quoted from the judged texts, with an answer after it.
 */
const REASONING = /^\s*<(think|thinking|reasoning)>[^]*?<\/\1>/i;

/**
 * Reads the answer in a judge's response: the complete text, else the single JSON object in it that fits the schema,
 * such as one in a code fence, a list of one, or behind a reasoning text that opens the response, which is ignored. Repairs slips of format,
 * such as `"Yes"` for `"yes"`, a line break in a string, or JSON in a JSON string. Rejects several different objects, because one may be quoted from the judged texts.
 */
export function readAnswer<T>(raw: string, schema: z.ZodType<T>): { value: T } | { problem: string } {
  const whole = decoded(jsonIn(raw) ?? jsonIn(withEscapes(raw)));
  const found = whole === undefined ? objectsIn(raw.replace(REASONING, '')) : [whole];
  const results = found.map((value) => parseLeniently(onlyItem(value), schema));
  const fitting = new Map(
    results.flatMap((result) =>
      result.success ? [[JSON.stringify(result.data), result.data] as const] : [],
    ),
  );
  if (fitting.size > 1) return { problem: 'it contains several JSON objects that fit the schema' };
  for (const value of fitting.values()) return { value };
  const error = results.find((result) => !result.success)?.error;
  return { problem: error ? issuesText(error) : 'it contains no JSON object' };
}

/** Parses JSON that was written as a text into JSON once more. */
const decoded = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'string' ? (jsonIn(value) ?? jsonIn(withEscapes(value)) ?? value) : value;

function objectsIn(text: string): JsonValue[] {
  const found = [...findJson(text).take(MAX_OBJECTS)];
  return found.length > 0 ? found : [...findJson(withEscapes(text)).take(MAX_OBJECTS)];
}

/** A string. One without an end reaches to the end of the text, so that no other one is looked for in it. */
const STRING = /"(?:\\[^]|[^"\\])*(?:"|\\?$)/g;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes line breaks and tabs in strings, which JSON does not allow there. */
const withEscapes = (text: string): string =>
  text.replace(STRING, (string) => string.replace(/[\n\r\t]/g, (char) => ESCAPES[char] ?? char));

const onlyItem = (value: JsonValue): JsonValue =>
  Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value;

function parseLeniently<T>(value: JsonValue, schema: z.ZodType<T>): z.ZodSafeParseResult<T> {
  const first = schema.safeParse(value);
  if (first.success) return first;
  const second = schema.safeParse(repaired(value, first.error.issues));
  return second.success ? second : first;
}

const issuesText = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message))
    .join('; ');
