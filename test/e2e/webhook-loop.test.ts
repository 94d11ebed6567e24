import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  breakOff,
  type CustomerApp,
  hang,
  NOWHERE,
  type Received,
  startCustomerApp,
} from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';

/** Short, so that what waits for silence does not make the tests wait. */
const SETTINGS = { quietMs: 200, orphanQuietMs: 800, traceDeadlineMs: 1_500 };

let server: TestServer;
let app: CustomerApp;
let taskId: string;

beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  app = await startCustomerApp();
  await configure({});
  const task = {
    title: 'Capital',
    type: 'STATIC',
    inputExamples: ['Capital of France?', 'Capital of Peru?'],
  };
  const { json } = await server.call('POST', '/v0/tasks', { body: { ...task, metadata: { tier: 'gold' } } });
  taskId = (json as { task: { id: string } }).task.id;
});
afterAll(async () => {
  await server.close();
  await app.close();
});
beforeEach(() => {
  app.received.length = 0;
  app.behave(answer(200));
});

async function configure(fields: Record<string, unknown>): Promise<void> {
  const { status, text } = await server.call('POST', '/v0/webhook', { body: { url: app.url, ...fields } });
  expect([200, 201], text).toContain(status);
}

interface TestJson {
  id: string;
  status: string;
  phase: string;
  failure: { code: string; message: string; hint: string } | null;
  timeline: { phase: string; detail: string }[];
  traceIds: string[];
  input: unknown;
  output: unknown;
}

async function trigger(repeat = 1): Promise<string[]> {
  return (
    await server.ok('POST', '/v0/tasks/trigger', {
      headers: { prefer: 'return=representation' },
      body: { taskIds: [taskId], repeat },
    })
  ).data.flatMap(({ testIds }) => testIds);
}

async function read(id: string): Promise<TestJson> {
  return (await server.ok('GET', `/v0/tests/${id}`)).test;
}

/** The test when it is over. */
async function over(id: string): Promise<TestJson> {
  await expect.poll(async () => (await read(id)).status).toMatch(/^(COMPLETED|FAILED)$/);
  return read(id);
}

const testIdOf = ({ body }: Received): string => (JSON.parse(body) as { testId: string }).testId;
const traceOf = ({ headers }: Received): string => String(headers['traceparent']).split('-')[1] as string;
const parentOf = ({ headers }: Received): string => String(headers['traceparent']).split('-')[2] as string;

/** A span of the app, linked by its attribute by default. */
async function sendSpan(
  request: Received,
  options: { linked?: boolean; trace?: string; parent?: string | null; testId?: string } = {},
): Promise<void> {
  const { linked = true, trace = traceOf(request), parent = parentOf(request) } = options;
  const attributes = {
    'openinference.span.kind': 'AGENT',
    'input.value': 'Capital of France?',
    'output.value': 'Paris',
    ...(linked ? { 'service.test.id': options.testId ?? testIdOf(request) } : {}),
  };
  const span = jsonSpan(trace, 'answer', {
    spanId: newSpanId(),
    ...(parent === null ? {} : { parentSpanId: parent }),
    startTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    endTimeUnixNano: String(BigInt(Date.now() + 5) * 1_000_000n),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  });
  expect((await server.call('POST', '/v1/traces', { body: jsonRequest(span) })).status).toBe(200);
}

describe('a test whose app runs', () => {
  it.each<[name: string, options: Parameters<typeof sendSpan>[1]]>([
    ['a span that carries its id, in its trace', {}],
    ['a span of its trace that knows nothing of tests', { linked: false }],
    [
      'a span that carries its id, in a trace of its own',
      { trace: randomBytes(16).toString('hex'), parent: null },
    ],
  ])('is complete after %s', async (_name, options) => {
    app.behave(async (request, response) => {
      await sendSpan(request, options);
      response.writeHead(200).end();
    });
    const [id = ''] = await trigger();
    const test = await over(id);
    expect(test).toMatchObject({
      status: 'COMPLETED',
      phase: 'done',
      failure: null,
      input: 'Capital of France?',
      output: 'Paris',
    });
    expect(test.timeline.map(({ phase }) => phase)).toEqual([
      'queued',
      'delivering',
      'delivered',
      'trace_received',
      'done',
    ]);
    expect(app.received).toHaveLength(1);
    const trace = await server.call('GET', `/v0/traces/by-test/${id}`);
    expect(trace.json).toMatchObject({ data: { testId: id } });
  });

  it('is complete when the spans arrive after the answer', async () => {
    const [id = ''] = await trigger();
    await expect.poll(() => app.received.length).toBe(1);
    await sendSpan(app.last());
    // When they come late, the test fails first.
    await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
  });

  it('waits longer when no span is there that its trace could begin with', async () => {
    const started = Date.now();
    app.behave(async (request, response) => {
      await sendSpan(request, { parent: newSpanId() });
      response.writeHead(200).end();
    });
    const [id = ''] = await trigger();
    expect(await over(id)).toMatchObject({ status: 'COMPLETED' });
    expect(Date.now() - started).toBeGreaterThan(SETTINGS.orphanQuietMs);
  });

  it('is sent what the contract says', async () => {
    const ids = await trigger(3);
    await expect.poll(() => app.received.length).toBe(3);
    const bodies = app.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(new Set(bodies.map(({ testId }) => testId))).toEqual(new Set(ids));
    expect(bodies.map(({ prompt }) => String(prompt)).toSorted()).toEqual([
      'Capital of France?',
      'Capital of France?',
      'Capital of Peru?',
    ]);
    for (const { headers, body } of app.received) {
      const payload = JSON.parse(body) as Record<string, unknown>;
      expect(Object.keys(payload)).toEqual(['metadata', 'prompt', 'testId']);
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': payload['testId'],
        baggage: `service.test.id=${String(payload['testId'])}`,
      });
      const { json } = await server.call('POST', '/v0/validate-webhook', {
        body: {
          signature: headers['x-service-signature'],
          timestamp: Number(headers['x-service-timestamp']),
          body: payload,
        },
      });
      expect(json).toEqual({ valid: true });
    }
    for (const id of ids) await server.call('POST', `/v0/tests/${id}/cancel`);
  });
});

describe('the trace of a test that is deleted', () => {
  it('takes along what was sent and answered', async () => {
    app.behave(answer(500, 'the whole story'));
    const [id = ''] = await trigger();
    await over(id);
    const list = await server.call('GET', `/v0/webhook/deliveries?testId=${id}`);
    const [delivery] = (list.json as { data: { id: string }[] }).data;
    const path = `/v0/webhook/deliveries/${delivery?.id}`;
    expect((await server.call('GET', path)).text).toContain('the whole story');
    await expect.poll(async () => (await server.call('GET', `/v0/traces/by-test/${id}`)).status).toBe(200);
    const { json } = await server.call('GET', `/v0/traces/by-test/${id}`);
    await server.call('DELETE', `/v0/traces/${(json as { data: { id: string } }).data.id}`);
    const { text } = await server.call('GET', path);
    expect(text).not.toContain('the whole story');
    expect(text).not.toContain('Capital of');
    expect((await server.call('GET', `/v0/tests/${id}`)).text).not.toContain('the whole story');
    expect((await server.call('POST', `${path}/replay`)).status).toBe(409);
  });
});

describe('a test that fails', () => {
  it.each<[name: string, behave: () => void, code: string, message: RegExp]>([
    ['a status other than 200', () => app.behave(answer(404)), 'webhook_status', /404/],
    ['a redirect', () => app.behave(answer(302, '', { location: '/elsewhere' })), 'webhook_status', /302/],
    ['another status of success', () => app.behave(answer(204)), 'webhook_status', /204/],
    ['a connection that breaks', () => app.behave(breakOff), 'delivery_unknown', /./],
  ])('says so: %s', async (_name, behave, code, message) => {
    behave();
    const [id = ''] = await trigger();
    const test = await over(id);
    expect(test).toMatchObject({ status: 'FAILED', failure: { code } });
    expect(test.failure?.message).toMatch(message);
    expect(test.failure?.hint).not.toBe('');
    expect(app.received).toHaveLength(1);
  });

  it('says so: no span in time, until one arrives late', async () => {
    const [id = ''] = await trigger();
    expect(await over(id)).toMatchObject({ status: 'FAILED', failure: { code: 'trace_missing' } });
    await sendSpan(app.last());
    await expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
    expect(await read(id)).toMatchObject({ failure: null });
  });

  it('says so: a span of someone else’s test', async () => {
    const [id = ''] = await trigger();
    await expect.poll(() => app.received.length).toBe(1);
    await sendSpan(app.last(), { testId: '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60' });
    expect(await over(id)).toMatchObject({ status: 'FAILED', failure: { code: 'trace_missing' } });
  });

  it('says so: a time-out', async () => {
    await configure({ timeoutMs: 1_000 });
    app.behave(hang);
    const [id = ''] = await trigger();
    expect(await over(id)).toMatchObject({ status: 'FAILED', failure: { code: 'webhook_timeout' } });
    await configure({ timeoutMs: 120_000 });
  });

  it('says that no program listens, after three attempts', async () => {
    await configure({ url: NOWHERE });
    const [id = ''] = await trigger();
    const test = await over(id);
    expect(test).toMatchObject({ status: 'FAILED', failure: { code: 'webhook_unreachable' } });
    expect(test.timeline.filter(({ phase }) => phase === 'delivering')).toHaveLength(3);
    await configure({ url: app.url });
  });

  it('says so: the webhook is switched off', async () => {
    await configure({ enabled: false });
    const [id = ''] = await trigger();
    expect(await over(id)).toMatchObject({ status: 'FAILED', failure: { code: 'webhook_not_configured' } });
    await configure({ enabled: true });
  });

  it('says so: it was cancelled while the app was at it', async () => {
    app.behave(hang);
    const [id = ''] = await trigger();
    await expect.poll(() => app.received.length).toBe(1);
    expect((await server.call('POST', `/v0/tests/${id}/cancel`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'FAILED', failure: { code: 'cancelled' } });
    expect((await server.call('POST', `/v0/tests/${id}/cancel`)).status).toBe(409);
  });
});

// The last test of the file, because it ends the server.
it('a server that stops stores what an app sends before it responds to its webhook', async () => {
  let [stopping, sent] = [Promise.resolve(), Promise.resolve()];
  app.behave((request, response) => {
    stopping = server.close();
    // By then, a server without regard for its deliveries has closed its port.
    sent = delay(300).then(() => sendSpan(request));
    void sent.finally(() => response.writeHead(200).end()).catch(() => undefined);
  });
  await trigger();
  await expect.poll(() => app.received.length).toBe(1);
  await expect(sent).resolves.toBeUndefined();
  await stopping;
  expect(server.logged.filter((line) => /aborted|did not finish/.test(line))).toEqual([]);
});
