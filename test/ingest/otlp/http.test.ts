/** OTLP over HTTP: what each path accepts, and its responses. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, type Reply, sharedServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const newSpan = () => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: 'b7ad6b7169203331',
  name: 'answer',
  kind: 1,
  startTimeUnixNano: '1772366400000000000',
  endTimeUnixNano: '1772366401000000000',
});
const spans = (...sent: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] });
const logs = (...sent: readonly object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: sent }] }] });
const recordOf = ({ traceId, spanId }: ReturnType<typeof newSpan>, eventName: string) => ({
  traceId,
  spanId,
  timeUnixNano: '1772366400000000000',
  eventName,
});

const send = (body: object, path = '/v1/traces'): Promise<Reply> => server.call('POST', path, { body });
const isStored = async (traceId: string): Promise<boolean> =>
  (await server.ok('GET', `/v0/ingest/lookup?traceId=${traceId}`)).data.stored;

it.each(['/v1/traces', '/v0/otel/traces', '/v0/otel/v1/traces'])('%s accepts spans', async (path) => {
  const span = newSpan();
  const { status, json } = await send(spans(span), path);
  expect([status, json]).toEqual([200, {}]);
  const { data } = await server.ok('GET', `/v0/traces/${span.traceId}`);
  expect(data).toMatchObject({ otelTraceId: span.traceId, spanCount: 1, rootName: 'answer' });
});

describe.each(['/v1/traces', '/v1/logs', '/v1/metrics'])('%s', (path) => {
  const PROTOBUF = { 'content-type': 'application/x-protobuf' };

  it.each<[what: string, call: Call, status: number]>([
    ['accepts an empty request', { body: {} }, 200],
    ['rejects JSON that ends early', { body: '{"resource' }, 400],
    [
      'rejects a content type that is not of OTLP',
      { headers: { 'content-type': 'text/plain' }, body: '{}' },
      415,
    ],
    ['rejects an unknown encoding', { headers: { 'content-encoding': 'br' }, body: '{}' }, 415],
    [
      'rejects a body in another encoding than it says',
      { headers: { 'content-encoding': 'gzip' }, body: '{}' },
      400,
    ],
    ['rejects a wrong key', { headers: { 'x-api-key': 'sk_wrong' }, body: {} }, 401],
  ])('%s', async (_what, call, status) => {
    const reply = await server.call('POST', path, call);
    expect(reply.status, reply.text).toBe(status);
    const problem = { code: expect.any(Number) as number, message: expect.stringMatching(/./) as string };
    expect(reply.json).toEqual(status === 200 ? {} : problem);
  });

  it.each<[what: string, body: string, status: number]>([
    ['an empty request', '', 200],
    ['what is no protobuf', 'no protobuf', 400],
  ])('responds to %s in protobuf', async (_what, body, status) => {
    const reply = await server.call('POST', path, { headers: PROTOBUF, body });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'application/x-protobuf']);
    expect(reply.text === '').toBe(status === 200);
  });

  it('rejects a key without the scope', async () => {
    const reply = await server.call('POST', path, { headers: await server.newKey(['read']), body: {} });
    expect([reply.status, reply.json]).toMatchObject([403, { code: 7 }]);
  });
});

describe('spans', () => {
  it.each<[what: string, wrong: (span: object) => object[], rejected: string]>([
    ['one without an id', (span) => [span, { ...span, spanId: '' }], '1'],
    [
      'all',
      (span) => [
        { ...span, spanId: '0000000000000000' },
        { ...span, traceId: 'abc' },
      ],
      '2',
    ],
  ])('are rejected alone: %s', async (_what, wrong, rejected) => {
    const span = newSpan();
    const { status, json } = await send(spans(...wrong(span)));
    const errorMessage = expect.stringMatching(/^\d spans?: ./) as string;
    expect([status, json]).toEqual([200, { partialSuccess: { rejectedSpans: rejected, errorMessage } }]);
    expect(await isStored(span.traceId)).toBe(rejected === '1');
  });

  it('with times in milliseconds are stored, and the response says so', async () => {
    const span = newSpan();
    const times = { startTimeUnixNano: '1767225600000', endTimeUnixNano: '1767225600005' };
    const { status, json } = await send(spans({ ...span, ...times }));
    const errorMessage =
      '1 span has times that look like Unix milliseconds; OTLP times are in Unix nanoseconds';
    expect([status, json]).toEqual([200, { partialSuccess: { rejectedSpans: '0', errorMessage } }]);
    expect(await isStored(span.traceId)).toBe(true);
  });

  it('that arrived before change nothing', async () => {
    const tenant = await server.newTenant();
    const body = spans(newSpan());
    for (let i = 0; i < 2; i += 1) await server.call('POST', '/v1/traces', { body, headers: tenant.headers });
    const { data } = await server.ok('GET', '/v0/ingest/ledger', { headers: tenant.headers });
    const counts = { received: 2, stored: 1, duplicate: 1, replaced: 0, rejected: 0 };
    expect(data).toMatchObject([counts]);
  });

  it.each<[what: string, body: (span: object) => object]>([
    ['with attributes in an object', (span) => spans({ ...span, attributes: { model: 'gpt-4o' } })],
    ['in a request of log records', (span) => logs(span)],
  ])('are not OTLP %s', async (_what, body) => {
    const span = newSpan();
    const reply = await send(body(span));
    expect([reply.status, reply.json]).toMatchObject([
      400,
      { message: expect.stringMatching(/./) as string },
    ]);
    expect(await isStored(span.traceId)).toBe(false);
  });

  it('have their media as bytes', async () => {
    const parts = [{ type: 'file', uri: 'data:text/plain,parcel 4711' }];
    const stringValue = JSON.stringify([{ role: 'assistant', parts }]);
    const span = newSpan();
    await send(spans({ ...span, attributes: [{ key: 'gen_ai.output.messages', value: { stringValue } }] }));
    const path = `/v0/traces/${span.traceId}/spans/${span.spanId}/media/0`;
    const { headers, text } = await server.call('GET', path);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toBe('parcel 4711');
  });
});

describe('log records', () => {
  const EVENT = 'gen_ai.client.inference.operation.details';

  it('of a model are shown with their span', async () => {
    const span = newSpan();
    await send(spans(span));
    expect((await send(logs(recordOf(span, EVENT)), '/v1/logs')).json).toEqual({});
    const { data } = await server.ok('GET', `/v0/traces/${span.traceId}/spans?include=payload`);
    expect(data).toMatchObject([{ id: span.spanId, logs: [{ name: EVENT }] }]);
  });

  it('of anything else are dropped', async () => {
    const span = newSpan();
    expect((await send(logs(recordOf(span, 'other')), '/v1/logs')).json).toEqual({});
    expect(await isStored(span.traceId)).toBe(false);
  });

  it('of too many attributes are rejected alone', async () => {
    const record = recordOf(newSpan(), EVENT);
    const attributes = Array.from({ length: 20_001 }, (_, i) => ({ key: `a${i}`, value: { intValue: '1' } }));
    const { json } = await send(logs(record, { ...record, attributes }), '/v1/logs');
    const errorMessage = expect.stringContaining('20000 attributes') as string;
    expect(json).toEqual({ partialSuccess: { rejectedLogRecords: '1', errorMessage } });
  });
});
