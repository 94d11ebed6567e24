import { describe, expect, it } from 'vitest';
import { encodeTracesJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { decodeJson, raw, rejectionOf, requestOf, spanOf } from '../../support/otlp-json.ts';
import { asDecoded, type Plain } from '../../support/otlp-proto.ts';

const TRACE_ID = '0102030405060708090a0b0c0d0e0f10';
const SPAN_ID = '00000000000000ab';

it('gives the bytes that the JavaScript SDK gave for the same span', () => {
  const body = {
    resourceSpans: [
      {
        resource: {
          attributes: [{ key: 'service.name', value: { stringValue: 'svc' } }],
          droppedAttributesCount: 0,
        },
        scopeSpans: [
          {
            scope: { name: 'lib', version: '1.0' },
            spans: [
              {
                traceId: TRACE_ID,
                spanId: '0000000000000001',
                name: 'chat m',
                kind: 3,
                startTimeUnixNano: '1700000000123456789',
                endTimeUnixNano: '1700000001000000000',
                attributes: [
                  { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                  { key: 'i', value: { intValue: -3 } },
                  { key: 'd', value: { doubleValue: 0.5 } },
                  { key: 'b', value: { boolValue: true } },
                  {
                    key: 'a',
                    value: { arrayValue: { values: [{ stringValue: 'x' }, { stringValue: 'y' }] } },
                  },
                ],
                droppedAttributesCount: 0,
                events: [
                  {
                    attributes: [{ key: 'k', value: { stringValue: 'v' } }],
                    name: 'ev',
                    timeUnixNano: '1700000000200000000',
                    droppedAttributesCount: 0,
                  },
                ],
                droppedEventsCount: 0,
                status: { code: 2, message: 'boom' },
                links: [],
                droppedLinksCount: 0,
                flags: 257,
              },
            ],
            schemaUrl: 'https://opentelemetry.io/schemas/1.41.0',
          },
        ],
      },
    ],
  };
  expect(encodeTracesJson(Buffer.from(JSON.stringify(body))).toString('hex')).toBe(
    '0a9e020a190a150a0c736572766963652e6e616d6512050a0373766310001280020a0a0a036c69621203312e3012c801' +
      '0a100102030405060708090a0b0c0d0e0f10120800000000000000012a0663686174206d30033915cd853dfe9c97174100cac471fe9c9717' +
      '4a1f0a1567656e5f61692e6f7065726174696f6e2e6e616d6512060a04636861744a100a0169120b18fdffffffffffffffff01' +
      '4a0e0a0164120921000000000000e03f4a070a0162120210014a110a0161120c2a0a0a030a01780a030a0179' +
      '50005a190900c21542fe9c9717120265761a080a016b12030a01762000600070007a081204626f6f6d1802850101010000' +
      '1a2768747470733a2f2f6f70656e74656c656d657472792e696f2f736368656d61732f312e34312e30',
  );
});

describe('keys', () => {
  const camel = {
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    parentSpanId: SPAN_ID,
    traceState: 'a=b',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    droppedAttributesCount: 3,
    droppedEventsCount: 4,
    droppedLinksCount: 5,
    attributes: [
      { key: 'a', value: { arrayValue: { values: [{ boolValue: true }] } } },
      { key: 'k', value: { kvlistValue: { values: [{ key: 'i', value: { intValue: '6' } }] } } },
      { key: 'd', value: { doubleValue: 0.5 } },
      { key: 'b', value: { bytesValue: 'AAEC' } },
      { key: 's', value: { stringValue: 'x' } },
    ],
    events: [{ timeUnixNano: '7', droppedAttributesCount: 8 }],
    links: [{ traceId: TRACE_ID, spanId: SPAN_ID, traceState: 'c=d', droppedAttributesCount: 9 }],
  };
  const request = JSON.stringify({
    resourceSpans: [
      {
        resource: {
          droppedAttributesCount: 1,
          entityRefs: [{ schemaUrl: 'u', type: 'service', idKeys: ['a', 'b'], descriptionKeys: ['c'] }],
        },
        scopeSpans: [{ scope: { droppedAttributesCount: 2 }, spans: [camel], schemaUrl: 'u' }],
        schemaUrl: 'v',
      },
    ],
  });

  it('may be lowerCamelCase or snake_case', () => {
    const snake = request.replaceAll(/"(\w+)":/g, (key) =>
      key.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
    );
    expect(snake).toContain('"start_time_unix_nano":"1"');
    expect(decodeJson(snake)).toEqual(decodeJson(request));
    expect(decodeJson(request)).toEqual(asDecoded('ExportTraceServiceRequest', protoJson(request)));
  });

  it('that are unknown are ignored', () => {
    const more = request.replaceAll(/"(\w+)":/g, '"extra":{"name":[1]},"$1":');
    expect(decodeJson(more)).toEqual(decodeJson(request));
  });

  it('that hold null are absent', () => {
    expect(
      spanOf({ name: null, kind: null, attributes: null, status: null, startTimeUnixNano: null }),
    ).toEqual(spanOf({}));
    expect(decodeJson('{"resourceSpans":null}')).toEqual({ resourceSpans: [] });
  });

  it('that come twice: the last counts', () => {
    expect(spanOf({ name: raw('"a","name":"b"') }).name).toBe('b');
  });

  it('named __proto__ are harmless', () => {
    const span = spanOf({ name: raw('"a","__proto__":{"kind":2,"toString":1}') });
    expect(span).toEqual(spanOf({ name: 'a' }));
    expect(({} as Plain).kind).toBeUndefined();
    expect(
      spanOf({ attributes: [{ key: '__proto__', value: { stringValue: 'x' } }] }).attributes[0]?.key,
    ).toBe('__proto__');
  });

  /** protobufjs takes its own JSON form: ids in base64. */
  function protoJson(text: string): Plain {
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    return JSON.parse(
      text.replaceAll(TRACE_ID, base64(TRACE_ID)).replaceAll(SPAN_ID, base64(SPAN_ID)),
    ) as Plain;
  }
});

describe('ids', () => {
  const hexOf = (base64: unknown): string => Buffer.from(base64 as string, 'base64').toString('hex');
  const idsOf = (span: object): [trace: string, span: string, parent: string] => {
    const { traceId, spanId, parentSpanId } = spanOf(span);
    return [hexOf(traceId), hexOf(spanId), hexOf(parentSpanId)];
  };

  it('are hex in either case', () => {
    const ids = {
      traceId: TRACE_ID.toUpperCase(),
      spanId: SPAN_ID.toUpperCase(),
      parentSpanId: 'ABCDEFabcdef0000',
    };
    expect(idsOf(ids)).toEqual([TRACE_ID, SPAN_ID, 'abcdefabcdef0000']);
  });

  it('that are all zero stay all zero', () => {
    const zero = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), parentSpanId: '0'.repeat(16) };
    expect(idsOf(zero)).toEqual([zero.traceId, zero.spanId, zero.parentSpanId]);
  });

  it.each([
    {},
    { traceId: null, spanId: null, parentSpanId: null },
    { traceId: '', spanId: '', parentSpanId: '' },
  ])('that are missing are empty: %j', (ids) => {
    expect(idsOf(ids)).toEqual(['', '', '']);
    expect(encodeTracesJson(Buffer.from(requestOf(ids))).toString('hex')).toMatch(/0a001200$/);
  });

  it.each([
    ['too short', TRACE_ID.slice(1), SPAN_ID.slice(1)],
    ['too long', `${TRACE_ID}0`, `${SPAN_ID}0`],
    ['not hex', `${TRACE_ID.slice(1)}g`, `${SPAN_ID.slice(1)}g`],
    ['not even ASCII', `${TRACE_ID.slice(1)}\u0130`, `${SPAN_ID.slice(1)}\u0130`],
    [
      'base64',
      Buffer.from(TRACE_ID, 'hex').toString('base64'),
      Buffer.from(SPAN_ID, 'hex').toString('base64'),
    ],
    ['uuids', '01020304-0506-0708-090a-0b0c0d0e0f10', '01020304-0506-0708-090a-0b0c0d0e0f10'],
  ])('that are %s keep their text', (_, traceId, spanId) => {
    const expected = [traceId, spanId, spanId].map((id) => Buffer.from(id).toString('hex'));
    expect(idsOf({ traceId, spanId, parentSpanId: spanId })).toEqual(expected);
  });

  it('that are wrong never have the length of right ones', () => {
    const [trace, span, parent] = idsOf({
      traceId: 'x'.repeat(16),
      spanId: 'y'.repeat(8),
      parentSpanId: 'éééé',
    });
    expect([trace.length, span.length, parent.length]).toEqual([34, 18, 18]);
  });

  it('of a link become empty when they are wrong', () => {
    const links = [{ traceId: 'x', spanId: SPAN_ID }, { traceId: TRACE_ID }, {}];
    const decoded = spanOf({ links }).links;
    expect(decoded.map((link) => [hexOf(link.traceId), hexOf(link.spanId)])).toEqual([
      ['', SPAN_ID],
      [TRACE_ID, ''],
      ['', ''],
    ]);
  });
});

describe('times', () => {
  const NANOS = '1700000000123456789';
  const timeOf = (startTimeUnixNano: unknown): unknown => spanOf({ startTimeUnixNano }).startTimeUnixNano;

  it.each([
    ['a decimal string', NANOS, NANOS],
    ['a bare number, to the last digit', raw(NANOS), NANOS],
    ['a bare number with white space around it', raw(` \n${NANOS} `), NANOS],
    ['a whole number in scientific notation', raw('1.7e18'), '1700000000000000000'],
    ['low and high halves', { low: 1032178965, high: 395812094 }, NANOS],
    ['low and high halves that are signed', { low: -1, high: 395812094 }, '1700000003386245119'],
    ['unsigned halves', { low: -1, high: -1, unsigned: true }, '18446744073709551615'],
    ['the largest there is', '18446744073709551615', '18446744073709551615'],
    ['the largest there is as a bare number', raw('18446744073709551615'), '18446744073709551615'],
    ['zero', 0, '0'],
    ['leading zeros', `000${NANOS}`, NANOS],
  ])('may be %s', (_, json, expected) => {
    expect(timeOf(json)).toBe(expected);
  });

  it('keep their digits beside texts that look like numbers', () => {
    const span = spanOf({ name: ':12345678901234567890,', endTimeUnixNano: raw(NANOS) });
    expect(span).toMatchObject({ name: ':12345678901234567890,', endTimeUnixNano: NANOS });
  });

  it.each([
    ['an ISO date', '"2024-01-01T00:00:00Z"'],
    ['negative', '-1'],
    ['a fraction', '1700000000.5'],
    ['too large', '"18446744073709551616"'],
    ['an empty text', '""'],
    ['half a number', '{"low":1}'],
    ['a boolean', 'true'],
  ])('must not be %s', (_, json) => {
    expect(rejectionOf(requestOf({ startTimeUnixNano: 0 }).replace(':0', `:${json}`))).toMatch(
      /^resourceSpans\[0\]\.scopeSpans\[0\]\.spans\[0\]\.startTimeUnixNano: expected Unix nanoseconds as a decimal string, got /,
    );
  });
});

describe('enums', () => {
  it.each([
    [0, 0],
    [5, 5],
    [77, 77],
    [-1, -1],
    ['SPAN_KIND_UNSPECIFIED', 0],
    ['SPAN_KIND_SERVER', 2],
    ['SPAN_KIND_CONSUMER', 5],
  ])('kind %j is %d', (kind, expected) => {
    expect(spanOf({ kind }).kind).toBe(expected);
  });

  it.each([
    [1, 1],
    [9, 9],
    ['STATUS_CODE_OK', 1],
    ['STATUS_CODE_ERROR', 2],
  ])('status code %j is %d', (code, expected) => {
    expect(spanOf({ status: { code } }).status).toEqual({ code: expected, message: '' });
  });

  it.each(['SERVER', 'span_kind_server', 'constructor', '2', 1.5, 2 ** 31, true])(
    'kind %j is rejected',
    (kind) => {
      expect(rejectionOf(requestOf({ kind }))).toContain(
        'spans[0].kind: expected an integer or one of SPAN_KIND_UNSPECIFIED, SPAN_KIND_INTERNAL,',
      );
    },
  );
});

describe('counts and flags', () => {
  it('may be numbers or decimal strings', () => {
    expect(spanOf({ flags: '257', droppedLinksCount: 4294967295 })).toMatchObject({
      flags: 257,
      droppedLinksCount: 4294967295,
    });
  });

  it.each([-1, 1.5, 4294967296, '', '1e3', '0x1', true])('must not be %j', (flags) => {
    expect(rejectionOf(requestOf({ flags }))).toContain(
      'spans[0].flags: expected an integer from 0 to 4294967295',
    );
  });
});

describe('text', () => {
  it('may begin with a byte order mark', () => {
    expect(decodeJson(`\ufeff${requestOf({ name: 'x' })}`)).toEqual(decodeJson(requestOf({ name: 'x' })));
  });

  it('with a lone surrogate or invalid UTF-8 gets U+FFFD', () => {
    expect(spanOf({ name: 'a\ud800b' }).name).toBe('a\ufffdb');
    const invalid = Buffer.from(requestOf({ name: 'a?b' })).map((byte) => (byte === 0x3f ? 0xff : byte));
    expect(encodeTracesJson(Buffer.from(invalid))).toEqual(
      encodeTracesJson(Buffer.from(requestOf({ name: 'a\ufffdb' }))),
    );
  });
});

describe('old names', () => {
  const library = { instrumentationLibrary: { name: 'lib', version: '1' }, spans: [{ name: 'old' }] };
  const scoped = [{ scope: { name: 'lib', version: '1' }, spans: [{ name: 'old' }] }];

  it.each([{}, { scopeSpans: null }, { scopeSpans: [] }])(
    'instrumentationLibrarySpans stand in with %j',
    (more) => {
      const old = { resourceSpans: [{ instrumentationLibrarySpans: [library], ...more }] };
      expect(decodeJson(JSON.stringify(old))).toEqual(
        decodeJson(JSON.stringify({ resourceSpans: [{ scopeSpans: scoped }] })),
      );
    },
  );

  it('instrumentationLibrarySpans are ignored beside scopeSpans', () => {
    const both = { resourceSpans: [{ instrumentationLibrarySpans: [library, library], scopeSpans: scoped }] };
    expect(decodeJson(JSON.stringify(both))).toEqual(
      decodeJson(JSON.stringify({ resourceSpans: [{ scopeSpans: scoped }] })),
    );
  });
});

describe('a body', () => {
  it.each(['{}', '{"resourceSpans":[]}', '{"extra":1}', ' {"resource_spans":[]}\n'])(
    'may be empty: %s',
    (body) => {
      expect(encodeTracesJson(Buffer.from(body))).toEqual(Buffer.alloc(0));
    },
  );

  it('does not disturb the one after it, even when it is rejected', () => {
    const expected = decodeJson(requestOf({ name: 'x' }));
    rejectionOf(
      requestOf({
        name: 'y',
        attributes: [{ key: 'k', value: { arrayValue: { values: [{ intValue: 'z' }] } } }],
      }),
    );
    expect(decodeJson(requestOf({ name: 'x' }))).toEqual(expected);
  });

  it.each([
    ['', 'the body is not JSON: '],
    ['{"resourceSpans":[', 'the body is not JSON: '],
    ['1234', 'body: expected an object such as {"resourceSpans": '],
    ['null', 'body: expected an object such as {"resourceSpans": '],
    ['[{"resourceSpans":[]}]', 'body: expected an object such as {"resourceSpans": '],
    ['{"resourceLogs":[]}', 'this looks like logs; send it to /v1/logs'],
    ['{"resource_metrics":[]}', 'this looks like metrics; send it to /v1/metrics'],
    ['{"spans":[]}', 'spans must be wrapped as {"resourceSpans": '],
    ['{"resourceSpans":{}}', 'resourceSpans: expected an array of objects, got an object'],
    ['{"resourceSpans":[null]}', 'resourceSpans[0]: expected an object, got null'],
    ['{"resourceSpans":[{"resource":[]}]}', 'resourceSpans[0].resource: expected an object, got an array'],
    [
      '{"resourceSpans":[{"resource":{"entityRefs":[{"idKeys":["a",1]}]}}]}',
      'resourceSpans[0].resource.entityRefs[0].idKeys[1]: expected a string, got 1',
    ],
    [
      '{"resourceSpans":[{},{"scopeSpans":[{},{"spans":["x"]}]}]}',
      'resourceSpans[1].scopeSpans[1].spans[0]: expected',
    ],
  ])('is rejected: %s', (body, message) => {
    expect(rejectionOf(body)).toContain(message);
  });

  it.each<[span: object, message: string]>([
    [{ attributes: { a: 1 } }, 'attributes: expected an array of {key, value}, got an object'],
    [{ attributes: ['a'] }, 'attributes[0]: expected an object, got "a"'],
    [{ attributes: [{ key: 1 }] }, 'attributes[0].key: expected a string, got 1'],
    [
      { attributes: [{ key: 'a', value: 'b' }] },
      'attributes[0].value: expected an object such as {"stringValue": "…"}, got "b"',
    ],
    [{ traceId: 5 }, 'traceId: expected a string of 32 hex digits, got 5'],
    [{ spanId: {} }, 'spanId: expected a string of 16 hex digits, got an object'],
    [{ parentSpanId: false }, 'parentSpanId: expected a string of 16 hex digits, got false'],
    [{ links: [{ traceId: [] }] }, 'links[0].traceId: expected a string of 32 hex digits, got an array'],
    [{ name: 5 }, 'name: expected a string, got 5'],
    [{ events: [{ name: ['x'] }] }, 'events[0].name: expected a string, got an array'],
    [{ status: 2 }, 'status: expected an object, got 2'],
    [{ status: { code: 'ERROR' } }, 'status.code: expected an integer or one of STATUS_CODE_UNSET'],
    [{ startTimeUnixNano: 'x'.repeat(50) }, 'decimal string, got a long string'],
  ])('is rejected for a span such as %j', (span, message) => {
    expect(rejectionOf(requestOf(span))).toContain(
      `${message.startsWith('decimal') ? '' : 'spans[0].'}${message}`,
    );
  });
});
