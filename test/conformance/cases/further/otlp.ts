/** Spans, log records and metrics by OpenTelemetry. */
import type { Case } from '../../case.ts';
import { ABSENT, INTEGER, listOf, only, TEXT } from '../../shapes.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = {
  traceId: TRACE_ID,
  spanId: 'b7ad6b7169203331',
  name: 'answer',
  kind: 1,
  startTimeUnixNano: '1772366400000000000',
  endTimeUnixNano: '1772366401000000000',
  attributes: [],
} as const;
const spans = (...sent: readonly object[]): object => ({
  resourceSpans: [{ scopeSpans: [{ spans: sent }] }],
});
const MESSAGE_WITH_FILE = {
  key: 'gen_ai.output.messages',
  value: {
    stringValue: JSON.stringify([
      { role: 'assistant', parts: [{ type: 'file', uri: 'data:text/plain,parcel 4711' }] },
    ]),
  },
} as const;
const LOG_RECORD = {
  traceId: TRACE_ID,
  spanId: SPAN.spanId,
  timeUnixNano: SPAN.startTimeUnixNano,
  eventName: 'gen_ai.client.inference.operation.details',
  attributes: [],
} as const;
const logs = (...sent: readonly object[]): object => ({
  resourceLogs: [{ scopeLogs: [{ logRecords: sent }] }],
});

const manyAttributes = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ key: `a${index}`, value: { intValue: '1' } }));

const STATUS = only({ code: INTEGER, message: /./ });
const WITH_DETAILS = { code: INTEGER, message: /./ } as const;
const OTLP_PATHS = ['/v1/traces', '/v0/otel/traces', '/v0/otel/v1/traces'] as const;
const SIGNALS = ['/v1/traces', '/v1/logs', '/v1/metrics'] as const;
const PROTOBUF = { 'content-type': 'application/x-protobuf' } as const;
const AS_PROTOBUF = /^application\/x-protobuf$/;

export const OTLP: readonly Case[] = [
  ...OTLP_PATHS.map(
    (path): Case => ({
      name: `spans are taken at ${path}`,
      request: `POST ${path}`,
      body: spans(SPAN),
      status: 200,
      contains: only({}),
      after: {
        request: `GET /v0/traces/${TRACE_ID}`,
        contains: { data: { otelTraceId: TRACE_ID, spanCount: 1, rootName: 'answer' } },
      },
    }),
  ),
  ...SIGNALS.flatMap((path): Case[] => [
    {
      name: `an empty request at ${path}`,
      request: `POST ${path}`,
      body: {},
      status: 200,
      contains: only({}),
    },
    {
      name: `an empty request at ${path}, as protobuf`,
      request: `POST ${path}`,
      headers: PROTOBUF,
      body: '',
      status: 200,
      type: AS_PROTOBUF,
      says: /^$/,
    },
    {
      name: `what is no protobuf at ${path}`,
      request: `POST ${path}`,
      headers: PROTOBUF,
      body: 'no protobuf',
      status: 400,
      type: AS_PROTOBUF,
      says: /./,
    },
    {
      name: `what is no JSON at ${path}`,
      request: `POST ${path}`,
      body: '{"resource',
      status: 400,
      contains: STATUS,
    },
    {
      name: `a content type that is not OTLP's at ${path}`,
      request: `POST ${path}`,
      headers: { 'content-type': 'text/plain' },
      body: '{}',
      status: 415,
      contains: STATUS,
    },
    {
      name: `an encoding that there is not at ${path}`,
      request: `POST ${path}`,
      headers: { 'content-encoding': 'br' },
      body: '{}',
      status: 415,
      contains: STATUS,
    },
    {
      name: `another encoding than was said at ${path}`,
      request: `POST ${path}`,
      headers: { 'content-encoding': 'gzip' },
      body: '{}',
      status: 400,
      contains: STATUS,
    },
    {
      name: `a key that is wrong at ${path}`,
      request: `POST ${path}`,
      headers: { 'x-api-key': 'sk_wrong' },
      body: {},
      status: 401,
      contains: STATUS,
    },
    {
      name: `a key that may not send at ${path}`,
      given: ['reader'],
      request: `POST ${path}`,
      headers: { 'x-api-key': '{{reader.key}}' },
      body: {},
      status: 403,
      contains: STATUS,
    },
  ]),
  {
    name: 'a span without an id is refused alone',
    request: 'POST /v1/traces',
    body: spans(SPAN, { ...SPAN, spanId: '' }),
    status: 200,
    contains: only({ partialSuccess: only({ rejectedSpans: '1', errorMessage: /^1 span: ./ }) }),
    after: { request: `GET /v0/traces/${TRACE_ID}`, contains: { data: { spanCount: 1 } } },
  },
  {
    name: 'spans that are all refused are no failure',
    request: 'POST /v1/traces',
    body: spans({ ...SPAN, spanId: '0000000000000000' }, { ...SPAN, traceId: 'abc' }),
    status: 200,
    contains: only({ partialSuccess: only({ rejectedSpans: '2', errorMessage: TEXT }) }),
  },
  {
    name: 'the media of a message is decoded',
    given: [{ request: 'POST /v1/traces', body: spans({ ...SPAN, attributes: [MESSAGE_WITH_FILE] }) }],
    request: `GET /v0/traces/${TRACE_ID}/spans/${SPAN.spanId}/media/0`,
    status: 200,
    type: /^application\/octet-stream$/,
    says: /^parcel 4711$/,
    answerHeaders: { 'x-content-type-options': 'nosniff' },
  },
  {
    name: 'a span that came before changes nothing',
    given: [{ request: 'POST /v1/traces', body: spans(SPAN) }],
    request: 'POST /v1/traces',
    body: spans(SPAN),
    status: 200,
    contains: only({}),
    after: {
      request: 'GET /v0/ingest/ledger',
      contains: { data: [{ received: 2, stored: 1, duplicate: 1, replaced: 0, rejected: 0 }] },
    },
  },
  {
    name: 'attributes that are an object are not OTLP',
    request: 'POST /v1/traces',
    body: spans({ ...SPAN, attributes: { model: 'gpt-4o' } }),
    status: 400,
    contains: WITH_DETAILS,
    after: { request: `GET /v0/traces/${TRACE_ID}`, status: 404 },
  },
  {
    name: 'logs are told their own door',
    request: 'POST /v1/traces',
    body: logs(LOG_RECORD),
    status: 400,
    contains: WITH_DETAILS,
  },
  {
    name: 'a record of a model is shown with its span',
    given: [{ request: 'POST /v1/traces', body: spans(SPAN) }],
    request: 'POST /v1/logs',
    body: logs(LOG_RECORD),
    status: 200,
    contains: only({}),
    after: {
      request: `GET /v0/traces/${TRACE_ID}/spans?include=payload`,
      contains: { data: [{ id: SPAN.spanId, logs: listOf({ name: LOG_RECORD.eventName }) }] },
    },
  },
  {
    name: 'other records are dropped',
    request: 'POST /v1/logs',
    body: logs({ ...LOG_RECORD, eventName: 'other' }),
    status: 200,
    contains: { partialSuccess: ABSENT },
    after: { request: `GET /v0/traces/${TRACE_ID}`, status: 404 },
  },
  {
    name: 'a record of more attributes than a record may have is refused alone',
    request: 'POST /v1/logs',
    body: logs(LOG_RECORD, { ...LOG_RECORD, attributes: manyAttributes(20_001) }),
    status: 200,
    contains: { partialSuccess: only({ rejectedLogRecords: '1', errorMessage: /20000 attributes/ }) },
  },
];
