import { z } from 'zod';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
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

/** What a schema describes: parameters are shown as what they mean, bodies as they are sent, answers as they are given. */
export type Use = 'parameter' | 'body' | 'answer';

export interface SchemaNames {
  /** Schemas that stand under a name of their own wherever they are used. */
  named: ReadonlyMap<z.ZodType, string>;
  /** Named ones of which it is promised that no field will be added. */
  closed: ReadonlySet<string>;
  /** What zod cannot tell by itself. */
  known: ReadonlyMap<z.ZodType, JsonSchema>;
}

/** Turns zod schemas into JSON Schema, and collects those with a name. */
export class Schemas {
  private readonly components = new Map<string, JsonSchema>();
  private readonly names: SchemaNames;

  constructor(names: SchemaNames) {
    this.names = names;
  }

  /** A reference where the schema has a name, else the schema itself. Throws when two differ under one name. */
  of(schema: z.ZodType, use: Use, name = this.names.named.get(schema)): JsonSchema {
    if (name === undefined) return this.convert(schema, use, false);
    const component = this.convert(schema, use, this.names.closed.has(name));
    const before = this.components.get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(component))
      throw new Error(`The schema ${name} is one thing in requests and another in answers`);
    this.components.set(name, component);
    return refTo(name);
  }

  get byName(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private convert(root: z.ZodType, use: Use, isClosed: boolean): JsonSchema {
    const { named, known } = this.names;
    const { $schema: _dialect, ...schema } = z.toJSONSchema(root, {
      io: use === 'body' ? 'input' : 'output',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const zod = zodSchema as unknown as z.ZodType;
        // What `.describe()` makes is another schema; this is the only way back to the first.
        // eslint-disable-next-line no-underscore-dangle
        const original = named.has(zod) ? zod : (zod._zod.parent as z.ZodType | undefined);
        const name = original && named.get(original);
        if (original && name !== undefined && original !== root) {
          const { description } = jsonSchema;
          for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
          Object.assign(jsonSchema, this.of(original, use), original !== zod && { description });
          return;
        }
        Object.assign(jsonSchema, known.get(zod) ?? (original && known.get(original)));
        tidy(jsonSchema as JsonSchema, use, isClosed && zod === root);
      },
    });
    return schema as JsonSchema;
  }
}

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Takes away what is true and helps nobody. */
function tidy(schema: JsonSchema, use: Use, isClosed: boolean): void {
  // The format says it, in fewer characters.
  if (schema.format === 'uuid') delete schema.pattern;
  // The format alone allows other offsets too.
  if (schema.format === 'date-time') schema.pattern = 'Z$';
  if (schema.propertyNames?.type === 'string' && Object.keys(schema.propertyNames).length === 1)
    delete schema.propertyNames;
  if (use !== 'answer') return;
  // Clients that read answers must put up with fields of later versions.
  if (schema.additionalProperties === false && !isClosed) delete schema.additionalProperties;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.default;
}
