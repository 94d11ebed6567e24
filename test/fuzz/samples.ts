/** Valid messages, from which mutations begin. The same for every run. */
import fc from 'fast-check';
import { anySpan, requestOf, spanBytes } from '../support/any-spans.ts';
import { document } from '../support/api-calls.ts';
import { logsJson, logsProtobuf } from '../support/otlp-logs.ts';
import { wireLogsRequest, wireRequest } from '../support/otlp-wire.ts';
import { namesIn } from './mutate-json.ts';

const SEED = 1;
const MAX_SAMPLE = 64 * 1024;
const small = (samples: Buffer[]): Buffer[] => samples.filter(({ length }) => length < MAX_SAMPLE);
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns });

const LOGS = [
  { trace: 1, span: 2, event: 'gen_ai.user.message', body: { content: 'Hi' } },
  { trace: 1, span: 2, event: 'gen_ai.choice', body: { index: 0, message: { content: 'Hello' } } },
  { event: 'other', body: 'text', attributes: { 'event.name': 'gen_ai.system.message' } },
];

export const traceMessages: readonly Buffer[] = small([
  ...sample(wireRequest, 150),
  ...sample(fc.array(anySpan, { maxLength: 3 }), 60).map((spans) =>
    requestOf(spans.map((span, i) => spanBytes(span, 1, i + 1))),
  ),
]);
export const logMessages: readonly Buffer[] = small([...sample(wireLogsRequest, 80), logsProtobuf(LOGS)]);

const IDS = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };
const TIMES = { startTimeUnixNano: '1767225600000000000', endTimeUnixNano: 1767225600001000000 };
const VALUES = [
  { stringValue: 'a text' },
  { intValue: '42' },
  { doubleValue: 1.5 },
  { boolValue: true },
  { bytesValue: 'AAEC' },
  { arrayValue: { values: [{ stringValue: 'x' }, { intValue: 7 }] } },
  { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } },
  {},
];
const KEYS = [
  'gen_ai.request.model',
  'gen_ai.usage.input_tokens',
  'service.test.id',
  'session.id',
  'input.value',
  'a',
  'user.id',
  'tags',
];
const attributes = KEYS.map((key, i) => ({ key, value: VALUES[i] }));
const traces = (spans: object[]): string =>
  JSON.stringify({
    resourceSpans: [
      { resource: { attributes }, scopeSpans: [{ scope: { name: 's', version: '1' }, spans }] },
    ],
  });

export const traceDocuments: readonly string[] = [
  traces([{ ...IDS, ...TIMES, name: 'a span', kind: 3, attributes }]),
  traces([
    {
      ...IDS,
      ...TIMES,
      name: 'root',
      kind: 'SPAN_KIND_CLIENT',
      status: { code: 2, message: 'no' },
      flags: 1,
      traceState: 'a=b',
    },
    {
      ...IDS,
      ...TIMES,
      spanId: 'eee19b7ec3c1b175',
      parentSpanId: IDS.spanId,
      name: 'child',
      events: [{ timeUnixNano: '1767225600000000001', name: 'e', attributes }],
    },
  ]),
  traces([
    {
      ...IDS,
      ...TIMES,
      name: 'links',
      links: [{ ...IDS, attributes, traceState: '' }],
      droppedAttributesCount: 3,
    },
  ]),
  traces([]),
  JSON.stringify({ resourceSpans: [] }),
];
export const logDocuments: readonly string[] = [String(logsJson(LOGS)), JSON.stringify({ resourceLogs: [] })];
export const metricDocuments: readonly string[] = [
  JSON.stringify({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              { name: 'm', sum: { dataPoints: [{ asInt: '1', timeUnixNano: '1' }] } },
              { name: 'g', gauge: { dataPoints: [] } },
            ],
          },
        ],
      },
    ],
  }),
];

const example = document.paths['/v0/ingest']?.['post']?.requestBody?.content['application/json']?.example as {
  events: object[];
};
const STEP = { timestamp: '2026-01-31T12:00:04.250Z', traceId: '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a11' };
const PAIR = { ...STEP, id: '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a12' };
export const eventDocuments: readonly string[] = [
  JSON.stringify(example),
  JSON.stringify({ events: [example.events[0]] }),
  JSON.stringify({
    events: [
      {
        type: 'llm',
        event: 'start',
        ...PAIR,
        modelId: 'gpt-4o',
        input: [{ role: 'user', content: 'hi' }],
        modelParameters: { temperature: 0.5 },
      },
      { type: 'llm', event: 'end', ...PAIR, output: 'ok', usage: { promptTokens: 3, completionTokens: 4 } },
      { type: 'tool', ...STEP, name: 'search', input: { q: 'x' }, output: ['y'] },
      {
        type: 'retriever',
        ...STEP,
        query: 'q',
        result: [{ id: 'd', content: 'c', score: 0.5 }],
        metadata: { a: [1, null] },
      },
      { type: 'log', ...STEP, content: 'm' },
      { type: 'group', ...STEP, key: 'g', steps: [{ type: 'log', ...STEP, content: 'in' }] },
    ],
  }),
];

export const fieldNames = namesIn([
  ...traceDocuments,
  ...logDocuments,
  ...metricDocuments,
  ...eventDocuments,
]);
