/** OTLP requests as bytes that no encoder would write, but any decoder must read: fields in any order, doubled, unknown. */
import fc, { type LetrecTypedTie, type LetrecValue } from 'fast-check';
import { WireWriter } from '../../src/traces/wire/writer.ts';

type Field = Buffer;
const written = (write: (out: WireWriter) => void): Field => {
  const out = new WireWriter(64);
  write(out);
  return out.toBuffer();
};

export const bytesField = (field: number, bytes: Uint8Array): Field =>
  written((out) => out.bytesField(field, bytes));
export const textField = (field: number, text: string): Field =>
  written((out) => out.stringField(field, text));
export const varintField = (field: number, value: bigint): Field =>
  written((out) => {
    out.tag(field, 0);
    out.int64(value);
  });
export const fixed64Field = (field: number, value: bigint): Field =>
  written((out) => {
    out.tag(field, 1);
    out.fixed64(value);
  });
export const fixed32Field = (field: number, value: number): Field =>
  written((out) => {
    out.tag(field, 5);
    out.fixed32(value);
  });
export const doubleField = (field: number, value: number): Field =>
  written((out) => {
    out.tag(field, 1);
    out.double(value);
  });
export const groupField = (field: number, members: readonly Field[]): Field =>
  written((out) => {
    out.tag(field, 3);
    for (const member of members) out.raw(member);
    out.tag(field, 4);
  });

const int64 = fc.oneof(fc.integer().map(BigInt), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
const uint32 = fc.nat({ max: 0xffff_ffff }).map(BigInt);
export const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 40, maxLength: 60 }) },
);

/** A field that no version of the message has: any wire type, groups too. */
const unknownField: fc.Arbitrary<Field> = fc.letrec<{ field: Field }>((tie) => {
  const number = fc.constantFrom(101, 150, 1000, 70_000, 2 ** 28 - 1);
  return {
    field: fc.oneof(
      { depthSize: 'small' },
      fc.tuple(number, fc.uint8Array({ maxLength: 9 })).map(([n, bytes]) => bytesField(n, bytes)),
      fc.tuple(number, int64).map(([n, value]) => varintField(n, value)),
      fc
        .tuple(number, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
        .map(([n, value]) => fixed64Field(n, value)),
      fc.tuple(number, fc.nat()).map(([n, value]) => fixed32Field(n, value)),
      fc
        .tuple(number, fc.array(tie('field'), { maxLength: 2 }))
        .map(([n, members]) => groupField(n, members)),
    ),
  };
}).field;

/** A message of these fields in any order, each at times left out or there twice, with unknown ones between. */
function message(...fields: fc.Arbitrary<Field[]>[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.tuple(...fields), fc.array(unknownField, { maxLength: 1 }))
    .chain(([known, unknown]) => {
      const all = [...known.flat(), ...unknown];
      return fc.shuffledSubarray(all, { minLength: all.length });
    })
    .map((members) => Buffer.concat(members));
}

const optional = (field: fc.Arbitrary<Field>): fc.Arbitrary<Field[]> =>
  fc.oneof(
    { weight: 5, arbitrary: field.map((one) => [one]) },
    { weight: 2, arbitrary: fc.constant<Field[]>([]) },
    { weight: 1, arbitrary: fc.array(field, { minLength: 2, maxLength: 2 }) },
  );
const always = (field: fc.Arbitrary<Field>): fc.Arbitrary<Field[]> => field.map((one) => [one]);
const repeated = (field: fc.Arbitrary<Field>, maxLength = 3): fc.Arbitrary<Field[]> =>
  fc.array(field, { maxLength });

const nested = (field: number, bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Field> =>
  bytes.map((value) => bytesField(field, value));

interface Values {
  value: Buffer;
  pair: Buffer;
}

const { value: anyValue }: LetrecValue<Values> = fc.letrec<Values>((tie: LetrecTypedTie<Values>) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((value) => textField(1, value)),
    fc.boolean().map((value) => varintField(2, value ? 1n : 0n)),
    int64.map((value) => varintField(3, value)),
    fc.double().map((value) => doubleField(4, value)),
    fc.uint8Array({ maxLength: 12 }).map((value) => bytesField(7, value)),
    fc.constant<Buffer>(Buffer.alloc(0)),
    fc.nat({ max: 9 }).map((value) => varintField(8, BigInt(value))),
    fc.array(nested(1, tie('value')), { maxLength: 3 }).map((values) => bytesField(5, Buffer.concat(values))),
    fc.array(nested(1, tie('pair')), { maxLength: 3 }).map((pairs) => bytesField(6, Buffer.concat(pairs))),
  ),
  pair: fc
    .tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), tie('value'))
    .map(([key, value]): Buffer => Buffer.concat([textField(1, key), bytesField(2, value)])),
}));

/** Values that the mapping gives a meaning to, besides any others. */
const telling = fc.oneof(
  fc
    .constantFrom(
      '9b2fd5a2-11aa-4b8e-8f0c-6a2e3a8f9d01',
      ' 9B2FD5A2-11AA-4B8E-8F0C-6A2E3A8F9D02 ',
      'no-uuid',
      'LLM',
      'TOOL',
      'chat',
      'execute_tool',
      'odd',
      'trace',
      '["x","y", "x"]',
      'x, y,,z',
      '{"k":"v","n":1}',
      ' 12 ',
      '7.9',
      '-3',
    )
    .map((value) => textField(1, value)),
  fc.nat({ max: 10_000 }).map((value) => varintField(3, BigInt(value))),
  // Of several, the last one counts.
  fc
    .tuple(fc.nat({ max: 99 }), text)
    .map(([n, value]) => Buffer.concat([varintField(3, BigInt(n)), textField(1, value)])),
  fc
    .tuple(text, fc.nat({ max: 99 }))
    .map(([value, n]) => Buffer.concat([textField(1, value), varintField(3, BigInt(n))])),
  fc.double({ min: -10, max: 10, noNaN: true }).map((value) => doubleField(4, value)),
);

function keyValue(keys: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const value = fc.oneof({ weight: 3, arbitrary: telling }, { weight: 2, arbitrary: anyValue });
  const entry = fc
    .tuple(keys, value)
    .chain(([key, bytes]) =>
      fc.shuffledSubarray([textField(1, key), bytesField(2, bytes)], { minLength: 2 }),
    );
  return entry.map((members) => Buffer.concat(members));
}

const MAPPED_KEYS = [
  'service.test.id',
  'touchstone.event',
  'openinference.span.kind',
  'gen_ai.operation.name',
  'input.value',
  'output.value',
  'gen_ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'gen_ai.usage.input_tokens',
  'llm.token_count.prompt',
  'gen_ai.usage.output_tokens',
  'llm.token_count.completion',
  'gen_ai.usage.cost',
  'llm.cost.total',
  'session.id',
  'gen_ai.conversation.id',
  'user.id',
  'enduser.id',
  'tag.tags',
  'metadata',
];
const spanKeys = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...MAPPED_KEYS) },
  { weight: 1, arbitrary: text },
);
const resourceKeys = fc.oneof(fc.constantFrom('service.name', 'service.test.id', 'host'), text);

const traceId = fc.oneof(
  { weight: 12, arbitrary: fc.uint8Array({ minLength: 16, maxLength: 16 }) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(16)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
);
const spanId = fc.oneof(
  { weight: 12, arbitrary: fc.uint8Array({ minLength: 8, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(8)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
);
const time = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1_767_225_600_000_000_000n, max: 1_767_225_600_000_000_999n }) },
  { weight: 1, arbitrary: fc.constant(0n) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
);

const status = message(
  optional(text.map((value) => textField(2, value))),
  optional(fc.oneof(fc.nat({ max: 3 }).map(BigInt), int64).map((code) => varintField(3, code))),
);
const attribute = (field: number, keys: fc.Arbitrary<string>): fc.Arbitrary<Field> =>
  nested(field, keyValue(keys));
const event = message(
  optional(time.map((value) => fixed64Field(1, value))),
  optional(text.map((value) => textField(2, value))),
  repeated(attribute(3, text), 2),
  optional(uint32.map((value) => varintField(4, value))),
);
const link = message(
  optional(traceId.map((value) => bytesField(1, value))),
  optional(spanId.map((value) => bytesField(2, value))),
  optional(text.map((value) => textField(3, value))),
  repeated(attribute(4, text), 2),
  optional(uint32.map((value) => varintField(5, value))),
  optional(fc.nat().map((value) => fixed32Field(6, value))),
);
const spanBytes = message(
  always(traceId.map((value) => bytesField(1, value))),
  optional(traceId.map((value) => bytesField(1, value))),
  always(spanId.map((value) => bytesField(2, value))),
  optional(text.map((value) => textField(3, value))),
  optional(spanId.map((value) => bytesField(4, value))),
  optional(text.map((value) => textField(5, value))),
  optional(int64.map((value) => varintField(6, value))),
  optional(time.map((value) => fixed64Field(7, value))),
  optional(time.map((value) => fixed64Field(8, value))),
  repeated(attribute(9, spanKeys), 8),
  optional(uint32.map((value) => varintField(10, value))),
  repeated(nested(11, event), 2),
  repeated(nested(13, link), 2),
  optional(nested(15, status)),
  optional(fc.constantFrom(0, 1, 0x100, 0x301, 0x300).map((value) => fixed32Field(16, value))),
);
const resource = message(
  repeated(attribute(1, resourceKeys), 3),
  optional(uint32.map((value) => varintField(2, value))),
  repeated(
    fc.uint8Array({ maxLength: 4 }).map(() => bytesField(3, textField(2, 'service'))),
    1,
  ),
);
const scope = message(
  optional(text.map((value) => textField(1, value))),
  optional(text.map((value) => textField(2, value))),
  repeated(attribute(3, text), 2),
);
const scopeSpans = message(
  optional(nested(1, scope)),
  repeated(nested(2, spanBytes), 4),
  optional(text.map((value) => textField(3, value))),
);
const resourceSpans = message(
  optional(nested(1, resource)),
  repeated(nested(2, scopeSpans), 3),
  optional(text.map((value) => textField(3, value))),
);

/** Well-formed requests; ids in them may be wrong. */
export const wireRequest: fc.Arbitrary<Buffer> = message(repeated(nested(1, resourceSpans), 3));

const eventName = fc.constantFrom('gen_ai.choice', 'gen_ai.', 'gen_ai', 'Gen_ai.choice', 'other', '');
const namingAttribute = eventName.map((name) =>
  Buffer.concat([textField(1, 'event.name'), bytesField(2, textField(1, name))]),
);
const logRecord = message(
  optional(time.map((value) => fixed64Field(1, value))),
  optional(int64.map((value) => varintField(2, value))),
  optional(text.map((value) => textField(3, value))),
  optional(nested(5, anyValue)),
  repeated(attribute(6, text), 2),
  repeated(nested(6, namingAttribute), 2),
  optional(uint32.map((value) => varintField(7, value))),
  optional(fc.nat().map((value) => fixed32Field(8, value))),
  optional(traceId.map((value) => bytesField(9, value))),
  optional(spanId.map((value) => bytesField(10, value))),
  optional(time.map((value) => fixed64Field(11, value))),
  repeated(
    eventName.map((name) => textField(12, name)),
    1,
  ),
);
const scopeLogs = message(
  optional(nested(1, scope)),
  repeated(nested(2, logRecord), 4),
  optional(text.map((value) => textField(3, value))),
);
const resourceLogs = message(
  optional(nested(1, resource)),
  repeated(nested(2, scopeLogs), 3),
  optional(text.map((value) => textField(3, value))),
);

/** Well-formed requests of log records; ids and names in them may be any. */
export const wireLogsRequest: fc.Arbitrary<Buffer> = message(repeated(nested(1, resourceLogs), 3));
