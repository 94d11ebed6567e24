import type { JsonSchema } from '../json-schema.ts';
import { code, fieldTable, inline, type FieldRow } from './html.ts';

/** Levels of unnamed objects whose fields stand in the table of the outer one. */
const MAX_DEPTH = 4;

const nameOf = ({ $ref }: JsonSchema): string | undefined => $ref?.split('/').at(-1);
export const schemaAnchor = (name: string): string => `schema-${name}`;

/** Returns the HTML of a type: a link to a named schema, or the words for it. */
export function typeOf(schema: JsonSchema): string {
  const name = nameOf(schema);
  if (name !== undefined) return `<a href="#${schemaAnchor(name)}">${name}</a>`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(' ');
  if (schema.type === 'array') return schema.items ? `array of ${typeOf(schema.items)}` : 'array';
  if (schema.type === 'object' && isMap(schema)) return `object of ${typeOf(schema.additionalProperties)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

const isMap = (schema: JsonSchema): schema is JsonSchema & { additionalProperties: JsonSchema } =>
  typeof schema.additionalProperties === 'object' && schema.properties === undefined;

const LIMITS: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'entries, at least'],
  ['maxItems', 'entries, at most'],
];

/** Returns the HTML of a description with the limits and the default of a value. */
export function meaningOf(schema: JsonSchema, description = schema.description): string {
  const limits = LIMITS.flatMap(([keyword, words]) => {
    const limit = schema[keyword];
    return typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? `${words} ${limit}` : [];
  });
  const parts = [
    description === undefined ? '' : inline(description),
    limits.length === 0 ? '' : `<span class="limit">${capital(limits.join('; '))}.</span>`,
    schema.default === undefined
      ? ''
      : `<span class="limit">Default: ${code(JSON.stringify(schema.default))}.</span>`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Lists the fields of an object, and below them those of unnamed objects within it. */
function rowsOf(schema: JsonSchema, prefix: string, depth: number): FieldRow[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const row = {
      name: path,
      type: typeOf(field),
      isRequired: required.has(name),
      meaning: meaningOf(field),
    };
    return [row, ...(depth < MAX_DEPTH ? innerRows(field, path, depth) : [])];
  });
}

function innerRows(field: JsonSchema, path: string, depth: number): FieldRow[] {
  if (field.$ref !== undefined) return [];
  if (field.type === 'array') return field.items ? innerRows(field.items, `${path}[]`, depth) : [];
  const unnamed = field.anyOf?.find(({ properties }) => properties !== undefined) ?? field;
  return rowsOf(unnamed, `${path}.`, depth + 1);
}

/** Shows a schema: its fields if it is an object, otherwise its type. */
export function schemaHtml(label: string, schema: JsonSchema): string {
  const rows = schema.$ref === undefined ? rowsOf(schema, '', 0) : [];
  if (rows.length > 0) return fieldTable(label, rows);
  return `<p>${typeOf(schema)}${schema.description === undefined ? '' : `: ${inline(schema.description)}`}</p>`;
}
