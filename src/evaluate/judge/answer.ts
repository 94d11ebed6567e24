import type { z } from 'zod';
import { findJson, parseJson } from '../evaluators/assertions/find-json.ts';

const MAX_ISSUES = 5;
/** Most JSON objects that are parsed in one response. */
const MAX_OBJECTS = 100;

/**
 * Reads the answer in a judge's response: the complete text, else the single JSON object in it that fits the schema,
 * such as one after a reasoning text or in a code fence. Rejects several different objects, because one may be quoted
 * from the judged texts.
 */
export function readAnswer<T>(raw: string, schema: z.ZodType<T>): { value: T } | { problem: string } {
  const whole = parseJson(raw);
  const found = whole === undefined ? [...findJson(raw).take(MAX_OBJECTS)] : [whole];
  const results = found.map((value) => schema.safeParse(value));
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

const issuesText = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message))
    .join('; ');
