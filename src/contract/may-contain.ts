import type { z } from 'zod';

/** Parts of the definition of a schema, as zod declares them, by kind. */
interface Definition {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  items?: readonly z.core.$ZodType[];
  innerType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  getter?: () => z.core.$ZodType;
}

/** Kinds of schemas that say nothing about their fields. */
const OPEN: ReadonlySet<string> = new Set(['unknown', 'any', 'custom']);

/** Reports whether values of a schema may have one of the fields, at any depth. */
export function mayContain(
  schema: z.core.$ZodType,
  fields: ReadonlySet<string>,
  seen = new Set<z.core.$ZodType>(),
): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const definition = schema._zod.def as Definition;
  if (OPEN.has(definition.type)) return true;
  if (Object.keys(definition.shape ?? {}).some((name) => fields.has(name))) return true;
  const { element, innerType, valueType, in: from, out, left, right, getter } = definition;
  const parts = [
    ...Object.values(definition.shape ?? {}),
    ...(definition.options ?? []),
    ...(definition.items ?? []),
    element,
    innerType,
    valueType,
    from,
    out,
    left,
    right,
    getter?.(),
  ];
  return parts.some((part) => part !== undefined && part !== null && mayContain(part, fields, seen));
}
