import { z } from 'zod';
import { apiSchemas } from '../contract/api-schema.ts';

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  [keyword: string]: unknown;
}

/** Place where a schema is used. Parameters and responses describe parsed values, bodies describe what to send. */
export type Use = 'parameter' | 'body' | 'response';

/** Converts zod schemas to JSON Schema, and collects those with a name. */
export class Schemas {
  private readonly components = new Map<string, JsonSchema>();

  /** Returns a reference if the schema has a name, otherwise the schema itself. Throws if two schemas share a name. */
  of(schema: z.ZodType, use: Use, name = nameOf(schema)): JsonSchema {
    if (name === undefined) return this.convert(schema, use);
    const component = this.convert(schema, use);
    const before = this.components.get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(component))
      throw new Error(`The schema name ${name} stands for different schemas`);
    this.components.set(name, component);
    return refTo(name);
  }

  get byName(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private convert(root: z.ZodType, use: Use): JsonSchema {
    const isClosed = apiSchemas.get(root)?.isClosed ?? false;
    const { $schema: _dialect, ...schema } = z.toJSONSchema(root, {
      io: use === 'body' ? 'input' : 'output',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const zod = zodSchema as unknown as z.ZodType;
        // `.describe()` returns another schema; this is the only way to find the named one.
        const original = nameOf(zod) === undefined ? (zod._zod.parent as z.ZodType | undefined) : zod;
        if (original && original !== root && nameOf(original) !== undefined) {
          const { description } = jsonSchema;
          for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
          Object.assign(jsonSchema, this.of(original, use), original !== zod && { description });
          return;
        }
        tidy(jsonSchema as JsonSchema, use, isClosed && zod === root);
      },
    });
    return schema as JsonSchema;
  }
}

const nameOf = (schema: z.ZodType): string | undefined => apiSchemas.get(schema)?.id;

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Removes keywords that are redundant or of no use to readers. */
function tidy(schema: JsonSchema, use: Use, isClosed: boolean): void {
  // The format implies it.
  if (schema.format === 'uuid') delete schema.pattern;
  // The format alone would allow other offsets too.
  if (schema.format === 'date-time') schema.pattern = 'Z$';
  if (schema.propertyNames?.type === 'string' && Object.keys(schema.propertyNames).length === 1)
    delete schema.propertyNames;
  // Generators of clients reject a list whose elements have no schema.
  if (schema.type?.includes('array')) schema.items ??= {};
  if (use !== 'response') return;
  // Clients must accept fields that later versions add to responses.
  if (schema.additionalProperties === false && !isClosed) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.default;
}
