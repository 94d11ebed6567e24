import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { MAX_ATTRIBUTES, MAX_PIECES, MAX_VALUE_DEPTH } from '../../../src/ingest/otlp/check-message.ts';
import { MAX_EVENTS, MAX_LINKS } from '../../../src/ingest/otlp/span-fields.ts';
import { MAX_SPANS_PER_REQUEST, scanTraces } from '../../../src/ingest/otlp/scan.ts';
import { rulesOfField } from '../../../src/traces/conventions/rule-set.ts';
import type { Field } from '../../../src/traces/conventions/rule.ts';
import { MAX_MEMBERS } from '../../../src/ingest/decode-work.ts';
import { isUuid } from '../../../src/traces/ids.ts';
import { truncate } from '../../../src/traces/truncate.ts';
import { type IncomingSpan, SpanFlag } from '../../../src/traces/span.ts';
import { SPAN_KINDS } from '../../../src/traces/span-kinds.ts';
import { WIRE_BYTES, WireError } from '../../../src/traces/wire/reader.ts';
import { WireWriter } from '../../../src/traces/wire/writer.ts';
import { decodeProto, encodeProto, type Plain } from '../../support/otlp-proto.ts';
import {
  bytesField,
  doubleField,
  fixed32Field,
  fixed64Field,
  groupField,
  textField,
  varintField,
  wireRequest,
} from '../../support/otlp-wire.ts';
import {
  anyValue,
  BASE_NS,
  incomingSpans,
  otlpRequest,
  PRICES,
  spanHex,
  spanMessage,
} from '../../support/spans.ts';
import { effort } from '../../support/effort.ts';

const RECEIVED = 1_800_000_000_000_000_000n;
const INT64_MAX = 2n ** 63n - 1n;

const scan = (body: Buffer) => scanTraces(body, RECEIVED, PRICES);

interface ProtoSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number } | null;
  flags: number;
  attributes: KeyValue[];
}
interface KeyValue {
  key: string;
  value: Plain | null;
}
interface ProtoRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] } | null;
    scopeSpans: { spans: ProtoSpan[] }[];
  }[];
}

const decode = (body: Buffer): ProtoRequest =>
  decodeProto('ExportTraceServiceRequest', body) as unknown as ProtoRequest;

/** An AnyValue as JSON, the way the API shows it. */
function jsonOf(value: Plain | null): unknown {
  if (value === null) return null;
  if ('stringValue' in value) return value['stringValue'];
  if ('boolValue' in value) return value['boolValue'];
  if ('bytesValue' in value) return value['bytesValue'];
  if ('intValue' in value) {
    const number = Number(value['intValue']);
    return Number.isSafeInteger(number) ? number : value['intValue'];
  }
  if ('doubleValue' in value) {
    const number = value['doubleValue'] as number;
    return Number.isFinite(number) ? number : String(number);
  }
  if ('arrayValue' in value) return ((value['arrayValue'] as { values: Plain[] }).values ?? []).map(jsonOf);
  if ('kvlistValue' in value) {
    const { values } = value['kvlistValue'] as { values: KeyValue[] };
    return objectOf(values);
  }
  return null;
}

function objectOf(pairs: KeyValue[]): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of pairs) object[key] = jsonOf(value);
  return object;
}

const textOf = (json: unknown): string => (typeof json === 'string' ? json : JSON.stringify(json));

/** Reports whether a value is a text without characters, or of blanks and control characters only. */
const isBlank = (value: Plain | null): boolean => {
  const json = jsonOf(value);
  return typeof json === 'string' && json.replace(/^[\0- ]*/, '').trim() === '';
};

/** The attributes that are not empty: a blank text is one only after the type of a native event. */
function saying(attributes: KeyValue[]): KeyValue[] {
  const isEvent = ({ key, value }: KeyValue): boolean =>
    key === 'touchstone.event' && jsonOf(value) !== null && !isBlank(value);
  const native = attributes.findIndex(isEvent);
  return attributes.filter(({ value }, at) => !isBlank(value) || (native >= 0 && at > native));
}

/** The value of a field by the rules, the plain way: rule deterministically, of each key the last value. */
function fieldOf(attributes: KeyValue[], field: Field, read: typeof jsonOf = jsonOf): unknown {
  for (const rule of rulesOfField(field)) {
    const isNamed = (key: string): boolean =>
      rule.isOpen ? key.startsWith(rule.key.slice(0, -1)) : key === rule.key;
    const values = attributes.filter(({ key }) => isNamed(key)).map(({ value }) => read(value));
    const said = values.filter((value) => value !== null && (!rule.kinds || kindOf(rule.kinds, value)));
    if (said.length > 0) return rule.kinds ? kindOf(rule.kinds, said.at(-1)) : said.at(-1);
  }
  return null;
}

function kindOf(kinds: Readonly<Record<string, string>> | string, value: unknown): string | undefined {
  if (typeof kinds === 'string') return kinds;
  return typeof value === 'string' && Object.hasOwn(kinds, value) ? kinds[value] : undefined;
}

/** The value of an attribute that is an amount; null for any other, which counts as absent. */
function numberJson(value: Plain | null): unknown {
  if (value === null || 'bytesValue' in value) return null;
  const json = jsonOf(value);
  const number = typeof json === 'string' && json.trim() !== '' ? Number(json) : json;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? json : null;
}

function amountOf(json: unknown): number {
  const number =
    typeof json === 'number' ? json : typeof json === 'string' ? Number(json.trim() || 'none') : 0;
  return Number.isFinite(number) ? Math.min(Math.max(number, 0), 1e12) : 0;
}

const isId = (base64: string, size: number): boolean => {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === size && bytes.some((byte) => byte !== 0);
};
const latin1 = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1');

/** What the scan should say of one span. */
function factsOf(span: ProtoSpan, resource: KeyValue[]): object {
  const attributes = saying(span.attributes);
  let start = BigInt(span.startTimeUnixNano);
  let end = BigInt(span.endTimeUnixNano);
  const adjusted = start === 0n || end < start || end > INT64_MAX;
  if (start === 0n) start = end === 0n ? RECEIVED : end;
  if (start > INT64_MAX) start = INT64_MAX;
  if (end > INT64_MAX) end = INT64_MAX;
  if (end < start) end = start;
  const text = (field: Field): string | null => {
    const value = fieldOf(attributes, field);
    return value === null ? null : textOf(value);
  };
  /** Texts that go into an index are truncated. */
  const name = (field: Field): string | null => truncate(text(field) ?? '', 256) || null;
  const testId = text('testId')?.trim().toLowerCase() ?? null;
  const resourceValues = objectOf(resource);
  const code = span.status?.code ?? 0;
  return {
    traceId: latin1(span.traceId),
    spanId: latin1(span.spanId),
    parentId: isId(span.parentSpanId, 8) ? latin1(span.parentSpanId) : '',
    name: span.name,
    start,
    end,
    adjusted,
    remote: (span.flags & 0x300) === 0x300,
    status: code === 1 || code === 2 ? code : 0,
    testId: testId !== null && isUuid(testId) ? testId : null,
    model: name('model'),
    inputTokens: Math.trunc(amountOf(fieldOf(attributes, 'inputTokens', numberJson))),
    cost: amountOf(fieldOf(attributes, 'cost', numberJson)),
    sessionId: name('sessionId'),
    userId: name('userId'),
    hasInput: fieldOf(attributes, 'input') !== null,
    kind: fieldOf(attributes, 'kind') ?? (text('model') !== null && text('event') === null ? 'LLM' : 'SPAN'),
    service: typeof resourceValues['service.name'] === 'string' ? resourceValues['service.name'] : '',
  };
}

function factsFound(span: IncomingSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentId,
    name: span.name,
    start: span.start,
    end: span.end,
    adjusted: (span.flags & SpanFlag.timeAdjusted) !== 0,
    remote: (span.flags & SpanFlag.remoteParent) !== 0,
    status: span.status,
    testId: span.testId,
    model: span.model,
    inputTokens: span.inputTokens,
    cost: span.cost,
    sessionId: span.sessionId,
    userId: span.userId,
    hasInput: (span.flags & SpanFlag.hasInput) !== 0,
    kind: SPAN_KINDS[span.kind],
    service: span.resource.service,
  };
}

/** A span whose attribute `llm.cost.total` is a text and then 1: the last value counts. */
const COST_OF_TWO_VALUES = Buffer.from(
  '0a8f011a00128a010a040a001200128101220800000000000000008501000000000a10000000000000000000000000000000012a0030002a003900000000000000007a0212005000120800000000000000014a3e0a0e6c6c6d2e636f73742e746f74616c122c0a28202020202020202020202020202020202020202020202020202020202020202020202020202020201801',
  'hex',
);

/** A span whose attribute `user.id` is a number and then a blank text, which counts as absent. */
const BLANK_OF_TWO_VALUES = bytesField(
  1,
  bytesField(
    2,
    bytesField(
      2,
      Buffer.concat([
        bytesField(1, Buffer.alloc(16, 1)),
        bytesField(2, Buffer.alloc(8, 1)),
        bytesField(
          9,
          Buffer.concat([
            textField(1, 'user.id'),
            bytesField(2, Buffer.concat([varintField(3, 7n), textField(1, '  ')])),
          ]),
        ),
      ]),
    ),
  ),
);

describe('scanTraces finds in any well-formed request what protobufjs finds', () => {
  it('ids, names, times, status and what attributes contain, of every span with good ids', () => {
    fc.assert(
      fc.property(wireRequest, (body) => {
        const spans = decode(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap((scope) =>
            scope.spans.map((span) => ({ span, resource: resource?.attributes ?? [] })),
          ),
        );
        const good = spans.filter(({ span }) => isId(span.traceId, 16) && isId(span.spanId, 8));
        const scanned = scan(body);
        expect(scanned.received).toBe(spans.length);
        expect(scanned.spans.map(factsFound)).toEqual(
          good.map(({ span, resource }) => factsOf(span, resource)),
        );
        const rejected = [...scanned.rejected.values()].reduce((sum, count) => sum + count, 0);
        expect(rejected).toBe(spans.length - good.length);
      }),
      { numRuns: effort(120), examples: [[COST_OF_TWO_VALUES], [BLANK_OF_TWO_VALUES]] },
    );
  });

  it('the bytes of span, scope and resource, which put together again are the same spans', () => {
    fc.assert(
      fc.property(wireRequest, (body) => {
        const { spans } = scan(body);
        const again = Buffer.concat(
          spans.map(({ resource, scope, bytes }) =>
            bytesField(
              1,
              Buffer.concat([resource.bytes, bytesField(2, Buffer.concat([scope, bytesField(2, bytes)]))]),
            ),
          ),
        );
        const sent = decode(body).resourceSpans.flatMap(({ scopeSpans, ...resource }) =>
          scopeSpans.flatMap(({ spans: members, ...scope }) =>
            members
              .filter(({ traceId, spanId }) => isId(traceId, 16) && isId(spanId, 8))
              .map((span) => ({ ...resource, scopeSpans: [{ ...scope, spans: [span] }] })),
          ),
        );
        expect(decode(again).resourceSpans).toEqual(sent);
      }),
      { numRuns: effort(60) },
    );
  });
});

describe('scanTraces of damaged bytes', () => {
  const outcomeOf = (body: Buffer): unknown => {
    try {
      const { spans, ...counts } = scan(body);
      return { ...counts, spans: spans.map(factsFound) };
    } catch (error) {
      if (error instanceof WireError || error instanceof AppError) return error.message;
      throw error;
    }
  };

  it('returns or throws WireError for every truncation', () => {
    fc.assert(
      fc.property(wireRequest, (body) => {
        for (let size = 0; size < body.length; size++)
          expect(outcomeOf(body.subarray(0, size))).toBeDefined();
      }),
      { numRuns: effort(10) },
    );
  });

  it('returns or throws WireError whatever bytes are flipped', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(wireRequest, flips, (body, changes) => {
        const damaged = Buffer.from(body);
        for (const [at, byte] of changes) if (damaged.length > 0) damaged[at % damaged.length] = byte;
        expect(outcomeOf(damaged)).toBeDefined();
      }),
      { numRuns: effort(120) },
    );
  });

  it('returns or throws WireError for bytes that were never a message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(outcomeOf(Buffer.from(bytes))).toBeDefined();
        expect(outcomeOf(bytesField(1, bytesField(2, bytesField(2, bytes))))).toBeDefined();
      }),
      { numRuns: effort(120) },
    );
  });

  it('never looks at what lies around the body', () => {
    const around = (body: Buffer, byte: number): Buffer => {
      const room = Buffer.alloc(body.length + 64, byte);
      body.copy(room, 32);
      return room.subarray(32, 32 + body.length);
    };
    fc.assert(
      fc.property(wireRequest, fc.nat(), (body, at) => {
        const head = body.subarray(0, at % (body.length + 1));
        expect(outcomeOf(around(head, 0x0a))).toEqual(outcomeOf(around(head, 0xff)));
      }),
      { numRuns: effort(60) },
    );
  });

  const span = (...fields: Buffer[]): Buffer =>
    bytesField(1, bytesField(2, bytesField(2, Buffer.concat(fields))));
  const varints = Buffer.alloc(10, 0xff);
  it.each<[rule: string, body: Buffer]>([
    ['a tag cut off in the middle', Buffer.from([0x8a])],
    ['a length beyond the body', Buffer.from([0x0a, 5, 0])],
    [
      'a negative length, which is ten bytes long',
      Buffer.concat([Buffer.from([0x0a]), varints.subarray(0, 9), Buffer.from([1])]),
    ],
    ['a length of more than ten bytes', Buffer.concat([Buffer.from([0x0a]), varints, Buffer.from([1])])],
    ['a length beyond 32 bits', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x1f])],
    [
      'an inner length beyond its own message',
      Buffer.concat([bytesField(1, Buffer.from([0x12, 9])), Buffer.alloc(20)]),
    ],
    ['field number 0', Buffer.from([0x02, 0])],
    ['wire type 6', Buffer.from([0x7e, 0])],
    ['the end of a group that never began', Buffer.from([0x7c])],
    ['a group without end', Buffer.from([0x7b, 0x08, 1])],
    ['a group that ends as another one', Buffer.from([0x7b, 0x84, 1])],
    ['resource_spans as a number', varintField(1, 1n)],
    ['a resource as a number', bytesField(1, varintField(1, 1n))],
    ['scope_spans as a number', bytesField(1, varintField(2, 1n))],
    ['spans as a number', bytesField(1, bytesField(2, fixed32Field(2, 1)))],
    ['a trace id as a number', span(varintField(1, 1n))],
    ['a name as a number', span(fixed64Field(5, 1n))],
    ['a kind as bytes', span(bytesField(6, Buffer.alloc(0)))],
    ['a start as a varint', span(varintField(7, 1n))],
    ['an end in four bytes', span(fixed32Field(8, 1))],
    ['flags as a varint', span(varintField(16, 1n))],
    ['a status code as bytes', span(bytesField(15, bytesField(3, Buffer.alloc(1))))],
    ['a status message as a number', span(bytesField(15, varintField(2, 1n)))],
    ['an attribute key as a number', span(bytesField(9, varintField(1, 1n)))],
    ['an attribute value as a number', span(bytesField(9, varintField(2, 1n)))],
    ['a text in an attribute as a number', span(bytesField(9, bytesField(2, varintField(1, 1n))))],
    ['a number in an attribute as text', span(bytesField(9, bytesField(2, textField(3, 'x'))))],
    [
      'an array of numbers as they are',
      span(bytesField(9, bytesField(2, bytesField(5, varintField(1, 1n))))),
    ],
    ['an event time as a varint', span(bytesField(11, varintField(1, 1n)))],
    ['a link id as a number', span(bytesField(13, varintField(1, 1n)))],
    [
      'a malformed attribute of an event',
      span(bytesField(11, bytesField(3, bytesField(2, varintField(1, 1n))))),
    ],
    [
      'a malformed resource',
      bytesField(
        1,
        Buffer.concat([bytesField(1, varintField(1, 1n)), bytesField(2, bytesField(2, Buffer.alloc(0)))]),
      ),
    ],
    [
      'a malformed scope',
      bytesField(
        1,
        bytesField(2, Buffer.concat([bytesField(1, varintField(1, 1n)), bytesField(2, Buffer.alloc(0))])),
      ),
    ],
  ])('throws WireError for %s', (_definition, body) => {
    expect(() => scan(body)).toThrow(WireError);
  });

  it('takes an unknown field of any wire type, and the reserved field 1 of a status', () => {
    const [first] = otlpRequest([{ id: 1 }]).length > 0 ? incomingSpans([{ id: 1 }]) : [];
    const status = Buffer.concat([varintField(1, 2n), varintField(3, 2n), bytesField(2, Buffer.from('bad'))]);
    const odd = groupField(200, [varintField(1, 1n), groupField(2, [doubleField(9, 1)])]);
    const body = span(first?.bytes as Buffer, odd, bytesField(15, status), fixed64Field(17, 1n));
    expect(scan(body).spans).toMatchObject([{ name: 'span', status: 2 }]);
  });
});

describe('scanTraces rejects a span alone and keeps its neighbours', () => {
  const good = (id: number): Plain => spanMessage({ id, name: `span ${id}` });
  const request = (spans: Plain[]): Buffer =>
    encodeProto('ExportTraceServiceRequest', { resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const scanBetween = (bad: Plain) => scan(request([good(1), bad, good(2)]));
  const names = (result: ReturnType<typeof scan>): string[] => result.spans.map(({ name }) => name);

  it.each<[rule: string, field: 'traceId' | 'spanId', bytes: Buffer]>([
    ['a trace id that is missing', 'traceId', Buffer.alloc(0)],
    ['a trace id that is too short', 'traceId', Buffer.alloc(15, 1)],
    ['a trace id that is too long', 'traceId', Buffer.alloc(17, 1)],
    ['a trace id as base64 makes of hex', 'traceId', Buffer.alloc(24, 1)],
    ['a trace id of zeros', 'traceId', Buffer.alloc(16)],
    ['a span id that is missing', 'spanId', Buffer.alloc(0)],
    ['a span id that is too short', 'spanId', Buffer.alloc(7, 1)],
    ['a span id that is too long', 'spanId', Buffer.alloc(9, 1)],
    ['a span id of zeros', 'spanId', Buffer.alloc(8)],
  ])('for %s', (_definition, field, bytes) => {
    const result = scanBetween({ ...good(3), [field]: bytes });
    const reason = field === 'traceId' ? 'invalid_trace_id' : 'invalid_span_id';
    expect(names(result)).toEqual(['span 1', 'span 2']);
    expect(result.received).toBe(3);
    expect([...result.rejected]).toEqual([[reason, 1]]);
    expect(result.rejectedSamples).toMatchObject([{ reason, [field]: bytes.toString('hex') }]);
  });

  it('shows the first five of them, their ids truncated to 64 digits', () => {
    const bad = Array.from({ length: 9 }, (_, i) => ({ ...good(i + 1), traceId: Buffer.alloc(100, i + 1) }));
    const { rejectedSamples, rejected } = scan(request(bad));
    expect(rejected.get('invalid_trace_id')).toBe(9);
    expect(rejectedSamples.map(({ traceId }) => traceId)).toEqual(
      [1, 2, 3, 4, 5].map((byte) => Buffer.alloc(32, byte).toString('hex')),
    );
  });

  it.each<[rule: string, parent: Buffer]>([
    ['of zeros', Buffer.alloc(8)],
    ['of a wrong length', Buffer.alloc(7, 1)],
    ['that is empty', Buffer.alloc(0)],
  ])('but reads a parent id %s as none', (_definition, parent) => {
    const { spans } = scan(request([{ ...good(1), parentSpanId: parent }]));
    expect(spans).toMatchObject([{ parentId: '' }]);
  });

  /** An AnyValue with `depth` values one in the other. */
  function nest(depth: number, form: 'arrayValue' | 'kvlistValue'): Buffer {
    const parts = [textField(1, 'leaf')];
    let size = parts[0]?.length ?? 0;
    const opening = (field: number): Buffer => {
      const length = new WireWriter();
      length.tag(field, WIRE_BYTES);
      length.varint(size);
      return length.toBuffer();
    };
    // From the innermost outwards; each level opens with what stands before the one within.
    const put = (part: Buffer): void => {
      parts.push(part);
      size += part.length;
    };
    for (let level = 1; level < depth; level++) {
      if (form === 'kvlistValue') {
        put(opening(2));
        put(textField(1, 'k'));
      }
      put(opening(1));
      put(opening(form === 'arrayValue' ? 5 : 6));
    }
    return Buffer.concat(parts.reverse());
  }
  const valueOf = (bytes: Buffer): Buffer => Buffer.concat([textField(1, 'metadata'), bytesField(2, bytes)]);
  const spanBytes = (id: number, ...more: Buffer[]): Buffer =>
    bytesField(2, Buffer.concat([incomingSpans([{ id, name: `span ${id}` }])[0]?.bytes as Buffer, ...more]));
  const wrap = (...spans: Buffer[]): Buffer => bytesField(1, bytesField(2, Buffer.concat(spans)));

  for (const form of ['arrayValue', 'kvlistValue'] as const) {
    it.each<[place: string, wrapValue: (value: Buffer) => Buffer]>([
      ['an attribute', (value) => bytesField(9, value)],
      ['an event', (value) => bytesField(11, bytesField(3, value))],
      ['a link', (value) => bytesField(13, bytesField(4, value))],
    ])(`at more than ${MAX_VALUE_DEPTH} levels of ${form} in %s`, (_place, wrapValue) => {
      const deep = (levels: number): Buffer => spanBytes(2, wrapValue(valueOf(nest(levels, form))));
      expect(names(scan(wrap(spanBytes(1), deep(MAX_VALUE_DEPTH), spanBytes(3))))).toEqual([
        'span 1',
        'span 2',
        'span 3',
      ]);
      const result = scan(wrap(spanBytes(1), deep(MAX_VALUE_DEPTH + 1), spanBytes(3)));
      expect(names(result)).toEqual(['span 1', 'span 3']);
      expect([...result.rejected]).toEqual([['too_deep', 1]]);
      expect(names(scan(wrap(spanBytes(1), deep(20_000), spanBytes(3))))).toEqual(['span 1', 'span 3']);
    });
  }

  it('and the complete request for a resource or scope that nests deeper than any span may', () => {
    const attribute = (levels: number): Buffer => valueOf(nest(levels, 'arrayValue'));
    const resource = (levels: number): Buffer =>
      bytesField(
        1,
        Buffer.concat([bytesField(1, bytesField(1, attribute(levels))), bytesField(2, spanBytes(1))]),
      );
    const scope = (levels: number): Buffer =>
      bytesField(
        1,
        bytesField(2, Buffer.concat([bytesField(1, bytesField(3, attribute(levels))), spanBytes(1)])),
      );
    for (const body of [resource, scope]) {
      expect(names(scan(body(MAX_VALUE_DEPTH)))).toEqual(['span 1']);
      expect(() => scan(body(MAX_VALUE_DEPTH + 1))).toThrow(WireError);
    }
  });

  it(`above ${MAX_ATTRIBUTES} attributes`, () => {
    const attributes = (count: number): Buffer[] =>
      Array.from({ length: count }, (_, i) =>
        bytesField(9, Buffer.concat([textField(1, `k${i}`), bytesField(2, varintField(3, BigInt(i)))])),
      );
    const body = (count: number): Buffer =>
      wrap(spanBytes(1), spanBytes(2, ...attributes(count)), spanBytes(3));
    for (const count of [5_000, MAX_ATTRIBUTES]) expect(scan(body(count)).spans).toHaveLength(3);
    const result = scan(body(MAX_ATTRIBUTES + 1));
    expect(names(result)).toEqual(['span 1', 'span 3']);
    expect([...result.rejected]).toEqual([['too_many_attributes', 1]]);
  });

  it.each([
    ['events', MAX_EVENTS, 11, 'too_many_events'],
    ['links', MAX_LINKS, 13, 'too_many_links'],
  ] as const)('above 20000 %s', (_, most, field, reason) => {
    const body = (count: number): Buffer =>
      wrap(spanBytes(1), spanBytes(2, Buffer.alloc(2 * count, bytesField(field, Buffer.alloc(0)))));
    expect(scan(body(most)).spans).toHaveLength(2);
    const result = scan(body(most + 1));
    expect(names(result)).toEqual(['span 1']);
    expect([...result.rejected]).toEqual([[reason, 1]]);
  });
});

describe('scanTraces of an envelope in pieces', () => {
  const alternating = (count: number): Buffer =>
    bytesField(1, Buffer.alloc(4 * count, Buffer.from([0x1a, 0, 0x12, 0])));

  it('merges what lies between its members', () => {
    expect(scan(alternating(MAX_PIECES)).received).toBe(0);
  });

  it('rejects a request with more pieces than any sender makes', () => {
    expect(() => scan(alternating(MAX_PIECES + 1))).toThrow('an envelope in more than 1024 pieces');
  });
});

describe('scanTraces of large requests', () => {
  it('takes an attribute of 10 MB', () => {
    const text = 'x'.repeat(10 * 1024 * 1024);
    const { spans } = scan(otlpRequest([{ id: 1, attributes: { 'input.value': text } }]));
    expect(spans[0]?.bytes.length).toBeGreaterThan(text.length);
    expect((spans[0]?.flags ?? 0) & SpanFlag.hasInput).not.toBe(0);
  });

  it(`returns too_large above ${MAX_SPANS_PER_REQUEST} spans, whether their ids are good or not`, () => {
    const spans = (count: number): Buffer =>
      bytesField(1, bytesField(2, Buffer.alloc(count * 2, Buffer.from([0x12, 0]))));
    expect(scan(spans(MAX_SPANS_PER_REQUEST)).rejected.get('invalid_trace_id')).toBe(MAX_SPANS_PER_REQUEST);
    expect(() => scan(spans(MAX_SPANS_PER_REQUEST + 1))).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
  });

  it('makes nothing of envelopes without spans', () => {
    const nothing = {
      spans: [],
      received: 0,
      rejected: new Map(),
      rejectedSamples: [],
      invalidTestIds: 0,
      wrongTimes: 0,
      wrongUnit: null,
    };
    const body = Buffer.alloc(2 * MAX_MEMBERS, Buffer.from([0x0a, 0]));
    expect(scan(body)).toEqual(nothing);
    expect(scan(Buffer.alloc(0))).toEqual(nothing);
    expect(scan(bytesField(1, Buffer.alloc(2 * MAX_MEMBERS, Buffer.from([0x12, 0]))))).toEqual(nothing);
  });

  it.each([
    ['resources', Buffer.alloc(2 * MAX_MEMBERS + 2, Buffer.from([0x0a, 0]))],
    ['scopes', bytesField(1, Buffer.alloc(2 * MAX_MEMBERS + 2, Buffer.from([0x12, 0])))],
  ])('rejects more envelopes than spans may be: %s', (what, body) => {
    expect(() => scan(body)).toThrow(`more than ${MAX_MEMBERS} ${what} in one request; send smaller batches`);
  });

  it('does not decode the resource of an envelope without spans', () => {
    const testId = Buffer.concat([textField(1, 'service.test.id'), bytesField(2, textField(1, 'no uuid'))]);
    const resource = bytesField(1, bytesField(1, testId));
    const { invalidTestIds } = scan(bytesField(1, Buffer.concat([resource, bytesField(2, Buffer.alloc(0))])));
    expect(invalidTestIds).toBe(0);
  });
});

describe('scanTraces of what attributes say', () => {
  it('counts test ids that are no uuid, on spans and resources, and takes no notice of empty ones', () => {
    const scanned = scan(
      otlpRequest([
        { id: 1, attributes: { 'service.test.id': 'nightly-7' } },
        { id: 2, attributes: { 'service.test.id': 7 } },
        { id: 3, attributes: { 'service.test.id': null } },
        { id: 4, resource: { 'service.test.id': 'nightly-8' } },
        { id: 5, resource: { 'service.test.id': null } },
      ]),
    );
    expect(scanned.invalidTestIds).toBe(3);
    expect(scanned.spans.every(({ testId, resource }) => testId === null && resource.testId === null)).toBe(
      true,
    );
  });

  it.each([
    ['seconds', 1_767_225_600n],
    ['milliseconds', 1_767_225_600_123n],
    ['microseconds', 1_767_225_600_123_456n],
  ])('counts spans whose times are in %s', (unit, start) => {
    const spanAt = (id: number, time: bigint): Plain => ({
      ...spanMessage({ id }),
      startTimeUnixNano: String(time),
      endTimeUnixNano: String(time + 5n),
    });
    const spans = [spanAt(1, start), spanMessage({ id: 2 }), spanAt(3, 7n)];
    const scanned = scan(
      encodeProto('ExportTraceServiceRequest', { resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    );
    expect(scanned).toMatchObject({ wrongTimes: 1, wrongUnit: unit });
    expect(scanned.spans[0]).toMatchObject({ start, end: start + 5n });
  });

  it('reads a value that is empty as one that is not there', () => {
    const attributes = { 'session.id': null, 'user.id': null, 'llm.model_name': null, 'input.value': null };
    expect(incomingSpans([{ id: 1, attributes }])).toMatchObject([
      { sessionId: null, userId: null, model: null, flags: 0, kind: SPAN_KINDS.indexOf('SPAN') },
    ]);
  });

  it.each([
    ['a missing start by the end', '0', '5', 5n, 5n],
    ['a missing end by the start', '5', '0', 5n, 5n],
    ['an end before its start by the start', '5', '3', 5n, 5n],
    ['two missing times by the time of receipt', '0', '0', RECEIVED, RECEIVED],
    [
      'times beyond 63 bits by the last that fits',
      '18446744073709551615',
      '18446744073709551615',
      INT64_MAX,
      INT64_MAX,
    ],
  ])('corrects %s, and says so', (_definition, startTimeUnixNano, endTimeUnixNano, start, end) => {
    const span = { ...spanMessage({ id: 1 }), startTimeUnixNano, endTimeUnixNano };
    const body = encodeProto('ExportTraceServiceRequest', {
      resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
    });
    expect(scan(body).spans).toMatchObject([{ start, end, flags: SpanFlag.timeAdjusted }]);
  });

  it('merges a status that comes in two pieces', () => {
    const [span] = incomingSpans([{ id: 1, status: 2 }]);
    const bytes = Buffer.concat([span?.bytes as Buffer, bytesField(15, textField(2, 'and why'))]);
    expect(scan(bytesField(1, bytesField(2, bytesField(2, bytes)))).spans).toMatchObject([{ status: 2 }]);
  });

  it('merges a resource that comes in two pieces, of which the later one counts', () => {
    const attribute = (value: Buffer): Buffer =>
      bytesField(1, bytesField(1, Buffer.concat([textField(1, 'service.name'), bytesField(2, value)])));
    const span = bytesField(2, bytesField(2, incomingSpans([{ id: 1 }])[0]?.bytes as Buffer));
    const serviceOf = (...pieces: Buffer[]): string | undefined =>
      scan(bytesField(1, Buffer.concat([...pieces, span]))).spans[0]?.resource.service;
    const [one, two, none] = [
      attribute(textField(1, 'one')),
      attribute(textField(1, 'two')),
      attribute(varintField(3, 1n)),
    ];
    expect([serviceOf(one, two), serviceOf(two, one), serviceOf(one, none)]).toEqual(['two', 'one', '']);
  });

  it('keeps counts and costs within what sums of them can hold', () => {
    const most = 2 ** 53 - 1;
    const attributes = {
      'gen_ai.usage.input_tokens': most,
      'gen_ai.usage.output_tokens': -5,
      'gen_ai.usage.cost': 1e308,
    };
    const [span] = incomingSpans([{ id: 1, attributes }]);
    expect((span?.inputTokens ?? 0) * 2 ** 20).toBeLessThan(2 ** 63);
    expect(span?.outputTokens).toBe(0);
    expect((span?.cost ?? 0) * 2 ** 30).toBeLessThan(Number.MAX_VALUE);
    const [refund] = incomingSpans([{ id: 1, attributes: { 'gen_ai.usage.cost': -1 } }]);
    expect(refund?.cost).toBe(0);
  });

  it('gives spans of one envelope the same resource and scope', () => {
    const spans = incomingSpans([{ id: 1 }, { id: 2 }, { id: 3, scope: 'other' }]);
    expect(new Set(spans.map(({ resource }) => resource)).size).toBe(1);
    expect(new Set(spans.map(({ scope }) => scope)).size).toBe(2);
    expect(spans.map(({ spanId }) => Buffer.from(spanId, 'latin1').toString('hex'))).toEqual(
      [1, 2, 3].map(spanHex),
    );
    expect(spans[0]?.start).toBe(BASE_NS);
    expect(anyValue(null)).toEqual({});
  });

  it('gives spans of equal envelopes the same resource and scope, as they come through a Collector', () => {
    const body = otlpRequest([{ id: 1 }]);
    const twice = Buffer.concat([body, otlpRequest([{ id: 2 }])]);
    const { spans } = scanTraces(twice, 0n, PRICES);
    expect(spans).toHaveLength(2);
    expect(spans[1]?.resource).toBe(spans[0]?.resource);
    expect(spans[1]?.scope).toBe(spans[0]?.scope);
  });
});
