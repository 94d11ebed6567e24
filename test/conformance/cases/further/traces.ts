/** Traces, their spans, and the ledger. */
import type { Case, Step } from '../../case.ts';
import { OWNED, MESSAGE, page, UNKNOWN } from '../../records.ts';
import { ANY, INTEGER, UUID, TIME, TEXT, NUMBER, OBJECT, ABSENT, only, listOf } from '../../shapes.ts';

const SENT: Step = {
  as: 'sent',
  request: 'POST /v0/ingest',
  body: {
    events: [
      {
        type: 'trace',
        timestamp: '2026-03-01T12:00:00Z',
        input: 'Hello',
        output: 'Hi',
        referenceId: 'talk-7',
        metadata: { tier: 'gold' },
        steps: [
          {
            type: 'agent',
            id: 'helper',
            name: 'Helper',
            timestamp: '2026-03-01T12:00:01Z',
            input: 'Hello',
            steps: [],
          },
          {
            type: 'llm',
            event: 'end',
            parentId: 'helper',
            timestamp: '2026-03-01T12:00:02Z',
            modelId: 'gpt-4o',
            output: 'Hi',
            usage: { promptTokens: 7, completionTokens: 2 },
          },
        ],
      },
    ],
  },
};
const TRACED: Case['given'] = [SENT, { as: 'trace', request: 'GET /v0/traces/{{sent.0.id}}' }];
const TRACE = {
  ...OWNED,
  timestamp: '2026-03-01T12:00:00.000Z',
  referenceId: 'talk-7',
  metadata: { tier: 'gold' },
  testId: null,
  testIds: [],
  input: 'Hello',
  output: 'Hi',
  rootName: TEXT,
  services: [],
  sessionId: 'talk-7',
  userId: null,
  models: ['gpt-4o'],
  usage: { promptTokens: 7, completionTokens: 2, totalTokens: 9 },
  cost: NUMBER,
  durationMs: NUMBER,
  spanCount: 2,
  errorCount: 0,
  hasError: false,
  stepCount: INTEGER,
  totalPromptTokens: INTEGER,
  totalCompletionTokens: INTEGER,
  totalCost: ANY,
  totalDurationMs: INTEGER,
  flags: ['unpaired'],
} as const;
const STEP_FIELDS = {
  id: TEXT,
  traceId: '{{trace.id}}',
  parentId: TEXT,
  name: TEXT,
  timestamp: TIME,
  endTime: TIME,
  durationMs: INTEGER,
  status: 'success',
} as const;
const SKELETON = {
  id: /^[0-9a-f]{16}$/,
  name: TEXT,
  kind: TEXT,
  type: TEXT,
  startTime: TIME,
  durationMs: NUMBER,
  status: { code: 'UNSET' },
} as const;
const LEDGER = only({
  hour: TIME,
  keyId: /^[0-9A-Za-z]{12}$/,
  requests: 1,
  received: 2,
  stored: 1,
  duplicate: 0,
  replaced: 0,
  rejected: 1,
  reasons: OBJECT,
  notices: OBJECT,
});
const REJECTED: Step = {
  request: 'POST /v0/ingest',
  body: { events: [{ type: 'trace', timestamp: '2026-03-01T12:00:00Z' }, { type: 'nothing' }] },
};

export const TRACES: readonly Case[] = [
  {
    name: 'traces are listed',
    given: TRACED,
    request: 'GET /v0/traces',
    status: 200,
    contains: only({ data: [TRACE], pagination: page(1) }),
  },
  {
    name: 'a trace has its fields',
    line: ['Trace.*', 'Step.*'],
    given: TRACED,
    request: 'GET /v0/traces/{{trace.id}}',
    status: 200,
    contains: only({
      data: {
        ...TRACE,
        inputSpanId: null,
        outputSpanId: null,
        stepsTruncated: false,
        steps: [
          { ...STEP_FIELDS, parentId: ABSENT, type: 'agent', name: 'Helper' },
          { ...STEP_FIELDS, type: 'llm', event: 'end', modelId: 'gpt-4o', output: 'Hi' },
        ],
      },
    }),
  },
  {
    name: 'a trace without an input of its own has that of its spans',
    line: ['Trace.inputSpanId', 'Trace.outputSpanId'],
    given: [
      {
        as: 'sent',
        request: 'POST /v0/ingest',
        body: {
          events: [
            {
              type: 'trace',
              timestamp: '2026-03-01T12:00:00Z',
              steps: [{ type: 'agent', timestamp: '2026-03-01T12:00:00Z', input: 'Hello', output: 'Hi' }],
            },
          ],
        },
      },
    ],
    request: 'GET /v0/traces/{{sent.0.id}}',
    status: 200,
    contains: {
      data: { input: 'Hello', output: 'Hi', inputSpanId: /^[0-9a-f]{16}$/, outputSpanId: /^[0-9a-f]{16}$/ },
    },
  },
  {
    name: 'a trace is read by 32 hex digits',
    given: TRACED,
    request: 'GET /v0/traces/{{trace.id|hex}}',
    status: 200,
    contains: { data: { id: '{{trace.id}}' } },
  },
  {
    name: 'the spans of a trace are listed',
    line: 'Span.*',
    given: TRACED,
    request: 'GET /v0/traces/{{trace.id}}/spans',
    status: 200,
    contains: only({
      data: [
        { ...SKELETON, parentId: ABSENT },
        { ...SKELETON, parentId: TEXT },
      ],
      pagination: page(2, 0, 1_000),
    }),
    containsNot: ['"attributes"'],
  },
  {
    name: 'spans come whole when asked for',
    line: 'Span.*',
    given: TRACED,
    request: 'GET /v0/traces/{{trace.id}}/spans?include=payload',
    status: 200,
    contains: {
      data: listOf({
        ...SKELETON,
        attributes: OBJECT,
        events: [],
        links: [],
        scope: OBJECT,
        resource: OBJECT,
      }),
    },
  },
  {
    name: 'a trace without its steps is as lists show it',
    given: TRACED,
    request: 'GET /v0/traces/{{trace.id}}?steps=false',
    status: 200,
    contains: only({ data: TRACE }),
  },
  ...['durationMs', 'cost', 'totalTokens'].map(
    (field): Case => ({
      name: `traces are sorted by ${field}`,
      given: TRACED,
      request: `GET /v0/traces?orderBy=${field}&orderDir=asc`,
      status: 200,
      contains: { pagination: page(1) },
    }),
  ),
  {
    name: 'traces are counted by their properties',
    line: 'TraceFacets.*',
    given: TRACED,
    request: 'GET /v0/traces/facets?model=gpt-4o',
    status: 200,
    contains: {
      data: { traces: 1, isTruncated: false, facets: { model: [{ value: 'gpt-4o', traces: 1 }] } },
    },
  },
  {
    name: 'a span is read by its id',
    line: 'SpanDetail.*',
    given: [...TRACED, { as: 'spans', request: 'GET /v0/traces/{{trace.id}}/spans', whole: true }],
    request: 'GET /v0/traces/{{trace.id}}/spans/{{spans.data.0.id}}',
    status: 200,
    contains: {
      data: { id: '{{spans.data.0.id}}', traceId: '{{trace.id}}', parentId: null, attributes: OBJECT },
    },
  },
  {
    name: 'the span index of a trace is packed',
    given: TRACED,
    request: 'GET /v0/traces/{{trace.id}}/span-index',
    status: 200,
    type: /^application\/vnd\.touchstone\.span-index$/,
    says: /^TSIX/,
    answerHeaders: { etag: /^W\/"/ },
  },
  {
    name: 'new traces are streamed',
    given: TRACED,
    request: 'GET /v0/traces/stream?model=gpt-4o',
    status: 200,
    type: /^text\/event-stream/,
    says: /^event: open\nid: \d+\ndata: \{\}\n\n/,
  },
  {
    name: 'traces are exported',
    given: TRACED,
    request: 'GET /v0/traces/export?model=gpt-4o&format=jsonl',
    status: 200,
    type: /^application\/x-ndjson/,
    says: /^\{"id":"[^\n]*\}\n$/,
  },
  {
    name: 'a trace is deleted and stays so',
    given: TRACED,
    request: 'DELETE /v0/traces/{{trace.id}}',
    status: 204,
    after: { request: 'GET /v0/traces/{{trace.id}}', status: 404, contains: MESSAGE },
  },
  {
    name: 'a trace is found by its test',
    given: ['test'],
    request: 'GET /v0/traces/by-test/{{test.id}}',
    status: 200,
    contains: { data: { id: UUID, testId: '{{test.id}}', testIds: ['{{test.id}}'] } },
  },
  ...[
    `GET /v0/traces/${UNKNOWN}`,
    `GET /v0/traces/${UNKNOWN}/spans`,
    `GET /v0/traces/${UNKNOWN}/span-index`,
    `GET /v0/traces/${UNKNOWN}/spans/00000000000000ab`,
    `GET /v0/traces/${UNKNOWN}/spans/00000000000000ab/media/0`,
    `GET /v0/traces/by-test/${UNKNOWN}`,
  ].map(
    (request): Case => ({
      name: `${request} finds nothing`,
      request: request as Case['request'],
      status: 404,
      contains: MESSAGE,
    }),
  ),
  ...[
    'testId={{test.id}}',
    'hasErrors=false',
    'minDurationMs=0',
    'startDate=2026-03-01T12:00:00Z&endDate=2026-03-01T12:00:00Z',
    'search=PARIS',
  ].map(
    (query): Case => ({
      name: `traces with ${query} are found`,
      given: ['test'],
      request: `GET /v0/traces?${query}`,
      status: 200,
      contains: { data: listOf({ id: UUID }) },
    }),
  ),
  ...[
    'sessionId=talk-7',
    'model=gpt-4o',
    'kind=LLM',
    'metadataKey=tier',
    'metadataKey=tier&metadataValue=gold',
    'search=HELL',
    'maxDurationMs=100000',
    'minCost=0',
    'maxCost=1',
  ].map(
    (query): Case => ({
      name: `a trace with ${query} is found`,
      given: TRACED,
      request: `GET /v0/traces?${query}`,
      status: 200,
      contains: { pagination: page(1) },
    }),
  ),
  ...[
    'sessionId=x',
    'userId=x',
    'model=x',
    'kind=TOOL',
    'metadataKey=x',
    'metadataKey=tier&metadataValue=x',
    'search=%25',
    `testId=${UNKNOWN}`,
    'hasErrors=true',
    'minDurationMs=100000',
    'maxDurationMs=1',
    'minCost=1',
    'tag=x',
    'startDate=2026-03-01T12:00:00.001Z',
    'endDate=2026-03-01T11:59:59.999Z',
  ].map(
    (query): Case => ({
      name: `no trace with ${query} is found`,
      given: TRACED,
      request: `GET /v0/traces?${query}`,
      status: 200,
      contains: { pagination: page(0) },
    }),
  ),
  {
    name: 'the ledger adds up',
    line: 'LedgerRow.*',
    given: [REJECTED],
    request: 'GET /v0/ingest/ledger',
    status: 200,
    contains: only({ data: [LEDGER], pagination: page(1) }),
  },
  {
    name: 'what was rejected is listed',
    given: [REJECTED],
    request: 'GET /v0/ingest/ledger/rejected',
    status: 200,
    contains: only({ data: [{ at: TIME, reason: TEXT, message: TEXT, spans: 1 }], pagination: page(1) }),
  },
  {
    name: 'what became of a trace is told',
    given: TRACED,
    request: 'GET /v0/ingest/lookup?traceId={{trace.id}}',
    status: 200,
    contains: only({ data: { stored: true, traceSpanCount: 2, rejections: [] } }),
  },
  {
    name: 'the same of a trace that never came',
    request: `GET /v0/ingest/lookup?traceId=${UNKNOWN}`,
    status: 200,
    contains: only({ data: { stored: false, traceSpanCount: 0, rejections: [] } }),
  },
];
