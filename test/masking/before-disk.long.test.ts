import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderBytes } from '../support/folder-bytes.ts';
import { startServer, type TestServer } from '../support/server.ts';

const KEY = `sk-proj-${'a1B2c3D4'.repeat(4)}`;
/** Values that must not reach the disk, by detector. */
const PLANTED = {
  email: 'planted.person@example.com',
  phone: '+49 30 5550123',
  card: '4111 1111 1111 1111',
  iban: 'DE89 3704 0044 0532 0130 00',
  secret: KEY,
  employee: 'EMP-990012',
};
const ALL = Object.values(PLANTED).join(', ');

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const body = {
    detectors: ['email', 'phone', 'card', 'iban', 'secret'],
    patterns: [{ name: 'employee', pattern: 'EMP-\\d{6}' }],
    removeAttributes: ['http.request.header.cookie'],
  };
  await server.call('PUT', '/v0/masking', { body });
});
afterAll(() => server.close());

/** Lists the planted values that the files of the store contain. */
function onDisk(): string[] {
  const files = folderBytes(server.folder);
  return [...Object.values(PLANTED), 'cookie-of-a-person'].filter((value) =>
    files.some(({ bytes }) => bytes.includes(value)),
  );
}

const text = (stringValue: string) => ({ stringValue });
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

function spans(traceId: string, spanId: string) {
  const messages = JSON.stringify([
    { role: 'user', content: `line\n${ALL}`, arguments: JSON.stringify({ to: ALL, password: 'hunter' }) },
  ]);
  const span = {
    traceId,
    spanId,
    name: `call ${PLANTED.phone}`,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
    attributes: [
      { key: 'gen_ai.input.messages', value: text(messages) },
      { key: 'user.id', value: text(PLANTED.email) },
      { key: 'session.id', value: text(PLANTED.email) },
      { key: 'list', value: { arrayValue: { values: [text(ALL)] } } },
      { key: 'pairs', value: { kvlistValue: { values: [{ key: PLANTED.email, value: text(ALL) }] } } },
      { key: 'number', value: { intValue: PLANTED.card.replaceAll(' ', '') } },
      {
        key: 'http.request.header.authorization',
        value: { arrayValue: { values: [text('Basic cGxhbnRlZA==')] } },
      },
      { key: 'http.request.header.cookie', value: text('id=cookie-of-a-person') },
    ],
    events: [{ name: 'exception', attributes: [{ key: 'exception.message', value: text(ALL) }] }],
    links: [{ traceId, spanId, attributes: [{ key: 'note', value: text(ALL) }] }],
    status: { code: 2, message: ALL },
  };
  const invalid = { ...span, traceId: PLANTED.email };
  const resource = { attributes: [{ key: 'owner', value: text(ALL) }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [span, invalid] }] }] };
}

it('nothing that detectors and patterns find reaches the disk, by spans, logs, events and their rejections', async () => {
  const [traceId, spanId] = [hex(16), hex(8)];
  const { call } = server;
  expect(await call('POST', '/v1/traces', { body: spans(traceId, spanId) })).toMatchObject({ status: 200 });
  const record = {
    traceId,
    spanId,
    eventName: 'gen_ai.user.message',
    body: { kvlistValue: { values: [{ key: 'content', value: text(ALL) }] } },
    attributes: [{ key: 'note', value: text(ALL) }],
  };
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
  expect(await call('POST', '/v1/logs', { body: logs })).toMatchObject({ status: 200 });
  const events = [
    {
      type: 'trace',
      id: hex(16),
      input: ALL,
      output: { answer: [ALL] },
      metadata: { [PLANTED.email]: 4111111111111111 },
    },
    { type: ALL },
  ];
  expect(await call('POST', '/v0/ingest', { body: { events } })).toMatchObject({ status: 200 });
  expect(
    await call('POST', '/v1/traces', {
      body: `not JSON: ${PLANTED.email}`,
      headers: { 'content-type': 'application/json' },
    }),
  ).toMatchObject({ status: 400 });
  expect(onDisk()).toEqual([]);
  // Blocks on the disk are compressed, so what they contain is read through the API.
  for (const path of [
    `/v0/traces/${traceId}`,
    `/v0/traces/${traceId}/spans?include=payload`,
    '/v0/ingest/ledger/rejected',
  ]) {
    const { status, text: read } = await call('GET', path);
    expect([path, status]).toEqual([path, 200]);
    expect(Object.values(PLANTED).filter((value) => read.includes(value))).toEqual([]);
  }
});

it('equal values have equal tokens, which are found as the values were', async () => {
  const body = { text: PLANTED.email };
  const { json } = await server.call('POST', '/v0/masking/preview', { body });
  const { data } = json as { data: { text: string } };
  expect(data.text).toMatch(/^<email:[\da-f]{12}>$/);
  const found = await server.call('GET', `/v0/traces?userId=${encodeURIComponent(data.text)}`);
  expect(found.json).toMatchObject({ data: [{ userId: data.text, sessionId: data.text }] });
  const other = await server.newTenant();
  const elsewhere = await server.call('POST', '/v0/masking/preview', {
    body: { ...body, rules: { detectors: ['email'] } },
    headers: other.headers,
  });
  expect(elsewhere.json).not.toEqual(json);
});

it('the report and the metric count by detector and attribute, without values', async () => {
  const { json, text: report } = await server.call('GET', '/v0/masking/report');
  const { data } = json as { data: { detector: string; attribute: string; count: number }[] };
  expect(data).toContainEqual(expect.objectContaining({ detector: 'email', attribute: 'user.id', count: 2 }));
  expect(data).toContainEqual(
    expect.objectContaining({ detector: 'removed', attribute: 'http.request.header.cookie' }),
  );
  expect(Object.values(PLANTED).filter((value) => report.includes(value))).toEqual([]);
  const metrics = await server.call('GET', '/metrics');
  expect(metrics.text).toMatch(/touchstone_masked_values_total\{detector="own"\} \d/);
  expect(metrics.text).not.toContain('employee');
});

it('what a webhook responds is masked before it is stored', async () => {
  const app = createServer((_request, response) => {
    response.setHeader('x-owner', PLANTED.email);
    response.setHeader('set-cookie', 'session=cookie-of-a-person');
    response.end(JSON.stringify({ answer: ALL }));
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/`;
    await server.call('POST', '/v0/webhook', { body: { url } });
    expect(await server.call('POST', '/v0/webhook/test', { body: {} })).toMatchObject({
      json: { success: true },
    });
    expect(onDisk()).toEqual([]);
  } finally {
    app.close();
  }
});

it('an application without rules stores what it receives', async () => {
  const other = await server.newTenant();
  const traceId = hex(16);
  await server.call('POST', '/v1/traces', { body: spans(traceId, hex(8)), headers: other.headers });
  const { text: trace } = await server.call('GET', `/v0/traces?userId=${encodeURIComponent(PLANTED.email)}`, {
    headers: other.headers,
  });
  expect(trace).toContain(PLANTED.email);
  expect(onDisk()).toContain(PLANTED.email);
});
