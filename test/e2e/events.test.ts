import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAll, memoryInUse, readLedger } from '../support/ledger.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';
import { sendRaw } from '../support/sockets.ts';

const MIB = 1024 * 1024;
const AT = '2026-01-31T12:00:00.000Z';
const at = (ms: number): string => new Date(Date.parse(AT) + ms).toISOString();

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: { maxBodyBytes: 4 * MIB, memoryBudgetBytes: 16 * MIB } });
});
afterAll(() => server.close());

const post = (body: unknown, headers: Record<string, string | null> = {}): Promise<Reply> =>
  server.call('POST', '/v0/ingest', { body, headers });

/** The results of a call that is answered 200. */
async function ingest(
  events: unknown[],
  headers: Record<string, string> = {},
): Promise<{ success: boolean; id?: string; error?: string }[]> {
  const { status, json, text } = await post({ events }, headers);
  expect(status, text).toBe(200);
  return (json as { data: { success: boolean }[] }).data;
}

type Json = Record<string, unknown>;
interface TraceJson extends Json {
  id: string;
  spanCount: number;
  steps: Json[];
}

async function traceOf(id: string): Promise<TraceJson> {
  const { status, json, text } = await server.call('GET', `/v0/traces/${id}`);
  expect(status, text).toBe(200);
  return (json as { data: TraceJson }).data;
}

describe('all kinds of events in one call', () => {
  const traceId = randomUUID();
  const testId = randomUUID();
  const step = (i: number, fields: Json): Json => ({
    timestamp: at(i),
    id: `step ${i}`,
    name: `the ${String(fields['type'])}`,
    ...fields,
  });
  const events: Json[] = [
    {
      type: 'trace',
      timestamp: AT,
      traceId: traceId.toUpperCase(),
      testId: testId.toUpperCase(),
      input: { question: 'Where is my order?' },
      output: 'On its way.',
      referenceId: 'conversation-7',
      metadata: { plan: 'gold' },
      tenant: 'acme',
    },
    step(1, { type: 'agent', input: 'in', output: ['out'] }),
    step(2, {
      type: 'llm',
      event: 'start',
      modelId: 'gpt-4o',
      input: [{ role: 'user', content: 'hi' }],
      params: { temperature: 0.5 },
      parentId: 'step 1',
    }),
    step(3, {
      type: 'llm',
      event: 'end',
      id: 'step 2',
      modelId: 'gpt-4o',
      output: 'ho',
      usage: { promptTokens: 11, completionTokens: 5 },
      parentId: 'step 1',
    }),
    step(4, { type: 'tool', toolInput: { sku: 7 }, toolOutput: 'found', parentId: 'step 1', group: 'g' }),
    step(5, { type: 'retriever', query: 'refund', result: [{ id: 'd1', content: 'doc' }] }),
    step(6, { type: 'reranker', input: ['a', 'b'], output: ['b', 'a'] }),
    step(7, { type: 'embedding', input: 'text', output: [0.5, 0.25] }),
    step(8, { type: 'guardrail', input: 'in', output: { allowed: true } }),
    step(9, { type: 'evaluator', input: 'in', output: 'good' }),
    step(10, { type: 'group', key: 'checkout' }),
    step(11, { type: 'log', content: 'a line', metadata: { level: 'info' }, extra: 5 }),
    step(12, { type: 'request', content: { method: 'GET' } }),
    step(13, { type: 'response', content: [200] }),
  ];
  let trace: TraceJson;
  let byId: Map<unknown, Json>;

  let results: unknown[];
  beforeAll(async () => {
    results = await ingest(events);
    trace = await traceOf(traceId);
    byId = new Map(trace.steps.map((one) => [one['id'], one]));
  });

  it('succeed, each in its place; a trace event names its trace', () => {
    expect(results).toEqual([
      { success: true, id: traceId },
      ...events.slice(1).map(() => ({ success: true })),
    ]);
  });

  it('make one trace with what its event says', () => {
    expect(trace).toMatchObject({
      id: traceId,
      applicationId: server.applicationId,
      orgId: server.orgId,
      testId,
      testIds: [testId],
      timestamp: AT,
      referenceId: 'conversation-7',
      sessionId: 'conversation-7',
      input: { question: 'Where is my order?' },
      output: 'On its way.',
      metadata: expect.objectContaining({ plan: 'gold' }) as object,
      usage: { promptTokens: 11, completionTokens: 5, totalTokens: 16 },
      models: ['gpt-4o'],
      spanCount: 12,
      errorCount: 0,
      stepsTruncated: false,
    });
    expect(trace).not.toHaveProperty('otelTraceId');
  });

  it.each<[string, Json]>([
    ['step 1', { type: 'agent', input: 'in', output: '["out"]' }],
    [
      'step 2',
      {
        type: 'llm',
        event: 'end',
        modelId: 'gpt-4o',
        input: '[{"role":"user","content":"hi"}]',
        output: 'ho',
        usage: { promptTokens: 11, completionTokens: 5 },
        params: { temperature: 0.5 },
        durationMs: 1,
        parentId: 'step 1',
      },
    ],
    ['step 4', { type: 'tool', toolInput: '{"sku":7}', toolOutput: 'found', parentId: 'step 1', group: 'g' }],
    ['step 5', { type: 'retriever', query: 'refund', result: '[{"id":"d1","content":"doc"}]' }],
    ['step 6', { type: 'reranker', input: '["a","b"]', output: '["b","a"]' }],
    ['step 7', { type: 'embedding', input: 'text', output: '[0.5,0.25]' }],
    ['step 8', { type: 'guardrail', input: 'in', output: '{"allowed":true}' }],
    ['step 9', { type: 'evaluator', input: 'in', output: 'good' }],
    ['step 10', { type: 'group', key: 'checkout' }],
    ['step 11', { type: 'log', content: 'a line', metadata: { level: 'info', extra: 5 } }],
    ['step 12', { type: 'request', content: '{"method":"GET"}' }],
    ['step 13', { type: 'response', content: '[200]' }],
  ])('give %s back with its fields', (id, fields) => {
    expect(byId.get(id)).toMatchObject({
      traceId,
      name: `the ${String(fields['type'])}`,
      timestamp: at(Number(id.slice(5))),
      status: 'success',
      ...fields,
    });
  });

  it('are found by their test id', async () => {
    const { json } = await server.call('GET', `/v0/traces/by-test/${testId}`);
    expect(json).toMatchObject({ data: { id: traceId } });
    const list = await server.ok('GET', `/v0/traces?testId=${testId}`);
    expect(list.data.map(({ id }) => id)).toEqual([traceId]);
  });

  it('list as spans', async () => {
    const spans = await getAll<Json>(server, `/v0/traces/${traceId}/spans`, 100);
    expect(spans).toHaveLength(12);
    // What is no kind of its own is a group.
    const groups = spans.filter(({ type }) => type === 'group').map(({ name }) => name);
    expect(groups).toEqual(['the group', 'the log', 'the request', 'the response']);
    const kinds = [
      'agent',
      'llm',
      'tool',
      'retriever',
      'reranker',
      'embedding',
      'guardrail',
      'evaluator',
      'group',
    ];
    expect(new Set(spans.map(({ type }) => type))).toEqual(new Set(kinds));
  });
});

describe('a trace that has no output', () => {
  const step = { timestamp: at(1), type: 'tool', name: 'search', toolInput: 'q', toolOutput: 'of a tool' };
  const listed = async (id: string): Promise<unknown> => {
    const json = await server.ok('GET', `/v0/traces?search=question&limit=100`);
    return json.data.find((trace) => trace['id'] === id)?.['output'];
  };

  it.each([null, undefined])('does not take that of its steps: %s', async (output) => {
    const steps = [
      step,
      { timestamp: at(2), type: 'retriever', query: 'q', result: 'of a retriever' },
      { timestamp: at(3), type: 'log', content: 'of a log' },
    ];
    const [result] = await ingest([{ type: 'trace', timestamp: AT, input: 'question', output, steps }]);
    const id = result?.id ?? '';
    expect(await traceOf(id)).toMatchObject({ input: 'question', output: null });
    expect(await listed(id)).toBeNull();
  });

  it('does not take that of a tool that arrives later, and takes that of a model', async () => {
    const [result] = await ingest([{ type: 'trace', timestamp: AT, input: 'question', output: null }]);
    const traceId = result?.id ?? '';
    await ingest([{ ...step, traceId }]);
    expect(await traceOf(traceId)).toMatchObject({ output: null });
    await expect.poll(() => listed(traceId)).toBeNull();
    await ingest([
      { type: 'llm', event: 'end', timestamp: at(2), traceId, modelId: 'm', output: 'of a model' },
      { ...step, timestamp: at(3), traceId },
    ]);
    expect(await traceOf(traceId)).toMatchObject({ output: 'of a model' });
    await expect.poll(() => listed(traceId)).toBe('of a model');
  });
});

describe('calls that belong together', () => {
  it('pair an llm start and its end, by id and without', async () => {
    const traceId = randomUUID();
    const llm = { type: 'llm', traceId, modelId: 'claude', name: 'answer' };
    await ingest([{ type: 'trace', timestamp: AT, traceId }]);
    await ingest([
      { ...llm, event: 'start', id: 'by id', timestamp: at(10), input: 'one' },
      { ...llm, event: 'start', timestamp: at(20), input: 'two' },
    ]);
    const open = await traceOf(traceId);
    expect(open.steps).toMatchObject([
      { type: 'llm', event: 'start', input: 'one', modelId: 'claude' },
      { type: 'llm', event: 'start', input: 'two' },
    ]);
    expect(open.steps[0]).not.toHaveProperty('output');

    await ingest([
      {
        ...llm,
        event: 'end',
        id: 'by id',
        timestamp: at(110),
        output: 'first',
        usage: { promptTokens: 1, completionTokens: 2 },
      },
    ]);
    await ingest([
      {
        ...llm,
        event: 'end',
        timestamp: at(220),
        output: 'second',
        usage: { promptTokens: 3, completionTokens: 4 },
      },
    ]);
    expect(await traceOf(traceId)).toMatchObject({
      spanCount: 2,
      usage: { promptTokens: 4, completionTokens: 6, totalTokens: 10 },
      flags: [],
      steps: [
        { event: 'end', input: 'one', output: 'first', durationMs: 100, timestamp: at(10) },
        { event: 'end', input: 'two', output: 'second', durationMs: 200, timestamp: at(20) },
      ],
    });
  });

  it('take the same events again as the same, with ids or without', async () => {
    const traceId = randomUUID();
    const events = [
      { type: 'trace', timestamp: AT, traceId, input: 'q' },
      { type: 'log', timestamp: at(1), content: 'the same' },
      { type: 'log', timestamp: at(1), content: 'the same' },
      { type: 'tool', timestamp: at(2), toolInput: 'x' },
    ];
    for (let i = 0; i < 3; i++) await ingest(events);
    await Promise.all(Array.from({ length: 8 }, () => ingest(events)));
    expect(await traceOf(traceId)).toMatchObject({ spanCount: 3, input: 'q' });
  });
});

describe('an Idempotency-Key', () => {
  const events = [
    { type: 'trace', timestamp: AT, input: 'q' },
    { type: 'log', timestamp: at(1), content: 'line' },
  ];

  it('gets the same response to the same request, and stores nothing twice', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const before = await readLedger(server);
    const [first] = await ingest(events, key);
    const again = await ingest(events, key);
    expect(again).toEqual([first, { success: true }]);
    const after = await readLedger(server);
    expect(after.stored - before.stored).toBe(2);
    // Without the key this is another trace: its id is created again.
    expect((await ingest(events))[0]?.id).not.toBe(first?.id);
  });

  it('gets one response to requests that are in progress together', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ingest(events, key)));
    expect(new Set(answers.map(([trace]) => trace?.id)).size).toBe(1);
    expect(await traceOf(answers[0]?.[0]?.id ?? '')).toMatchObject({ spanCount: 1 });
  });

  it('is 409 with another body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await ingest(events, key);
    const { status, json } = await post({ events: events.slice(0, 1) }, key);
    expect(status).toBe(409);
    expect(json).toEqual({ message: 'this Idempotency-Key was used for a request with another body' });
  });

  it('of one application says nothing to another', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [own] = await ingest(events, key);
    const { headers } = await server.newTenant();
    const { status, json } = await post({ events: events.slice(0, 1) }, { ...headers, ...key });
    expect(status).toBe(200);
    expect((json as { data: { id: string }[] }).data[0]?.id).not.toBe(own?.id);
  });
});

describe('a call that is rejected completely', () => {
  const invalid = (code: string, message: string): Json => ({
    message,
    issues: [{ code, message, path: ['events'] }],
  });
  const good = { events: [{ type: 'trace', timestamp: AT }] };

  it.each<[string, number, unknown, Record<string, string | null>, unknown]>([
    ['no events', 422, {}, {}, invalid('invalid_type', 'events is required')],
    ['a list', 422, [], {}, invalid('invalid_type', 'events is required')],
    ['null', 422, 'null', {}, invalid('invalid_type', 'events is required')],
    ['events that are no list', 422, { events: {} }, {}, invalid('invalid_type', 'events must be an array')],
    ['null for events', 422, { events: null }, {}, invalid('invalid_type', 'events must be an array')],
    [
      'an empty list',
      422,
      { events: [] },
      {},
      invalid('too_small', 'events must contain at least one event'),
    ],
    [
      '10 001 events',
      422,
      { events: Array<number>(10_001).fill(0) },
      {},
      invalid('too_big', 'events must contain at most 10000 events'),
    ],
    ['no JSON', 400, '{"events":[', {}, { message: 'the body is not JSON' }],
    ['nothing', 400, '', {}, { message: 'the body is not JSON' }],
    ['JSON that never ends its lists', 400, '['.repeat(100_000), {}, { message: 'the body is not JSON' }],
    [
      'protobuf',
      415,
      'x',
      { 'content-type': 'application/x-protobuf' },
      { message: 'Content-Type must be application/json' },
    ],
    [
      'text',
      415,
      'x',
      { 'content-type': 'text/plain' },
      { message: 'Content-Type must be application/json' },
    ],
    [
      'brotli',
      415,
      'x',
      { 'content-encoding': 'br' },
      {
        message:
          'Content-Encoding br is not supported; use identity, gzip, x-gzip, deflate, zlib, zstd, snappy, x-snappy-framed, lz4',
      },
    ],
    [
      'gzip that is none',
      400,
      'x',
      { 'content-encoding': 'gzip' },
      { message: expect.stringMatching(/^the body is not valid gzip/) as string },
    ],
    [
      'a body over the limit',
      413,
      ' '.repeat(4 * MIB + 1),
      {},
      { message: 'the body is larger than 4194304 bytes; send smaller batches' },
    ],
  ])('%s is %i', async (_, status, body, headers, answer) => {
    const reply = await post(body, headers);
    expect(`${reply.status} ${reply.text}`).toMatch(new RegExp(`^${status} `));
    expect(reply.json).toEqual(answer);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await ingest(good.events)).toMatchObject([{ success: true }]);
  });

  it('inflates beyond the limit: 413', async () => {
    const { status, body } = await sendRaw(server.url, {
      path: '/v0/ingest',
      headers: { ...server.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(5 * MIB, 0x20)),
    });
    expect(status).toBe(413);
    expect(JSON.parse(body.toString())).toEqual({
      message: 'the body is larger than 4194304 bytes after decompression; send smaller batches',
    });
  });
});

describe('a call that is odd', () => {
  it('reads gzip, chunks and any charset', async () => {
    const traceId = randomUUID();
    const { status } = await sendRaw(server.url, {
      path: '/v0/ingest',
      headers: {
        ...server.headers,
        'content-type': 'Application/JSON; charset=UTF-8',
        'content-encoding': 'gzip',
      },
      body: gzipSync(JSON.stringify({ events: [{ type: 'trace', timestamp: AT, traceId, input: 'ünï🙂' }] })),
      chunked: 9,
    });
    expect(status).toBe(200);
    expect(await traceOf(traceId)).toMatchObject({ input: 'ünï🙂' });
  });
});

it('counts rejected events in its ledger, which balances, and uses no memory afterwards', async () => {
  const { rejected } = await readLedger(server);
  const results = await ingest([
    { type: 'trace', timestamp: AT },
    { type: 'log', timestamp: 'yesterday', content: 'line' },
  ]);
  expect(results.map(({ success }) => success)).toEqual([true, false]);
  expect((await readLedger(server)).rejected).toBe(rejected + 1);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await expect.poll(() => memoryInUse(server)).toBe(0);
});
