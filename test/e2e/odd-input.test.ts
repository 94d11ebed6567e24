import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { compressLz4, compressSnappy, compressSnappyFramed } from '../support/compressors.ts';
import { memoryInUse, readLedger, readMetric } from '../support/ledger.ts';
import { toText } from '../support/otlp-json.ts';
import { type Plain } from '../support/otlp-proto.ts';
import { bytesField } from '../support/otlp-wire.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { RawConnection, type RawRequest, requestBytes, sendRaw } from '../support/sockets.ts';
import { otlpRequest } from '../support/spans.ts';
import { jsonRequest, jsonSpan, newSpanId, newTraceId, readOtlp } from './otlp-sender.ts';

const MIB = 1024 * 1024;
const JSON_TYPE = 'application/json';
const PROTO_TYPE = 'application/x-protobuf';

type SpanJson = Plain & { id: string; name: string; attributes: Plain };

interface Row {
  name: string;
  /** `trace` is the trace that its neighbours belong to. */
  send: (trace: string, server: TestServer) => Partial<RawRequest> | Promise<Partial<RawRequest>>;
  status: number;
  /** In the message of the answer, or of its partial success. */
  says?: RegExp;
  rejected?: number;
  /** Names of the spans it leaves in the trace, beside its neighbours. */
  stored?: string[];
  answerHeaders?: Record<string, string>;
  /** Fields of the first span it left. */
  part?: Plain;
  /** Something of that span, and what it must be. */
  shows?: (span: SpanJson) => [actual: unknown, expected: unknown];
}

/** gRPC's code for each status; what has none of its own is UNKNOWN. */
const GRPC_CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 12, 429: 8, 503: 14 };

/** The usual limits, and ones that are easy to pass. */
let server: TestServer;
let small: TestServer;
beforeAll(async () => {
  [server, small] = await Promise.all([
    startServer(),
    startServer({ config: { maxBodyBytes: MIB, memoryBudgetBytes: 2 * MIB } }),
  ]);
});
afterAll(() => Promise.all([server.close(), small.close()]));

const goodRequest = (on: TestServer, trace: string, name: string): RawRequest => ({
  path: '/v1/traces',
  headers: { ...on.headers, 'content-type': PROTO_TYPE },
  body: otlpRequest([{ trace, id: newSpanId(), name }]),
});

function testRows(title: string, on: () => TestServer, rows: readonly Row[]): void {
  describe(`OTLP: ${title}`, () => {
    it.each(rows)(
      '$name',
      async ({ send, status, says, rejected = 0, stored = [], answerHeaders = {}, part = {}, shows }) => {
        const trace = newTraceId();
        const neighbours = await RawConnection.open(on().url);
        expect((await neighbours.send(goodRequest(on(), trace, 'before'))).status).toBe(200);

        const { headers = {}, ...request } = await send(trace, on());
        const answer = await sendRaw(on().url, {
          path: '/v1/traces',
          headers: { ...on().headers, 'content-type': JSON_TYPE, ...headers },
          ...request,
        });
        expect(`${answer.status} ${answer.body.toString('latin1')}`).toMatch(new RegExp(`^${status} `));
        const decoded = readOtlp(answer);
        expect(decoded.message).toMatch(says ?? /^/);
        if ('rejected' in decoded) {
          expect(decoded.rejected).toBe(rejected);
          expect(decoded.message === '').toBe(rejected === 0);
        } else expect(decoded.code).toBe(GRPC_CODES[status] ?? 2);
        expect(answer.headers).toMatchObject(answerHeaders);
        expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);

        expect((await neighbours.send(goodRequest(on(), trace, 'after'))).status).toBe(200);
        neighbours.close();
        const { json } = await on().call('GET', `/v0/traces/${trace}/spans?include=payload`);
        const spans = (json as { data: SpanJson[] }).data.filter((span) => !span['placeholder']);
        expect(spans.map(({ name }) => name).sort()).toEqual(['after', 'before', ...stored].sort());
        const left = spans.find(({ name }) => name === stored[0]);
        if (left) expect(left).toMatchObject(part);
        if (left && shows) {
          const [actual, wanted] = shows(left);
          expect(actual).toEqual(wanted);
        }
        await expect.poll(() => memoryInUse(on())).toBe(0);
      },
    );
  });
}

const jsonBody = (...spans: unknown[]): string => toText(jsonRequest(...spans));
const protoBody = (trace: string, name = 'odd', attributes = {}): Buffer =>
  otlpRequest([{ trace, id: newSpanId(), name, attributes }]);
/** A request of one span whose message is written by hand. */
const protoOf = (span: Buffer): Buffer => bytesField(1, bytesField(2, bytesField(2, span)));
const proto = (body: Uint8Array): Partial<RawRequest> => ({ body, headers: { 'content-type': PROTO_TYPE } });
const odd = ['odd'];
const encode = { gzip: gzipSync, deflate: deflateSync, zstd: zstdCompressSync } as const;

testRows('methods and paths', () => server, [
  ...['/v1/traces', '/v0/otel/traces', '/v0/otel/v1/traces'].flatMap((path): Row[] => [
    {
      name: `JSON to ${path} is stored`,
      send: (trace) => ({ path, body: jsonBody(jsonSpan(trace, 'odd')) }),
      status: 200,
      stored: odd,
    },
    {
      name: `protobuf to ${path} is stored`,
      send: (trace) => ({ path, ...proto(protoBody(trace)) }),
      status: 200,
      stored: odd,
    },
  ]),
  ...[
    '/api/public/otel/v1/traces',
    '/otel/v1/traces',
    '/api/otel/v1/traces',
    '/api/v1/private/otel/v1/traces',
    '/otlp/v1/traces',
    '/v1/traces/',
    '//v1//traces',
    '/v0/otel//v1/traces/?debug=1',
  ].map(
    (path): Row => ({
      name: `${path} is served too`,
      send: (trace) => ({ path, ...proto(protoBody(trace)) }),
      status: 200,
      stored: odd,
    }),
  ),
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Row => ({
      name: `${method} is 405 and names POST`,
      send: () => ({ method }),
      status: 405,
      answerHeaders: { allow: 'POST' },
    }),
  ),
]);

testRows('content types', () => server, [
  ...[
    'application/json; charset=utf-8',
    'Application/JSON; Charset="UTF-8"',
    'APPLICATION/JSON',
    'application/json ;x=y',
  ].map(
    (type): Row => ({
      name: `${type} is JSON`,
      send: (trace) => ({ body: jsonBody(jsonSpan(trace, 'odd')), headers: { 'content-type': type } }),
      status: 200,
      stored: odd,
      answerHeaders: { 'content-type': JSON_TYPE },
    }),
  ),
  ...['application/x-protobuf', 'APPLICATION/X-PROTOBUF', 'application/x-protobuf; charset=utf-8'].map(
    (type): Row => ({
      name: `${type} is protobuf`,
      send: (trace) => ({ body: protoBody(trace), headers: { 'content-type': type } }),
      status: 200,
      stored: odd,
      answerHeaders: { 'content-type': PROTO_TYPE },
    }),
  ),
  ...[
    null,
    '',
    'text/plain',
    'application/octet-stream',
    'application/grpc',
    'application/jsonx',
    'json',
  ].map(
    (type): Row => ({
      name: type === null ? 'a missing one is 415' : `"${type}" is 415`,
      send: (trace) => ({ body: jsonBody(jsonSpan(trace, 'odd')), headers: { 'content-type': type } }),
      status: 415,
      says: /Content-Type must be application\/x-protobuf or application\/json/,
      answerHeaders: { 'content-type': JSON_TYPE },
    }),
  ),
]);

const encoded = (encoding: string, body: Uint8Array, type = PROTO_TYPE): Partial<RawRequest> => ({
  body,
  headers: { 'content-type': type, 'content-encoding': encoding },
});

testRows('content encodings', () => server, [
  ...(
    [
      ['gzip', gzipSync],
      ['GZIP', gzipSync],
      ['x-gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['zstd', zstdCompressSync],
      ['zlib', deflateSync],
      ['snappy', compressSnappy],
      ['snappy', compressSnappyFramed],
      ['x-snappy-framed', compressSnappyFramed],
      ['lz4', compressLz4],
      ['identity', (bytes: Buffer) => bytes],
      ['Identity', (bytes: Buffer) => bytes],
    ] as const
  ).flatMap(([encoding, compress]): Row[] => [
    {
      name: `${encoding} by ${compress.name || 'nothing'} in protobuf is read`,
      send: (trace) => encoded(encoding, compress(protoBody(trace))),
      status: 200,
      stored: odd,
    },
    {
      name: `${encoding} by ${compress.name || 'nothing'} in JSON is read`,
      send: (trace) => encoded(encoding, compress(Buffer.from(jsonBody(jsonSpan(trace, 'odd')))), JSON_TYPE),
      status: 200,
      stored: odd,
    },
  ]),
  {
    name: 'an empty header is none',
    send: (trace) => encoded('', protoBody(trace)),
    status: 200,
    stored: odd,
  },
  {
    name: 'a gzip body in two members is read whole',
    send: (trace) => {
      const body = protoBody(trace);
      return encoded('gzip', Buffer.concat([gzipSync(body.subarray(0, 40)), gzipSync(body.subarray(40))]));
    },
    status: 200,
    stored: odd,
  },
  ...['br', 'lzma', 'gzip, gzip', 'compress'].map(
    (encoding): Row => ({
      name: `${encoding} is 415`,
      send: (trace) => encoded(encoding, protoBody(trace)),
      status: 415,
      says: /Content-Encoding .* is not supported/,
    }),
  ),
  ...(['gzip', 'deflate', 'zstd'] as const).flatMap((encoding): Row[] => [
    {
      name: `${encoding} over a plain body is 400`,
      send: (trace) => encoded(encoding, protoBody(trace)),
      status: 400,
      says: /not valid/,
    },
    {
      name: `truncated ${encoding} is 400`,
      send: (trace) => encoded(encoding, encode[encoding](protoBody(trace)).subarray(0, -12)),
      status: 400,
      says: /not valid/,
    },
    {
      name: `${encoding} of no bytes is 400`,
      send: () => encoded(encoding, Buffer.alloc(0)),
      status: 400,
      says: /not valid/,
    },
    {
      name: `${encoding} of an empty message is an empty request`,
      send: () => encoded(encoding, encode[encoding](Buffer.alloc(0))),
      status: 200,
    },
  ]),
]);

const padded = (trace: string, size: number): string => jsonBody(jsonSpan(trace, 'odd')).padEnd(size);

testRows('sizes', () => small, [
  {
    name: 'a body as large as the limit is read',
    send: (trace) => ({ body: padded(trace, MIB) }),
    status: 200,
    stored: odd,
  },
  {
    name: 'one byte more is 413',
    send: (trace) => ({ body: padded(trace, MIB + 1) }),
    status: 413,
    says: /larger than 1048576 bytes/,
    answerHeaders: { connection: 'close' },
  },
  {
    name: 'a Content-Length over the limit is 413 before any of the body',
    send: () => ({ headers: { 'content-length': '999999999999' } }),
    status: 413,
    answerHeaders: { connection: 'close' },
  },
  {
    name: 'a chunked body over the limit is 413',
    send: (trace) => ({ body: padded(trace, MIB + 1), chunked: 65_536 }),
    status: 413,
    answerHeaders: { connection: 'close' },
  },
  {
    name: 'protobuf over the limit is 413 in protobuf',
    send: (trace) => proto(protoBody(trace, 'odd', { a: 'x'.repeat(MIB) })),
    status: 413,
    answerHeaders: { 'content-type': PROTO_TYPE },
  },
  ...(['gzip', 'deflate', 'zstd'] as const).flatMap((encoding): Row[] => [
    {
      name: `${encoding} that inflates to the limit is read`,
      send: (trace) => encoded(encoding, encode[encoding](Buffer.from(padded(trace, MIB))), JSON_TYPE),
      status: 200,
      stored: odd,
    },
    {
      name: `${encoding} that inflates beyond the limit is 413`,
      send: (trace) => encoded(encoding, encode[encoding](Buffer.from(padded(trace, MIB + 1))), JSON_TYPE),
      status: 413,
      says: /after decompression/,
    },
  ]),
  {
    name: 'an id of many bytes is cut in what is said of it',
    send: (trace) => ({ body: jsonBody(jsonSpan(trace, 'odd', { spanId: 'f'.repeat(500_000) })) }),
    status: 200,
    rejected: 1,
  },
]);

testRows('how a body arrives', () => server, [
  ...[1, 7, 4_096].map(
    (size): Row => ({
      name: `in chunks of ${size}, without Content-Length`,
      send: (trace) => ({ ...proto(protoBody(trace)), chunked: size }),
      status: 200,
      stored: odd,
    }),
  ),
  {
    name: 'in chunks and gzip',
    send: (trace) => ({ ...encoded('gzip', gzipSync(protoBody(trace))), chunked: 11 }),
    status: 200,
    stored: odd,
  },
  {
    name: 'after Expect: 100-continue',
    send: (trace) => {
      const { body, headers } = proto(protoBody(trace));
      return { body: body as Buffer, headers: { ...headers, expect: '100-continue' } };
    },
    status: 200,
    stored: odd,
  },
]);

testRows('messages that are empty', () => server, [
  {
    name: 'no bytes of protobuf',
    send: () => proto(Buffer.alloc(0)),
    status: 200,
    answerHeaders: { 'content-length': '0', 'content-type': PROTO_TYPE },
  },
  {
    name: 'no bytes of protobuf, chunked',
    send: () => ({ ...proto(Buffer.alloc(0)), chunked: 1 }),
    status: 200,
  },
  ...[
    '{}',
    '{"resourceSpans":[]}',
    '{"resourceSpans":null}',
    '{"resourceSpans":[{}]}',
    '{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[]}]}]}',
    ' \n{ }\t',
  ].map((body): Row => ({ name: `${JSON.stringify(body)} is success`, send: () => ({ body }), status: 200 })),
  {
    name: 'protobuf envelopes without spans',
    send: () => proto(bytesField(1, bytesField(2, Buffer.alloc(0)))),
    status: 200,
  },
]);

/** test/ingest/otlp holds what a decoder takes and rejects; these show what a sender sees of it. */
testRows('messages that are broken', () => server, [
  ...['', '{"resourceSpans":[1]}', '{"resourceSpans":[{"scopeSpans":{}}]}'].map(
    (body): Row => ({ name: `${JSON.stringify(body)} is 400`, send: () => ({ body }), status: 400 }),
  ),
  {
    name: 'JSON nested 100 000 deep and never closed is 400',
    send: () => ({ body: `{"x":${'['.repeat(100_000)}` }),
    status: 400,
  },
  {
    name: 'JSON sent as protobuf is 400',
    send: (trace) => proto(Buffer.from(jsonBody(jsonSpan(trace, 'odd')))),
    status: 400,
  },
  { name: 'protobuf sent as JSON is 400', send: (trace) => ({ body: protoBody(trace) }), status: 400 },
  {
    name: 'protobuf without its last bytes is 400',
    send: (trace) => proto(protoBody(trace).subarray(0, -9)),
    status: 400,
    says: /not a valid OTLP message/,
  },
  {
    name: 'a span with a wrong id is rejected alone',
    send: (trace) => ({
      body: jsonBody(
        jsonSpan(trace, 'left'),
        jsonSpan(trace, 'bad', { spanId: 'x' }),
        jsonSpan(trace, 'right'),
      ),
    }),
    status: 200,
    rejected: 1,
    stored: ['left', 'right'],
  },
  {
    name: 'a request with no other span is 200, in protobuf too',
    send: (trace) => proto(protoOf(bytesField(1, Buffer.from(trace, 'hex')))),
    status: 200,
    rejected: 1,
  },
]);

const logsAndMetrics = protobuf.parse(`
  syntax = "proto3";
  message AnyValue { oneof value { string string_value = 1; int64 int_value = 3; } }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message Scope { string name = 1; }
  message LogRecord {
    fixed64 time_unix_nano = 1; fixed64 observed_time_unix_nano = 11; int32 severity_number = 2;
    string severity_text = 3; AnyValue body = 5; repeated KeyValue attributes = 6; fixed32 flags = 8;
    bytes trace_id = 9; bytes span_id = 10; string event_name = 12;
  }
  message ScopeLogs { Scope scope = 1; repeated LogRecord log_records = 2; }
  message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; }
  message Logs { repeated ResourceLogs resource_logs = 1; }
  message NumberDataPoint { repeated KeyValue attributes = 7; fixed64 time_unix_nano = 3; oneof value { double as_double = 4; sfixed64 as_int = 6; } }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Metric { string name = 1; string description = 2; string unit = 3; Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
  message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
  message HistogramDataPoint { fixed64 time_unix_nano = 3; fixed64 count = 4; double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; }
  message ScopeMetrics { Scope scope = 1; repeated Metric metrics = 2; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }`).root;

const otherSignal = (type: 'Logs' | 'Metrics', message: Plain): Buffer => {
  const found = logsAndMetrics.lookupType(type);
  return Buffer.from(found.encode(found.fromObject(message)).finish());
};
const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
const logRecord = (over: Plain): Plain => ({
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'hello' },
  ...over,
});
const logs = (record: Plain): Plain => ({
  resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'l' }, logRecords: [record] }] }],
});
const metrics = (metric: Plain): Plain => ({
  resourceMetrics: [
    {
      resource,
      scopeMetrics: [
        { scope: { name: 'm' }, metrics: [{ name: 'http.server.duration', unit: 's', ...metric }] },
      ],
    },
  ],
});
const point = { timeUnixNano: '1790000000000000000', asInt: '5' };
const logTime = { timeUnixNano: '1790000000000000000' };
/** A request, and the same in JSON where that differs. */
const someLogs: [what: string, message: Plain, json?: Plain][] = [
  ['with both times', logs(logRecord({ ...logTime, observedTimeUnixNano: '1790000000000000001' }))],
  ['with the observed time only', logs(logRecord({ observedTimeUnixNano: '1790000000000000001' }))],
  [
    'with trace and span id',
    logs(logRecord({ ...logTime, traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 2) })),
    logs(logRecord({ ...logTime, traceId: '01'.repeat(16), spanId: '02'.repeat(8) })),
  ],
];
const someMetrics: [string, Plain][] = [
  ['a gauge', metrics({ gauge: { dataPoints: [point] } })],
  ['a sum', metrics({ sum: { dataPoints: [point], aggregationTemporality: 2, isMonotonic: true } })],
  [
    'a histogram',
    metrics({
      histogram: {
        dataPoints: [
          {
            timeUnixNano: '1790000000000000000',
            count: '1',
            sum: 0.5,
            bucketCounts: ['1'],
            explicitBounds: [],
          },
        ],
      },
    }),
  ],
];

testRows('other signals', () => server, [
  ...someLogs.flatMap(([what, message, json = message]): Row[] => [
    {
      name: `logs ${what} to the traces path are 400 that says so`,
      send: () => proto(otherSignal('Logs', message)),
      status: 400,
      says: /looks like OTLP logs; send logs to \/v1\/logs/,
    },
    {
      name: `logs ${what} to their own path are 200`,
      send: () => ({ path: '/v1/logs', ...proto(otherSignal('Logs', message)) }),
      status: 200,
    },
    {
      name: `logs ${what} as JSON to the traces path are 400 that says so`,
      send: () => ({ body: JSON.stringify(json) }),
      status: 400,
      says: /logs.*\/v1\/logs/,
    },
    {
      name: `logs ${what} as JSON to their own path are 200`,
      send: () => ({ path: '/v1/logs', body: JSON.stringify(json) }),
      status: 200,
    },
  ]),
  ...someMetrics.flatMap(([what, message]): Row[] => [
    {
      name: `${what} to the traces path is 400 that says so`,
      send: () => proto(otherSignal('Metrics', message)),
      status: 400,
      says: /looks like OTLP metrics; send metrics to \/v1\/metrics/,
    },
    {
      name: `${what} to its own path is 200`,
      send: () => ({ path: '/v1/metrics', ...proto(otherSignal('Metrics', message)) }),
      status: 200,
    },
    {
      name: `${what} as JSON to the traces path is 400 that says so`,
      send: () => ({ body: JSON.stringify(message) }),
      status: 400,
      says: /metrics.*\/v1\/metrics/,
    },
    {
      name: `${what} as JSON to its own path is 200`,
      send: () => ({ path: '/v1/metrics', body: JSON.stringify(message) }),
      status: 200,
    },
  ]),
  {
    name: 'spans without their envelope are 400 with a hint',
    send: (trace) => ({ body: JSON.stringify({ spans: [jsonSpan(trace, 'odd')] }) }),
    status: 400,
    says: /wrapped as \{"resourceSpans"/,
  },
  ...['/v1/logs', '/v1/metrics'].flatMap((path): Row[] => [
    { name: `no bytes to ${path}`, send: () => ({ path, ...proto(Buffer.alloc(0)) }), status: 200 },
    { name: `{} to ${path}`, send: () => ({ path, body: '{}' }), status: 200 },
    { name: `no JSON to ${path} is 400`, send: () => ({ path, body: '{' }), status: 400 },
    {
      name: `broken protobuf to ${path} is 400`,
      send: () => ({ path, ...proto(Buffer.from([0x0a, 0x05])) }),
      status: 400,
    },
    {
      name: `GET ${path} is 405`,
      send: () => ({ path, method: 'GET' }),
      status: 405,
      answerHeaders: { allow: 'POST' },
    },
  ]),
]);

describe('paths that are none', () => {
  it.each([
    ['POST', '/v1/trace', 404],
    ['POST', '/v1/traces/a', 404],
    ['POST', '/v0//tasks', 404],
    ['POST', '/v1development/profiles', 404],
    ['OPTIONS', '/v1/traces', 405],
  ])('%s %s is %i', async (method, path, status) => {
    const answer = await sendRaw(server.url, {
      method,
      path,
      headers: { ...server.headers, 'content-type': JSON_TYPE },
      body: '{}',
    });
    expect(answer.status).toBe(status);
    // A google.rpc.Status: elsewhere than on paths of OTLP its code is left out.
    const code = status === 405 ? { code: 2 } : {};
    expect(JSON.parse(answer.body.toString())).toEqual({ ...code, message: expect.any(String) as string });
  });
});

describe('connections', () => {
  it('disconnects a sender in the middle of its body, and gives its memory back', async () => {
    const trace = newTraceId();
    const gone = 'touchstone_rejected_total{reason="client_gone"}';
    const before = await readMetric(server, gone);
    const whole = requestBytes({
      path: '/v1/traces',
      headers: { ...server.headers, 'content-type': PROTO_TYPE },
      body: protoBody(trace, 'odd', { a: 'x'.repeat(2 * MIB) }),
    });
    const senders = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(server.url)));
    for (const sender of senders) sender.write(whole.subarray(0, MIB));
    await expect.poll(() => memoryInUse(server)).toBeGreaterThan(15 * MIB);
    for (const sender of senders) sender.destroy();

    await expect.poll(() => memoryInUse(server)).toBe(0);
    await expect.poll(() => readMetric(server, gone)).toBe(before + senders.length);
    expect((await sendRaw(server.url, goodRequest(server, trace, 'after'))).status).toBe(200);
  });

  it('gives memory back of senders that went before their key was looked up', async () => {
    const whole = requestBytes({
      path: '/v1/traces',
      headers: { 'content-type': PROTO_TYPE },
      body: protoBody(newTraceId()),
    });
    const closing = Array.from({ length: 100 }, async () => {
      // A key of its own each time, so that none is remembered.
      const headers = await server.newKey(['ingest']);
      const sender = await RawConnection.open(server.url);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const at = whole.indexOf('\r\n') + 2;
      const bytes = Buffer.concat([
        whole.subarray(0, at),
        Buffer.from(lines.join('')),
        whole.subarray(at, -5),
      ]);
      await sender.writeAll(bytes);
      sender.destroy();
    });
    await Promise.all(closing);
    // Each is noticed, answered or not.
    await expect.poll(() => memoryInUse(server)).toBe(0);
    const { status } = await sendRaw(server.url, goodRequest(server, newTraceId(), 'after'));
    expect(status).toBe(200);
    await expect.poll(() => memoryInUse(server)).toBe(0);
  });

  it('waits for a slow body, and delays no other request', async () => {
    const trace = newTraceId();
    const bytes = requestBytes(goodRequest(server, trace, 'slow'));
    const slow = await RawConnection.open(server.url);
    const answer = slow.answer();
    const steps = 10;
    for (let i = 0; i < steps; i++) {
      slow.write(bytes.subarray((bytes.length * i) / steps, (bytes.length * (i + 1)) / steps));
      if (i < steps - 1)
        expect((await sendRaw(server.url, goodRequest(server, trace, `fast ${i}`))).status).toBe(200);
    }
    expect((await answer).status).toBe(200);
    slow.close();
  });

  it('responds to requests that were sent without waiting, in order', async () => {
    const trace = newTraceId();
    const connection = await RawConnection.open(server.url);
    const good = requestBytes(goodRequest(server, trace, 'one'));
    const bad = requestBytes({
      path: '/v1/traces',
      headers: { ...server.headers, 'content-type': PROTO_TYPE },
      body: Buffer.from([0x0a, 0x05]),
    });
    const unknown = requestBytes({
      path: '/v1/traces',
      headers: { ...server.headers, 'content-type': 'text/plain' },
      body: 'x'.repeat(100_000),
    });
    connection.write(Buffer.concat([good, bad, unknown, good]));
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await connection.answer()).status);
    expect(statuses).toEqual([200, 400, 415, 200]);
    connection.close();
  });

  it.each([
    ['with Content-Length', undefined],
    ['chunked', 65_536],
  ])('reports to a sender that does not stop that its body is too large, %s', async (_, chunked) => {
    // The complete of it is written, as most clients do, before the answer is looked for.
    const init: RequestInit & { duplex?: 'half' } = {
      method: 'POST',
      headers: { ...small.headers, 'content-type': JSON_TYPE },
      body:
        chunked === undefined
          ? Buffer.alloc(20 * MIB, 0x20)
          : new Blob([Buffer.alloc(20 * MIB, 0x20)]).stream(),
      ...(chunked === undefined ? {} : { duplex: 'half' }),
    };
    expect((await fetch(`${small.url}/v1/traces`, init)).status).toBe(413);
  });
});

describe('a full memory budget', () => {
  it.each([
    ['protobuf', PROTO_TYPE],
    ['JSON', JSON_TYPE],
  ])('is 503 with Retry-After in %s, and the same request is taken afterwards', async (_, type) => {
    const trace = newTraceId();
    const body =
      type === PROTO_TYPE ? protoBody(trace, 'odd', { a: 'x'.repeat(600_000) }) : padded(trace, 600_000);
    const request: RawRequest = {
      path: '/v1/traces',
      headers: { ...small.headers, 'content-type': type },
      body,
    };
    const holders = await Promise.all([RawConnection.open(small.url), RawConnection.open(small.url)]);
    // Of two organisations: one alone never gets all of it.
    const { headers: others } = await small.newTenant({ orgId: 'org-2' });
    for (const [i, holder] of holders.entries()) {
      const headers = { ...request.headers, ...(i === 0 ? {} : others) };
      holder.write(
        requestBytes({ ...request, headers, body: Buffer.alloc(800_000, 0x20) }).subarray(0, 790_000),
      );
    }
    await expect.poll(() => memoryInUse(small)).toBeGreaterThan(1_590_000);

    const connection = await RawConnection.open(small.url);
    const answer = await connection.send(request);
    expect(answer.status).toBe(503);
    expect(readOtlp(answer)).toMatchObject({ code: 14, retrySeconds: Number(answer.headers['retry-after']) });
    expect(answer.headers).toMatchObject({ connection: 'close', 'content-type': type });
    await connection.closed;

    for (const holder of holders) holder.destroy();
    await expect.poll(() => memoryInUse(small)).toBe(0);
    expect((await sendRaw(small.url, request)).status).toBe(200);
    expect((await small.call('GET', `/v0/traces/${trace}`)).json).toMatchObject({ data: { spanCount: 1 } });
  });
});

describe('decompression bombs', () => {
  let dataDir: string;
  let child: ChildServer;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
    child = await ChildServer.start({ dataDir, presets: newPresets() });
  });
  afterAll(async () => {
    await child.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  const tenMb = Buffer.alloc(10_000_000);
  const member = gzipSync(tenMb);
  const bombs: [string, string, Buffer][] = [
    ['70 MB', 'gzip', gzipSync(Buffer.alloc(70_000_000))],
    ['1 GB in a hundred members', 'gzip', Buffer.concat(Array.from({ length: 100 }, () => member))],
    ['70 MB', 'deflate', deflateSync(Buffer.alloc(70_000_000))],
    ['70 MB', 'zstd', zstdCompressSync(Buffer.alloc(70_000_000))],
  ];

  it.each(bombs)(
    'of %s in %s is 413, and memory does not grow with their number',
    async (_, encoding, bomb) => {
      const request: RawRequest = {
        path: '/v1/traces',
        headers: { ...child.headers, 'content-type': PROTO_TYPE, 'content-encoding': encoding },
        body: bomb,
      };
      const send = async (): Promise<number> => (await sendRaw(child.url, request)).status;
      // The first few warm up; then many at once, 770 MB unpacked, may not take more than the memory budget.
      for (let i = 0; i < 3; i++) expect(await send()).toBe(413);
      const after3 = child.peakResidentBytes;
      const statuses = await Promise.all(Array.from({ length: 12 }, send));
      expect(new Set(statuses)).toEqual(new Set([413]));
      expect(child.peakResidentBytes - after3).toBeLessThan(192 * MIB);
      expect(child.peakResidentBytes).toBeLessThan(600 * MIB);
      await expect.poll(() => memoryInUse(child)).toBe(0);
      const trace = newTraceId();
      const good = {
        path: '/v1/traces',
        headers: { ...child.headers, 'content-type': PROTO_TYPE },
        body: protoBody(trace),
      };
      expect((await sendRaw(child.url, good)).status).toBe(200);
    },
  );
});

it('balances its books after all of that', async () => {
  for (const one of [server, small]) {
    const ledger = await readLedger(one);
    expect(ledger.received).toBeGreaterThan(0);
    expect(ledger.replaced).toBe(0);
    expect(one.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  }
  const { notices, rejected } = await readLedger(server);
  expect(rejected).toBe(2);
  expect(notices).toMatchObject({
    refused_bad_request: expect.any(Number) as number,
    refused_unsupported_media_type: expect.any(Number) as number,
    // One of them has the id of a span, and is sent twice.
    log_records: 1,
    log_record_duplicates: 1,
    dropped_log_records: (someLogs.length - 1) * 2,
    dropped_metrics: someMetrics.length * 2,
  });
});
