import type { z } from 'zod';
import type { Issue } from '../errors.ts';

type Aliases = Readonly<Record<string, string>>;

const aliasesOf = new WeakMap<z.core.$ZodType, Aliases>();

/**
 * Lets requests use other names for fields of a body or query: clients generated for the hosted form of the interface
 * send them. Responses and the API document use only the names of the schema.
 */
export function withAliases<S extends z.ZodObject>(
  schema: S,
  aliases: Readonly<Record<string, keyof S['shape'] & string>>,
): S {
  aliasesOf.set(schema, aliases);
  return schema;
}

/** Replaces aliases by the names of the schema. A field that is given under both names is an issue. */
export function renameAliases(schema: z.core.$ZodType, value: unknown): { value: unknown; issues: Issue[] } {
  const aliases = aliasesOf.get(schema);
  if (!aliases || typeof value !== 'object' || value === null || Array.isArray(value))
    return { value, issues: [] };
  const fields = value as Readonly<Record<string, unknown>>;
  const used = Object.entries(aliases).filter(([alias]) => Object.hasOwn(fields, alias));
  if (used.length === 0) return { value, issues: [] };
  const issues = used
    .filter(([, name]) => Object.hasOwn(fields, name))
    .map(([alias, name]) => ({
      code: 'custom',
      message: `is another name of \`${name}\`; send only one of them`,
      path: [alias],
    }));
  const names = new Map(used);
  return {
    value: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [names.get(name) ?? name, field]),
    ),
    issues,
  };
}
