/** Values on both sides of each limit that a schema states. */
import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '../../src/api/json-schema.ts';
import { resolved } from './api-calls.ts';

/** Stands for an element of a list in the path of a field. */
export const ARRAY = '[]';

export interface Field {
  path: readonly string[];
  schema: JsonSchema;
  isNullable: boolean;
  isRequired: boolean;
}

/** A value of a field, and the code of the issue that it is rejected with; null if the limit allows it. */
export interface LimitCase {
  limit: string;
  value: unknown;
  code: string | null;
}

const MAX_DEPTH = 5;

/** Returns the fields of an object at every depth, except those of one of several alternatives. */
export function fieldsIn(given: JsonSchema, path: readonly string[] = [], isRequired = true): Field[] {
  if (path.length > MAX_DEPTH) return [];
  const all = resolved(given);
  const options = (all.anyOf ?? []).map(resolved);
  const others = options.filter(({ type }) => type !== 'null');
  if (all.oneOf || others.length > 1) return [];
  const { properties = {}, required = [], items, ...schema } = others[0] ?? all;
  const isNullable = others.length < options.length || [schema.type].flat().includes('null');
  return [
    ...(path.length > 0
      ? [{ path, schema: { ...schema, ...(items && { items }) }, isNullable, isRequired }]
      : []),
    ...Object.entries(properties).flatMap(([name, field]) =>
      fieldsIn(field, [...path, name], required.includes(name)),
    ),
    ...(items ? fieldsIn(items, [...path, ARRAY]) : []),
  ];
}

/** Returns a different value for each index that fits a schema as far as its type says. */
function valueOf(given: JsonSchema, index: number): unknown {
  const {
    type,
    format,
    enum: values,
    anyOf,
    oneOf,
    properties = {},
    required = [],
    ...rest
  } = resolved(given);
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return valueOf(first, index);
  if (values) return values[index % values.length];
  switch ([type].flat()[0]) {
    case 'string':
      return format === 'uuid' ? randomUUID() : `${index}`.padStart(Number(rest['minLength'] ?? 0), 'x');
    case 'integer':
    case 'number':
      return rest.minimum ?? 0;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {}, index)]));
    default:
      return `${index}`;
  }
}

type Make = (count: number) => unknown;
const RANGES: readonly (readonly [least: string, most: string, make: (schema: JsonSchema) => Make])[] = [
  ['minLength', 'maxLength', () => (count) => 'x'.repeat(count)],
  ['minimum', 'maximum', () => (count) => count],
  [
    'minItems',
    'maxItems',
    ({ items = {} }) =>
      (count) =>
        Array.from({ length: count }, (_, index) => valueOf(items, index)),
  ],
];

/** Returns the values at the ends of each range of a field, and those just beyond. */
export function rangeCases({ schema }: Field): LimitCase[] {
  if (schema.pattern !== undefined || schema.format !== undefined || schema.enum) return [];
  return RANGES.flatMap(([least, most, make]) => {
    const [min, max] = [schema[least], schema[most]] as [number | undefined, number | undefined];
    const value = make(schema);
    return [
      ...(min === undefined ? [] : [{ limit: `${least} ${min}`, value: value(min), code: null }]),
      ...(min === undefined || (min === 0 && least !== 'minimum')
        ? []
        : [{ limit: `below ${least} ${min}`, value: value(min - 1), code: 'too_small' }]),
      ...(max === undefined
        ? []
        : [
            { limit: `${most} ${max}`, value: value(max), code: null },
            { limit: `above ${most} ${max}`, value: value(max + 1), code: 'too_big' },
          ]),
    ];
  });
}

/** Returns the values of an enumeration, and one that is none; and a text that has not the form of the field. */
export function formCases({ schema }: Field): LimitCase[] {
  const values = schema.enum ?? [];
  const { pattern = '', format = '' } = schema;
  const wrong = ['x\n', ' ', ''].find((text) => !new RegExp(pattern, 'u').test(text));
  const isForm = ['uuid', 'date-time', 'uri'].includes(format) || wrong !== undefined;
  return [
    ...values.map((value) => ({ limit: `value ${String(value)}`, value, code: null })),
    ...(values.length > 0
      ? [{ limit: 'another value', value: 'no such value', code: 'invalid_enum_value' }]
      : []),
    ...(isForm && values.length === 0
      ? [{ limit: 'form', value: wrong ?? 'x', code: 'invalid_string' }]
      : []),
  ];
}

const OF_ANOTHER_TYPE: Readonly<Record<string, unknown>> = {
  string: 7,
  integer: 'seven',
  number: 'seven',
  boolean: 'yes',
  array: { a: 1 },
  object: 'text',
};

/** Returns a value of another type, null where it is not allowed, and nothing where something is required. */
export function typeCases({ schema, isNullable, isRequired, path }: Field): LimitCase[] {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  const [type] = types;
  if (type === undefined || types.length > 1) return [];
  const code = schema.enum ? 'invalid_enum_value' : 'invalid_type';
  return [
    { limit: `type ${type}`, value: OF_ANOTHER_TYPE[type], code },
    ...(type === 'integer' ? [{ limit: 'whole number', value: 1.5, code: 'invalid_type' }] : []),
    ...(isNullable ? [] : [{ limit: 'not null', value: null, code }]),
    ...(isRequired && path.at(-1) !== ARRAY
      ? [{ limit: 'required', value: undefined, code: 'invalid_type' }]
      : []),
  ];
}

/** Returns a copy of a body in which a field has this value; a list on the way to it has one element. */
export function withValue(body: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (first === ARRAY) return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const before = (body ?? {}) as Record<string, unknown>;
  return { ...before, [first]: withValue(before[first], rest, value) };
}
