import type { z } from 'zod';
import { findJson, parseJson } from '../evaluators/assertions/find-json.ts';

const MAX_ISSUES = 5;
/** Most JSON objects that are tried in one response. */
const MAX_OBJECTS = 100;

/**
 * The answer in what a judge wrote: the whole of it, else the one fitting object that stands in it, as behind a thought or
 * in a code fence. Of several that differ none is taken: one may be quoted from what was to be judged.
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
  if (fitting.size > 1) return { problem: 'it holds several JSON objects that fit' };
  for (const value of fitting.values()) return { value };
  const error = results.find((result) => !result.success)?.error;
  return { problem: error ? issuesText(error) : 'it holds no JSON object' };
}

const issuesText = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message))
    .join('; ');
