/** Calls with anything in every place where a caller may put something: right, nearly right and absurd. */
import fc from 'fast-check';
import type { JsonSchema } from '../../src/api/json-schema.ts';
import {
  type ApiCall,
  exampleOf,
  isOtlp,
  kindInPath,
  kindOfName,
  parametersIn,
  pathWith,
  type RecordIds,
  type RecordKind,
  resolved,
} from './api-calls.ts';

/** Records that calls may refer to: own ones, and those of another application. */
export interface Known {
  own: RecordIds;
  other: RecordIds;
  texts: Readonly<Record<string, string>>;
}

export interface AnyCall {
  /** Address with its query. */
  address: string;
  /** Undefined: there is none. */
  body: unknown;
  isForm: boolean;
  headers: Record<string, string>;
}

const WORDS =
  `0 -0 -1 1.5 1e999 NaN Infinity null undefined true false 9007199254740993 0x10 ١ % _ \\ ' " ;-- [ ( [] {}
  (a+)+$ __proto__ constructor toString ../.. a,b , ,,a İ ﬀ 😀 UTC https:// http://127.0.0.1:1/ javascript:x file:///etc/passwd
  2026-01-31 2026-02-30T00:00:00Z 2026-01-31T12:00:00+01:00 2026-01-31T12:00:00.123456789Z 0000-01-01T00:00:00Z
  9999-12-31T23:59:59.999Z +275760-09-13T00:00:00.001Z 00000000-0000-0000-0000-000000000000
  ffffffff-ffff-ffff-ffff-ffffffffffff 00000000000000000000000000000000 0000000000000000`.split(/\s+/);
const ODDITIES = ['', ' ', '\t', '\r\n', '\0', 'a\0b', '\ud800', 'a\udfff', '\u202e', '\ufeff', 'e\u0301'];
const PHRASES = ["' OR 1=1 --", '* * * * *', '[object Object]', '9'.repeat(400), 'x'.repeat(3_000)];
const TEXTS = [...WORDS, ...ODDITIES, ...PHRASES];

const anyUnit = fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit));
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyUnit, maxLength: 20 }) },
);

const nested = (levels: number): unknown =>
  JSON.parse('{"a":['.repeat(levels) + ']}'.repeat(levels)) as unknown;
const NUMBERS = [0, -0, 1, -1, 7, 100, 1.5, 5e-324, 1e308, -1e308, 2 ** 31, 2 ** 53, 1e21, -(2 ** 63)];

/** Anything that JSON can say. */
const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], [''], { length: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(nested(20), nested(150), Array(101).fill(''), 'x'.repeat(300_000)),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** An id of this kind, own more often than not. */
const anyId = (kind: RecordKind, { own, other }: Known): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(own[kind]) },
    { weight: 1, arbitrary: fc.constantFrom(own[kind].toUpperCase(), other[kind], ...Object.values(own)) },
    { weight: 1, arbitrary: fc.uuid() },
  );

const nearNumber = ({ minimum: min = -1e9, maximum: max = 1e9 }: JsonSchema): fc.Arbitrary<number> =>
  fc.constantFrom(min, max, min - 1, max + 1, Math.min(max, Math.max(min, 3)), min + 0.5);

const nearText = ({ format, pattern, minLength = 0, maxLength = 50 }: JsonSchema): fc.Arbitrary<string> => {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const [least, most] = [Number(minLength), Math.min(Number(maxLength), 4_000)];
  return fc.constantFrom('Hello', 'x'.repeat(least), 'é'.repeat(most), 'x'.repeat(most + 1));
};

/** Returns mostly a value that fits the schema; now and then another one, at any depth. */
function valueOf(given: JsonSchema, name: string, known: Known, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  const { properties, items, anyOf, oneOf, allOf } = schema;
  const kind = items || anyOf ? null : kindOfName(name, schema);
  const right = (): fc.Arbitrary<unknown> => {
    if (depth > 5) return anyJson;
    if (kind !== null) return anyId(kind, known);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = anyOf ?? oneOf ?? allOf;
    if (choices) return fc.oneof(...choices.map((one) => valueOf(one, name, known, depth + 1)));
    if (items) return fc.array(valueOf(items, name, known, depth + 1), { maxLength: 4 });
    if (properties) return recordOf(schema, known, depth);
    switch ([schema.type].flat()[0]) {
      case 'integer':
      case 'number':
        return nearNumber(schema);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'string':
        return nearText(schema);
      case 'object':
        return fc.dictionary(fc.string({ maxLength: 9 }), anyJson, { maxKeys: 4 });
      default:
        return anyJson;
    }
  };
  return fc.oneof({ weight: 7, arbitrary: right() }, { weight: 1, arbitrary: anyJson });
}

/** Fields that must be there are left out too, but seldom. */
const recordOf = (
  { properties = {}, required = [] }: JsonSchema,
  known: Known,
  depth = 0,
): fc.Arbitrary<object> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          const value = valueOf(field, name, known, depth + 1);
          const weight = required.includes(name) ? 12 : 1;
          return [
            name,
            fc.oneof({ weight, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) }),
          ];
        }),
      ),
    )
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));

/** The example with some fields changed, anything that the schema has, or anything at all. */
function anyBody(call: ApiCall, known: Known): fc.Arbitrary<unknown> {
  const content = call.operation.requestBody?.content;
  const schema = content?.['multipart/form-data']?.schema ?? content?.['application/json']?.schema;
  if (!schema) return fc.constant(undefined);
  const { body: example, isForm } = exampleOf(call, known.own, known.texts);
  const record = recordOf(resolved(schema), known);
  const changed = fc.tuple(record, fc.infiniteStream(fc.nat({ max: 2 }))).map(([fields, dice]) => ({
    ...(example as object),
    ...Object.fromEntries(Object.entries(fields).filter(() => dice.next().value === 0)),
  }));
  if (isForm) return fc.oneof(fc.constant(example), changed, record);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(example) },
    { weight: 5, arbitrary: changed },
    { weight: 3, arbitrary: isOtlp(call) ? anyJson : valueOf(schema, '', known) },
    { weight: 1, arbitrary: anyJson },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Half of a surrogate pair too, which is no UTF-8. The head of a request may have 16 KiB. */
const encoded = (text: string): string =>
  Array.from(text.slice(0, MAX_IN_ADDRESS), (character) =>
    /^[\ud800-\udfff]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
  ).join('');
const MAX_IN_ADDRESS = 1_500;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** A parameter once, several times, in brackets or with commas. */
function anyParameter(name: string, schema: JsonSchema, known: Known): fc.Arbitrary<string> {
  const one = valueOf(schema.items ?? schema, name, known).map(asText);
  const pair = (key: string, value: string): string => `${encoded(key)}=${encoded(value)}`;
  return fc.oneof(
    { weight: 6, arbitrary: one.map((value) => pair(name, value)) },
    {
      weight: 1,
      arbitrary: fc.tuple(one, one).map((values) => values.map((value) => pair(name, value)).join('&')),
    },
    { weight: 1, arbitrary: fc.tuple(one, one).map((values) => pair(`${name}[]`, values.join(','))) },
    { weight: 1, arbitrary: anyText.map((value) => pair(name, value)) },
  );
}

function anyQuery(call: ApiCall, known: Known): fc.Arbitrary<string> {
  const parameters = parametersIn(call, 'query');
  const some = parameters.map(({ name, schema, required }) =>
    fc.oneof(
      { weight: required ? 9 : 1, arbitrary: anyParameter(name, schema, known) },
      { weight: required ? 1 : Math.max(1, Math.ceil(parameters.length / 3)), arbitrary: fc.constant('') },
    ),
  );
  return fc.tuple(...some).map((parts) => parts.filter((part) => part !== '').join('&'));
}

function anyPath(call: ApiCall, known: Known): fc.Arbitrary<string> {
  const asked = exampleOf(call, known.own).path.split('/');
  const values = parametersIn(call, 'path').map(({ name, schema }) => {
    const kind = kindInPath(call, name);
    const usual = decodeURIComponent(asked[call.path.split('/').indexOf(`{${name}}`)] ?? '');
    const right =
      kind === null ? fc.oneof(fc.constant(usual), valueOf(schema, name, known)) : anyId(kind, known);
    const value = fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: anyText });
    // Without it, or with dots, it is the path of another call.
    return value.map((given) => [name, asText(given).replace(/^\.*$/, 'x')] as const);
  });
  return fc.tuple(...values).map((entries) => {
    const given = new Map(entries);
    return pathWith(call, (name) => `{${name}}`).replaceAll(/%7B(\w+)%7D/g, (_match, name: string) =>
      encoded(String(given.get(name))),
    );
  });
}

const anyHeaders = (call: ApiCall): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      ...parametersIn(call, 'header').map(({ name }) => fc.tuple(fc.constant(name), anyText, fc.boolean())),
    )
    .map((headers) => {
      const sent = headers.filter(([, , isSent]) => isSent);
      return Object.fromEntries(
        sent.map(([name, text]) => [name, text.replaceAll(/[^ -~]/g, '').slice(0, 300)]),
      );
    });

export const anyCall = (call: ApiCall, known: Known): fc.Arbitrary<AnyCall> =>
  fc
    .tuple(anyPath(call, known), anyQuery(call, known), anyBody(call, known), anyHeaders(call))
    .map(([path, query, body, headers]) => ({
      address: query === '' ? path : `${path}?${query}`,
      body,
      isForm: call.operation.requestBody?.content['multipart/form-data'] !== undefined,
      headers,
    }));
