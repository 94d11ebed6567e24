import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DescribedRoute } from '../../src/api/operation.ts';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import { type Reply, sharedServer, type TestServer } from '../support/server.ts';

// These answers are written by hand, past any schema: here the schemas that describe them are held to them.
const routes = apiRoutes({ config: {} } as RouteDeps);
const schemaOf = (path: string) =>
  routes.find((route: DescribedRoute) => route.method === 'GET' && route.path === path)?.documents?.response;

const [nativeId, testId] = [randomUUID(), randomUUID()];
const otelId = 'ab'.repeat(16);
const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, second)).toISOString();
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

const steps = [
  { type: 'llm', event: 'start', modelId: 'gpt-4o', input: 'Q', id: 'open' },
  {
    type: 'llm',
    event: 'end',
    modelId: 'gpt-4o',
    output: 'A',
    usage: { promptTokens: 3, completionTokens: 1 },
  },
  {
    type: 'tool',
    name: 'search',
    toolInput: { q: 1 },
    toolOutput: ['r'],
    params: { top: 1 },
    metadata: { m: 1 },
  },
  { type: 'retriever', query: 'Q', result: ['one', 'two'] },
  { type: 'reranker', input: 'Q', output: 'R' },
  { type: 'embedding', input: 'Q' },
  { type: 'agent', input: 'Q', output: 'A', group: 'g' },
  { type: 'guardrail', output: 'ok' },
  { type: 'evaluator', output: 'ok' },
  { type: 'group', key: 'k' },
  { type: 'log', content: 'text' },
  { type: 'request', content: { a: 1 } },
  { type: 'response', content: [1] },
].map((step, i) => ({ ...step, timestamp: at(i + 1) }));

const spans = [
  {
    traceId: otelId,
    spanId: '11'.repeat(8),
    name: 'chat',
    kind: 3,
    startTimeUnixNano: '1769860800000000001',
    endTimeUnixNano: '1769860801000000000',
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.request.model', 'gpt-4o'),
      attribute('service.test.id', testId),
      attribute('session.id', 'conversation'),
      attribute('user.id', 'ada'),
      attribute('own', 'value'),
    ],
    events: [
      {
        name: 'exception',
        timeUnixNano: '1769860800500000000',
        attributes: [attribute('exception.message', 'No')],
      },
    ],
    links: [{ traceId: otelId, spanId: '33'.repeat(8) }],
    status: { code: 2 },
  },
  {
    traceId: otelId,
    spanId: '22'.repeat(8),
    parentSpanId: '99'.repeat(8),
    name: 'orphan',
    startTimeUnixNano: '1769860800000000000',
    endTimeUnixNano: '1769860801000000000',
  },
];

let server: TestServer;
let [native, otel]: Reply[] = [];
beforeAll(async () => {
  server = await sharedServer();
  const trace = {
    type: 'trace',
    timestamp: at(0),
    traceId: nativeId,
    input: 'Q',
    output: { a: 1 },
    referenceId: 'conversation',
    metadata: { m: 1 },
  };
  native = await server.call('POST', '/v0/ingest', { body: { events: [trace, ...steps] } });
  const resource = { attributes: [attribute('service.name', 'bot')] };
  otel = await server.call('POST', '/v1/traces', {
    body: { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'lib', version: '1' }, spans }] }] },
  });
});
afterAll(() => server.close());

it('takes all that it is sent', () => {
  expect(native?.text).not.toContain('"success":false');
  expect([otel?.status, otel?.json]).toEqual([200, {}]);
});

it.each<[path: string, query?: string, values?: Record<string, string>]>([
  ['/v0/traces'],
  ['/v0/traces', '?limit=1'],
  ['/v0/traces/{id}', '', { id: nativeId }],
  ['/v0/traces/{id}', '', { id: otelId }],
  ['/v0/traces/{id}', '?steps=false', { id: otelId }],
  ['/v0/traces/by-test/{testId}', '', { testId }],
  ['/v0/traces/{id}/spans', '', { id: otelId }],
  ['/v0/traces/{id}/spans', '?include=payload', { id: otelId }],
  ['/v0/traces/{id}/spans', '?include=payload', { id: nativeId }],
  ['/v0/traces/{id}/spans/{spanId}', '', { id: otelId, spanId: '11'.repeat(8) }],
  ['/v0/traces/{id}/spans/{spanId}', '', { id: otelId, spanId: '22'.repeat(8) }],
  ['/v0/sessions'],
  ['/v0/sessions/{id}', '', { id: 'conversation' }],
])('GET %s%s returns what is written of it', async (path, query = '', values = {}) => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(values[name]));
  const { status, json } = await server.call('GET', address + query);
  expect(status).toBe(200);
  // What the schema does not name it leaves out, so equal means: nothing more, nothing less.
  expect(schemaOf(path)?.parse(json)).toEqual(json);
});
