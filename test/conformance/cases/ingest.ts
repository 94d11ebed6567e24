import type { Case } from '../case.ts';
import { invalid, MESSAGE } from '../records.ts';
import { only, type Shape, UUID } from '../shapes.ts';

const AT = '2026-03-01T12:00:00.000Z';
const TEST_ID = '33333333-3333-4333-8333-333333333333';
const TRACE_ID = '44444444-4444-4444-8444-444444444444';
const FAILED = only({ success: false, error: /./ });
const STORED = only({ success: true, id: UUID });

const sent = (name: string, line: string, event: unknown, result: Shape, more: Partial<Case> = {}): Case => ({
  name,
  line: `Ingest.${line}`,
  request: 'POST /v0/ingest',
  body: { events: [event] },
  status: 200,
  contains: only({ data: [result] }),
  ...more,
});
const rejected = (name: string, body: unknown, contains: Shape, status = 422): Case => ({
  name,
  line: 'Ingest.events',
  request: 'POST /v0/ingest',
  body,
  status,
  contains,
});
const trace = (fields: object = {}): object => ({ type: 'trace', timestamp: AT, ...fields });
const read = (contains: Shape) => ({
  after: { request: `GET /v0/traces/${TRACE_ID}` as const, contains },
});

export const INGEST_CASES: readonly Case[] = [
  sent(
    'a trace is stored as it was sent',
    'type',
    trace({ testId: TEST_ID, traceId: TRACE_ID, input: 'Hello', output: 'Hi' }),
    only({ success: true, id: TRACE_ID }),
    {
      line: [
        'Ingest.events',
        'Ingest.type',
        'Ingest.timestamp',
        'Ingest.testId',
        'Ingest.input',
        'Ingest.output',
        'Ingest.traceId',
      ],
      ...read({
        data: {
          id: TRACE_ID,
          timestamp: AT,
          testId: TEST_ID,
          testIds: [TEST_ID],
          input: 'Hello',
          output: 'Hi',
        },
      }),
    },
  ),
  sent('a trace without an id gets one', 'traceId generated', trace({ testId: TEST_ID }), STORED),
  sent('a trace answers by its test', 'testId', trace({ testId: TEST_ID, traceId: TRACE_ID }), STORED, {
    after: { request: `GET /v0/traces/by-test/${TEST_ID}`, contains: { data: { id: TRACE_ID } } },
  }),
  sent('a trace needs no test', 'testId', trace({ traceId: TRACE_ID, input: 'A' }), STORED, {
    ...read({ data: { testId: null, testIds: [] } }),
  }),
  sent(
    'a traceId that is the testId is refused',
    'traceId is not the testId',
    trace({ testId: TEST_ID, traceId: TEST_ID }),
    only({ success: false, error: /traceId/ }),
  ),
  sent(
    'the same in capitals is refused too',
    'traceId is not the testId',
    trace({
      testId: 'abcdefab-3333-4333-8333-333333333333',
      traceId: 'ABCDEFAB-3333-4333-8333-333333333333',
    }),
    FAILED,
  ),
  sent(
    'ids in capitals are answered in small letters',
    'traceId',
    trace({ traceId: 'ABCDEFAB-3333-4333-8333-333333333333' }),
    only({ success: true, id: 'abcdefab-3333-4333-8333-333333333333' }),
  ),
  sent(
    'a traceId that is no uuid is refused',
    'traceId',
    trace({ traceId: 'x' }),
    only({ success: false, error: /traceId/ }),
  ),
  sent(
    'a testId that is no uuid is refused',
    'testId',
    trace({ testId: 'x' }),
    only({ success: false, error: /testId/ }),
  ),
  sent('a type is required', 'type', { timestamp: AT }, only({ success: false, error: /type/ })),
  sent('an unknown type is refused', 'type', { type: 'event', timestamp: AT }, FAILED),
  sent(
    'a timestamp is required',
    'timestamp',
    { type: 'trace' },
    only({ success: false, error: /timestamp/ }),
  ),
  sent('a timestamp that is none is refused', 'timestamp', trace({ timestamp: 'now' }), FAILED),
  ...(
    [
      ['2026-03-01T13:00:00+01:00', '2026-03-01T12:00:00.000Z'],
      ['2026-03-01T12:00:00', '2026-03-01T12:00:00.000Z'],
      ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123456789Z'],
      [1_772_366_400_000, '2026-03-01T12:00:00.000Z'],
    ] as const
  ).map(([timestamp, shown]) =>
    sent(
      `the timestamp ${timestamp} is ${shown}`,
      'timestamp',
      trace({ timestamp, traceId: TRACE_ID }),
      STORED,
      read({ data: { timestamp: shown } }),
    ),
  ),
  ...(
    [
      ['an object', { question: 'A', n: [1, null] }],
      ['a list', ['a', { b: 1 }]],
      ['an empty text', ''],
      ['a text of all kinds', 'Grüße 😀\n"'],
    ] as const
  ).flatMap(([what, value]) => [
    sent(
      `an input may be ${what}`,
      'input',
      trace({ traceId: TRACE_ID, input: value }),
      STORED,
      read({ data: { input: value } }),
    ),
    sent(
      `an output may be ${what}`,
      'output',
      trace({ traceId: TRACE_ID, output: value }),
      STORED,
      read({ data: { output: value } }),
    ),
  ]),
  sent(
    'a trace that is sent again is updated',
    'traceId',
    trace({ traceId: TRACE_ID, output: 'New' }),
    STORED,
    {
      given: [
        { request: 'POST /v0/ingest', body: { events: [trace({ traceId: TRACE_ID, output: 'Old' })] } },
      ],
      after: { request: 'GET /v0/traces', contains: { data: [{ id: TRACE_ID, output: 'New' }] } },
    },
  ),
  {
    name: 'a bad event does not lose its neighbours',
    line: 'Ingest.events',
    request: 'POST /v0/ingest',
    body: { events: [trace(), 7, null, { type: 'trace' }, trace()] },
    status: 200,
    contains: only({ data: [STORED, FAILED, FAILED, FAILED, STORED] }),
  },
  sent(
    'a step without a trace before it fails',
    'type',
    { type: 'log', timestamp: AT, content: 'A' },
    FAILED,
  ),
  ...(
    [
      [{ type: 'llm', event: 'start', modelId: 'm', input: 'A' }],
      [{ type: 'llm', event: 'end', modelId: 'm', output: 'B' }],
      [{ type: 'tool', toolInput: 'A', toolOutput: 'B' }],
      [{ type: 'retriever', query: 'A', result: ['B'] }],
      [{ type: 'reranker', input: 'A', output: 'B' }],
      [{ type: 'embedding', input: 'A', output: 'B' }],
      [{ type: 'agent', input: 'A', output: 'B' }],
      [{ type: 'guardrail', input: 'A', output: 'B' }],
      [{ type: 'evaluator', input: 'A', output: 'B' }],
      [{ type: 'group', key: 'A' }],
      [{ type: 'log', content: 'A' }],
      [{ type: 'request', content: 'A' }],
      [{ type: 'response', content: 'A' }],
    ] as const
  ).map(
    ([step]): Case => ({
      name: `a step may be of the type ${step.type}${'event' in step ? ` ${step.event}` : ''}`,
      line: 'Ingest.type',
      request: 'POST /v0/ingest',
      body: { events: [trace({ traceId: TRACE_ID }), { timestamp: AT, ...step }] },
      status: 200,
      contains: only({ data: [STORED, only({ success: true })] }),
      after: {
        request: `GET /v0/traces/${TRACE_ID}`,
        contains: { data: { steps: [{ type: step.type, traceId: TRACE_ID }] } },
      },
    }),
  ),
  rejected('events are required', {}, invalid([['events'], 'invalid_type'])),
  rejected('events are a list', { events: {} }, invalid([['events'], 'invalid_type'])),
  rejected('events are not empty', { events: [] }, invalid([['events'], 'too_small'])),
  rejected(
    'events are not more than ten thousand',
    { events: Array.from({ length: 10_001 }, () => 0) },
    invalid([['events'], 'too_big']),
  ),
  rejected('events are JSON', '{"events":[', MESSAGE, 400),
];
