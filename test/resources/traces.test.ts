/** Calls about stored traces; what a trace shows of its spans is tested in test/traces. */
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { ListedTrace } from '../../src/api/generated/schema.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const AT = '2026-03-01T12:00:00.000Z';
const EVENT = { type: 'trace', timestamp: AT } as const;

let server: TestServer;
let trace: ListedTrace;
beforeAll(async () => {
  server = await sharedServer();
  const steps = [
    { type: 'agent', id: 'helper', name: 'Helper', timestamp: AT, input: 'Hello' },
    {
      type: 'llm',
      event: 'end',
      parentId: 'helper',
      timestamp: '2026-03-01T12:00:02.000Z',
      modelId: 'gpt-4o',
      output: 'Hi',
      usage: { promptTokens: 7, completionTokens: 2 },
    },
  ];
  const metadata = { tier: 'gold' };
  const event = { ...EVENT, input: 'Hello', output: 'Hi', referenceId: 'talk-7', metadata, steps } as const;
  await server.call('POST', '/v0/ingest', { body: { events: [event] } });
  trace = (await server.ok('GET', '/v0/traces')).data[0] as ListedTrace;
});
afterAll(() => server.close());

describe('a trace', () => {
  const FIELDS = {
    timestamp: AT,
    input: 'Hello',
    output: 'Hi',
    sessionId: 'talk-7',
    metadata: { tier: 'gold' },
    models: ['gpt-4o'],
    usage: { promptTokens: 7, completionTokens: 2, totalTokens: 9 },
    spanCount: 2,
    hasError: false,
  };

  it('is listed with its totals', () => {
    expect(trace).toMatchObject(FIELDS);
  });

  it('is read by its uuid and by the digits of OpenTelemetry, with its steps', async () => {
    for (const id of [trace.id, trace.id.replaceAll('-', '')]) {
      const { data } = await server.ok('GET', `/v0/traces/${id}`);
      const steps = [
        { type: 'agent', name: 'Helper', traceId: trace.id },
        { type: 'llm', event: 'end', modelId: 'gpt-4o', output: 'Hi', traceId: trace.id },
      ];
      expect(data).toMatchObject({ ...FIELDS, id: trace.id, stepsTruncated: false, steps });
    }
  });

  it('is read without its steps as lists show it', async () => {
    expect((await server.ok('GET', `/v0/traces/${trace.id}?steps=false`)).data).toEqual(trace);
  });

  it('without an input and an output of its own has those of its spans', async () => {
    const steps = [{ type: 'agent', timestamp: AT, input: 'Hello', output: 'Hi' }] as const;
    const body = { events: [{ ...EVENT, steps: [...steps] }] };
    const { headers } = await server.newTenant();
    await server.ok('POST', '/v0/ingest', { body, headers });
    const [id] = (await server.ok('GET', '/v0/traces', { headers })).data.map((one) => one.id);
    const { data } = await server.ok('GET', `/v0/traces/${id ?? ''}`, { headers });
    const spanId = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
    expect(data).toMatchObject({ input: 'Hello', output: 'Hi', inputSpanId: spanId, outputSpanId: spanId });
  });

  it('is counted by its properties', async () => {
    const { data } = await server.ok('GET', '/v0/traces/facets?model=gpt-4o');
    const model = [{ value: 'gpt-4o', traces: 1 }];
    expect(data).toMatchObject({ traces: 1, isTruncated: false, facets: { model } });
  });

  it('is gone when it was deleted', async () => {
    const { headers } = await server.newTenant();
    await server.ok('POST', '/v0/ingest', { body: { events: [{ ...EVENT, input: 'Hello' }] }, headers });
    const [one] = (await server.ok('GET', '/v0/traces', { headers })).data;
    await server.ok('DELETE', `/v0/traces/${one?.id ?? ''}`, { headers });
    expect((await server.call('GET', `/v0/traces/${one?.id}`, { headers })).status).toBe(404);
    expect((await server.ok('GET', '/v0/traces', { headers })).data).toEqual([]);
  });
});

describe('the spans of a trace', () => {
  it('are listed as rows, and with their content on request', async () => {
    const { data, pagination } = await server.ok('GET', `/v0/traces/${trace.id}/spans`);
    expect(pagination).toEqual({ skip: 0, limit: 1_000, total: 2, totalPages: 1 });
    expect(data.map(({ name }) => name)).toEqual(['Helper', expect.any(String)]);
    expect(data[1]?.parentId).toBe(data[0]?.id);
    for (const span of data) expect(span).not.toHaveProperty('attributes');
    const complete = await server.ok('GET', `/v0/traces/${trace.id}/spans?include=payload`);
    const content = { attributes: expect.any(Object) as object, events: [], links: [] };
    expect(complete.data).toEqual(
      data.map((span) => expect.objectContaining({ ...span, ...content }) as object),
    );
  });

  it('are read one by one', async () => {
    const [first] = (await server.ok('GET', `/v0/traces/${trace.id}/spans`)).data;
    const { data } = await server.ok('GET', `/v0/traces/${trace.id}/spans/${first?.id ?? ''}`);
    expect(data).toMatchObject({ id: first?.id, traceId: trace.id, parentId: null });
  });
});

describe('what became of sent events', () => {
  it.each([
    ['a stored trace', () => trace.id, { stored: true, traceSpanCount: 2, rejections: [] }],
    ['an unknown trace', () => UNKNOWN, { stored: false, traceSpanCount: 0, rejections: [] }],
  ])('is reported for %s', async (_what, id, expected) => {
    expect((await server.ok('GET', `/v0/ingest/lookup?traceId=${id()}`)).data).toMatchObject(expected);
  });

  it('adds up in the ledger, and lists what was rejected', async () => {
    const { headers } = await server.newTenant();
    const body = { events: [{ ...EVENT, input: 'Hello' }, { type: 'nothing' }] };
    await server.call('POST', '/v0/ingest', { body, headers });
    const [row] = (await server.ok('GET', '/v0/ingest/ledger', { headers })).data;
    expect(row).toMatchObject({
      requests: 1,
      received: 2,
      stored: 1,
      duplicate: 0,
      replaced: 0,
      rejected: 1,
    });
    const { data } = await server.ok('GET', '/v0/ingest/ledger/rejected', { headers });
    expect(data).toMatchObject([{ spans: 1, message: expect.stringContaining('type') as string }]);
  });
});
