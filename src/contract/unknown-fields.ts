import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { mostSimilar } from '../most-similar.ts';

/** Most unknown fields that one response names. */
const MAX_REPORTED = 10;
/** Most unknown fields that are looked for, which is more than a record has. */
const MAX_FOUND = 100;
/** Most known fields that an issue lists when none is similar. */
const MAX_LISTED = 12;

/**
 * Lists the fields of a request that its schema lacks, at every level: a misspelt field that is ignored looks like
 * success. Objects that accept any field (`z.record`, `z.looseObject`) are not searched, and `z.strictObject` checks itself.
 * Fields in `ignored` may be present at the highest level.
 */
export function unknownFields(
  schema: z.core.$ZodType,
  value: unknown,
  ignored: readonly string[] = [],
): Issue[] {
  const issues: Issue[] = [];
  search(schema, value, [], issues);
  return issues
    .filter(({ path: [name = ''], path }) => path.length > 1 || !ignored.includes(name))
    .slice(0, MAX_REPORTED);
}

function search(schema: z.core.$ZodType, value: unknown, path: readonly string[], issues: Issue[]): void {
  if (typeof value !== 'object' || value === null || issues.length >= MAX_FOUND) return;
  if (schema instanceof z.ZodObject) searchObject(schema, value as Record<string, unknown>, path, issues);
  else if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries())
      search(schema.element, item, [...path, String(index)], issues);
  } else if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((one) => z.safeParse(one, value).success);
    if (option) search(option, value, path, issues);
  } else if (schema instanceof z.ZodPipe) {
    search(schema.in instanceof z.ZodTransform ? schema.out : schema.in, value, path, issues);
  } else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    search(schema.unwrap(), value, path, issues);
  }
}

function searchObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
  issues: Issue[],
): void {
  if (schema.def.catchall || Array.isArray(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(schema.shape, name)
      ? (schema.shape as Record<string, z.ZodType>)[name]
      : undefined;
    if (known) search(known, field, [...path, name], issues);
    else if (issues.length < MAX_FOUND) {
      issues.push({
        code: 'custom',
        message: messageFor(name, Object.keys(schema.shape)),
        path: [...path, name],
      });
    }
  }
}

function messageFor(name: string, known: readonly string[]): string {
  const similar = mostSimilar(name, known);
  if (similar) return `is unknown; did you mean \`${similar}\`?`;
  return known.length > 0 && known.length <= MAX_LISTED
    ? `is unknown; known fields: ${known.join(', ')}`
    : 'is unknown';
}
