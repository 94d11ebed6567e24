import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OtlpDecodeError } from '../../../src/ingest/otlp/decode-error.ts';
import { encodeTracesJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { decodeJson, raw, toText } from '../../support/otlp-json.ts';
import { asDecoded, type Plain } from '../../support/otlp-proto.ts';
import { effort } from '../../support/effort.ts';

/** The same thing as a sender may write it in JSON, and as protobufjs takes it. */
interface Sibling {
  json: unknown;
  proto: unknown;
}

const sibling = <T>(arbitrary: fc.Arbitrary<T>, json: (value: T) => unknown, proto: (value: T) => unknown) =>
  arbitrary.map((value): Sibling => ({ json: json(value), proto: proto(value) }));

const same = (arbitrary: fc.Arbitrary<unknown>) =>
  sibling(
    arbitrary,
    (value) => value,
    (value) => value,
  );

const list = (items: fc.Arbitrary<Sibling>): fc.Arbitrary<Sibling> =>
  sibling(
    fc.array(items, { maxLength: 3 }),
    (twins) => twins.map(({ json }) => json),
    (twins) => twins.map(({ proto }) => proto),
  );

/** A message with any of `fields`, named in camelCase or snake_case, in any order. */
function message(fields: Record<string, fc.Arbitrary<Sibling>>): fc.Arbitrary<Sibling> {
  const names = Object.keys(fields);
  const order = fc.shuffledSubarray(names, { minLength: 0 });
  return fc.tuple(fc.record(fields), order, fc.boolean()).map(([twins, chosen, isSnake]) => {
    const nameOf = (name: string) => (isSnake ? snakeCase(name) : name);
    return {
      json: Object.fromEntries(chosen.map((name) => [nameOf(name), twins[name]?.json])),
      proto: Object.fromEntries(chosen.map((name) => [name, twins[name]?.proto])),
    };
  });
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const text = sibling(
  fc.string({ unit: 'binary', maxLength: 60 }),
  (value) => value,
  (value) => value.toWellFormed(),
);
const count = sibling(
  fc.tuple(fc.nat({ max: 0xffff_ffff }), fc.boolean()),
  ([value, isText]) => (isText ? String(value) : value),
  ([value]) => value,
);
const openEnum = same(fc.oneof(fc.nat({ max: 6 }), fc.integer()));
const binary = sibling(
  fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.constantFrom<BufferEncoding>('base64', 'base64url')),
  ([value, encoding]) => Buffer.from(value).toString(encoding),
  ([value]) => Buffer.from(value),
);
const double = sibling(
  fc.double(),
  (value) => (Number.isFinite(value) ? raw(Object.is(value, -0) ? '-0' : String(value)) : String(value)),
  (value) => value,
);

const int64 = wideInteger(-(2n ** 63n), 2n ** 63n - 1n, (value) => ({
  low: Number(BigInt.asIntN(32, value)),
  high: Number(value >> 32n),
}));
const time = wideInteger(0n, 2n ** 64n - 1n, (value) => ({
  low: Number(BigInt.asUintN(32, value)),
  high: Number(value >> 32n),
  unsigned: true,
}));

function wideInteger(min: bigint, max: bigint, halves: (value: bigint) => object): fc.Arbitrary<Sibling> {
  const small = fc.bigInt({ min: min < -1000n ? -1000n : min, max: 1000n });
  const forms = [String, (value: bigint) => raw(String(value)), halves];
  return sibling(
    fc.tuple(fc.oneof(small, fc.bigInt({ min, max })), fc.constantFrom(...forms)),
    ([value, form]) => form(value),
    ([value]) => String(value),
  );
}

const id = (size: number): fc.Arbitrary<Sibling> =>
  sibling(
    fc.tuple(fc.uint8Array({ minLength: size, maxLength: size }), fc.boolean()),
    ([value, isUpper]) =>
      isUpper ? Buffer.from(value).toString('hex').toUpperCase() : Buffer.from(value).toString('hex'),
    ([value]) => Buffer.from(value),
  );

const kindOf = (name: string, content: fc.Arbitrary<Sibling>): fc.Arbitrary<Sibling> =>
  content.map(({ json, proto }) => ({ json: { [name]: json }, proto: { [name]: proto } }));

const { value: anyValue } = fc.letrec<{ value: Sibling }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant({ json: {}, proto: {} }),
    kindOf('stringValue', text),
    kindOf('boolValue', same(fc.boolean())),
    kindOf('intValue', int64),
    kindOf('doubleValue', double),
    kindOf('bytesValue', binary),
    kindOf('arrayValue', message({ values: list(tie('value')) })),
    kindOf('kvlistValue', message({ values: list(message({ key: text, value: tie('value') })) })),
  ),
}));

const attributes = list(message({ key: text, value: anyValue }));
const droppedAttributesCount = count;

const request = message({
  resourceSpans: list(
    message({
      resource: message({
        attributes,
        droppedAttributesCount,
        entityRefs: list(
          message({ schemaUrl: text, type: text, idKeys: list(text), descriptionKeys: list(text) }),
        ),
      }),
      scopeSpans: list(
        message({
          scope: message({ name: text, version: text, attributes, droppedAttributesCount }),
          spans: list(
            message({
              traceId: id(16),
              spanId: id(8),
              traceState: text,
              parentSpanId: id(8),
              name: text,
              kind: openEnum,
              startTimeUnixNano: time,
              endTimeUnixNano: time,
              attributes,
              droppedAttributesCount,
              events: list(message({ timeUnixNano: time, name: text, attributes, droppedAttributesCount })),
              droppedEventsCount: count,
              links: list(
                message({
                  traceId: id(16),
                  spanId: id(8),
                  traceState: text,
                  attributes,
                  droppedAttributesCount,
                  flags: count,
                }),
              ),
              droppedLinksCount: count,
              status: message({ message: text, code: openEnum }),
              flags: count,
            }),
          ),
          schemaUrl: text,
        }),
      ),
      schemaUrl: text,
    }),
  ),
});

describe('encodeTracesJson', () => {
  it('keeps whatever a request may have', () => {
    fc.assert(
      fc.property(request, ({ json, proto }) => {
        expect(decodeJson(toText(json))).toEqual(asDecoded('ExportTraceServiceRequest', proto as Plain));
      }),
      { numRuns: effort(167) },
    );
  });

  it('gives the same bytes however often it is asked', () => {
    fc.assert(
      fc.property(request, request, (first, second) => {
        const encode = ({ json }: Sibling) => encodeTracesJson(Buffer.from(toText(json)));
        const bytes = encode(first);
        encode(second);
        expect(encode(first)).toEqual(bytes);
      }),
      { numRuns: effort(17) },
    );
  });

  const outcomeOf = (body: Buffer): 'bytes' | 'refused' => {
    try {
      encodeTracesJson(body);
      return 'bytes';
    } catch (error) {
      if (error instanceof OtlpDecodeError) return 'refused';
      throw error;
    }
  };
  const outcomes = ['bytes', 'refused'];

  it('returns for arbitrary bytes and arbitrary JSON bytes or OtlpDecodeError', () => {
    const bodies = fc.oneof(
      fc.uint8Array().map((value) => Buffer.from(value)),
      fc.oneof(fc.json(), fc.string()).map((value) => Buffer.from(value)),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        expect(outcomes).toContain(outcomeOf(body));
      }),
    );
  });

  it('returns for a request with anything anywhere bytes or OtlpDecodeError', () => {
    fc.assert(
      fc.property(request, fc.jsonValue({ maxDepth: 2 }), fc.nat(), ({ json }, intruder, place) => {
        const whole = toText(json);
        let places = 0;
        JSON.parse(whole, () => places++);
        let left = place % places;
        const spoilt: unknown = JSON.parse(whole, (_, value: unknown) => (left-- === 0 ? intruder : value));
        expect(outcomes).toContain(outcomeOf(Buffer.from(JSON.stringify(spoilt))));
      }),
      { numRuns: effort(333) },
    );
  });
});
