import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/contract/scope.ts';
import {
  answer,
  breakOff,
  type CustomerApp,
  hang,
  NOWHERE,
  type Received,
  startCustomerApp,
} from '../support/customer-app.ts';
import { openEvents, type ServerEvent } from '../support/events.ts';
import { testHttp } from '../support/http-cases.ts';
import { addPerson } from '../support/people.ts';
import { type Program, run, start } from '../support/process.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';

const SETTINGS = { quietMs: 200, orphanQuietMs: 800, traceDeadlineMs: 1_500 };
const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

let server: TestServer;
/** Where the webhook points to. */
let configured: CustomerApp;
/** What runs on the laptop. */
let app: CustomerApp;
const listeners: Program[] = [];

beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  configured = await startCustomerApp();
  app = await startCustomerApp();
  await configure(server, {});
});
afterAll(async () => {
  await server.close();
  await configured.close();
  await app.close();
});
beforeEach(() => {
  configured.received.length = 0;
  app.received.length = 0;
  app.behave(answer(200));
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener[Symbol.asyncDispose]();
});

type Owner = Pick<Tenant, 'headers'>;

async function configure(owner: Owner, fields: object): Promise<void> {
  const body = { url: configured.url, ...fields };
  const { status, text } = await server.call('POST', '/v0/webhook', { headers: owner.headers, body });
  expect([200, 201], text).toContain(status);
}

const accountOf = (url: string, { apiKey, applicationId }: Tenant): Record<string, string> => ({
  TOUCHSTONE_URL: url,
  TOUCHSTONE_API_KEY: apiKey,
  TOUCHSTONE_APPLICATION_ID: applicationId,
});

/** The command, connected. */
async function listen({ forward = app.url } = {}): Promise<Program> {
  const program = start(['listen', '--forward', forward], { env: accountOf(server.url, server) });
  listeners.push(program);
  await program.sees(/^Connected to/m);
  return program;
}

/** Starts one test; its id. */
async function trigger({ headers }: Owner = server, on: TestServer = server): Promise<string> {
  const task = { title: 'Capital', type: 'STATIC', inputExamples: ['Hauptstadt von „Österreich“?'] };
  const made = await on.call('POST', '/v0/tasks', { headers, body: task });
  const started = await on.call('POST', '/v0/tasks/trigger', {
    headers: { ...headers, prefer: 'return=representation' },
    body: { taskIds: [(made.json as { task: { id: string } }).task.id] },
  });
  return (started.json as { data: [{ testIds: [string] }] }).data[0].testIds[0];
}

interface TestJson {
  status: string;
  failure: { code: string; message: string } | null;
  timeline: { phase: string }[];
}

/** The test when it is over. */
async function over(id: string, { headers }: Owner = server, on: TestServer = server): Promise<TestJson> {
  const read = async (): Promise<TestJson> =>
    ((await on.call('GET', `/v0/tests/${id}`, { headers })).json as { test: TestJson }).test;
  await expect.poll(async () => (await read()).status).toMatch(/^(COMPLETED|FAILED)$/);
  return read();
}

/** What the app would send while it runs the test. */
async function sendSpan(request: Received, on: TestServer = server): Promise<void> {
  const [, trace = '', parentSpanId = ''] = String(request.headers['traceparent']).split('-');
  const at = BigInt(Date.now()) * 1_000_000n;
  const span = jsonSpan(trace, 'answer', {
    spanId: newSpanId(),
    parentSpanId,
    startTimeUnixNano: String(at),
    endTimeUnixNano: String(at + 5n),
    attributes: [{ key: 'openinference.span.kind', value: { stringValue: 'AGENT' } }],
  });
  expect((await on.call('POST', '/v1/traces', { body: jsonRequest(span) })).status).toBe(200);
}

const runTest =
  (on: TestServer = server): Parameters<CustomerApp['behave']>[0] =>
  async (request, response) => {
    await sendSpan(request, on);
    response.writeHead(200, { 'x-app': 'laptop' }).end('fertig');
  };

interface DeliveryJson {
  id: string;
  outcome: string;
  request: { headers: Record<string, string>; body: string };
  response: unknown;
}

async function deliveryOf(testId: string): Promise<DeliveryJson> {
  const list = await server.call('GET', `/v0/webhook/deliveries?testId=${testId}`);
  const [{ id }] = (list.json as { data: [DeliveryJson] }).data;
  return ((await server.call('GET', `/v0/webhook/deliveries/${id}`)).json as { data: DeliveryJson }).data;
}

describe('a test that a listener gets', () => {
  it('is complete like any other, and was signed', async () => {
    await configure(server, { headers: { authorization: 'Bearer of-the-app' } });
    app.behave(runTest());
    const program = await listen();
    const id = await trigger();
    expect(await over(id)).toMatchObject({ status: 'COMPLETED', failure: null });
    expect(configured.received).toEqual([]);
    expect(app.received).toHaveLength(1);

    const { method, path, headers, body } = app.last();
    const delivery = await deliveryOf(id);
    expect([method, path]).toEqual(['POST', '/webhook']);
    expect(headers).toMatchObject({ ...delivery.request.headers, authorization: 'Bearer of-the-app' });
    expect(body).toBe(delivery.request.body);
    expect(delivery).toMatchObject({
      outcome: 'answered',
      response: { headers: { 'x-app': 'laptop' }, body: 'fertig' },
    });
    const { json } = await server.call('POST', '/v0/validate-webhook', {
      body: {
        signature: headers['x-service-signature'],
        timestamp: Number(headers['x-service-timestamp']),
        body: JSON.parse(body) as unknown,
      },
    });
    expect(json).toEqual({ valid: true });

    await program.sees(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  ${id}  200  \\d+ ms$`, 'm'));
    program.child.kill('SIGINT');
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    expect(program.stdout()).not.toContain(server.apiKey);
    await configure(server, { headers: null });
  });

  it('fails like any other when the app does not respond: after three attempts', async () => {
    const program = await listen({ forward: NOWHERE });
    const id = await trigger();
    const test = await over(id);
    expect(test).toMatchObject({ status: 'FAILED', failure: { code: 'webhook_unreachable' } });
    expect(test.failure?.message).toContain('refused the connection');
    expect(test.timeline.filter(({ phase }) => phase === 'delivering')).toHaveLength(3);
    await expect.poll(() => program.stdout().match(new RegExp(`${id}  refused`, 'g')) ?? []).toHaveLength(3);
    expect(configured.received).toEqual([]);
  });

  it('fails like any other when the app is slow', async () => {
    await configure(server, { timeoutMs: 5_000 });
    app.behave(hang);
    const program = await listen();
    const id = await trigger();
    expect(await over(id)).toMatchObject({ status: 'FAILED', failure: { code: 'webhook_timeout' } });
    await program.sees(new RegExp(`${id}  timeout`));
    await configure(server, { timeoutMs: 120_000 });
    expect(app.received).toHaveLength(1);
  });

  it.each<[what: string, behaviour: Parameters<CustomerApp['behave']>[0], code: string]>([
    ['answers another status', answer(500, 'oh'), 'webhook_status'],
    ['breaks the connection off', breakOff, 'delivery_unknown'],
  ])('fails like any other when the app %s', async (_what, behaviour, code) => {
    app.behave(behaviour);
    await listen();
    expect(await over(await trigger())).toMatchObject({ status: 'FAILED', failure: { code } });
    expect(app.received).toHaveLength(1);
  });

  it('is not sent again when its listener is killed, and taken up by a span that arrives late', async () => {
    app.behave(hang);
    const program = await listen();
    const id = await trigger();
    await expect.poll(() => app.received.length).toBe(1);
    program.child.kill('SIGKILL');
    expect(await over(id)).toMatchObject({ status: 'FAILED', failure: { code: 'delivery_unknown' } });
    expect(await deliveryOf(id)).toMatchObject({ outcome: 'lost', response: null });
    await sendSpan(app.last());
    await expect.poll(async () => (await over(id)).status).toBe('COMPLETED');
    expect([app.received.length, configured.received.length]).toEqual([1, 0]);
  });

  it('may be cancelled meanwhile', async () => {
    app.behave(hang);
    await listen();
    const id = await trigger();
    await expect.poll(() => app.received.length).toBe(1);
    expect((await server.call('POST', `/v0/tests/${id}/cancel`)).status).toBe(200);
    await expect.poll(async () => (await deliveryOf(id)).outcome).toBe('cancelled');
  });
});

it('samples and replays go to a listener too', async () => {
  const program = await listen();
  const sample = await server.call('POST', '/v0/webhook/test');
  expect(sample.json).toEqual({ success: true, statusCode: 200 });
  const testId = String(app.last().headers['webhook-id']);
  await program.sees(new RegExp(`${testId}  200`));

  const { id } = await deliveryOf(testId);
  app.behave(answer(503));
  const replay = await server.call('POST', `/v0/webhook/deliveries/${id}/replay`);
  expect(replay.json).toMatchObject({ data: { replayOf: id, statusCode: 503 } });
  expect(app.received.map(({ body }) => body)).toEqual([app.last().body, app.last().body]);
  expect(configured.received).toEqual([]);
});

describe('who gets a test', () => {
  it('the newest listener, and the address of the webhook when none is left', async () => {
    const older = await startCustomerApp();
    const first = await listen({ forward: older.url });
    const second = await listen();
    await over(await trigger());
    expect([older.received.length, app.received.length]).toEqual([0, 1]);

    for (const program of [second, first]) {
      program.child.kill('SIGINT');
      await program.ended;
      const id = await trigger();
      await over(id);
    }
    expect([older.received.length, app.received.length]).toEqual([1, 1]);
    expect(configured.received).toHaveLength(1);
    await older.close();
  });

  it('no client of another application, whose answers count for nothing either', async () => {
    const other = await server.newTenant();
    await configure(other, {});
    const stream = await openEvents(`${server.url}/v0/webhook/listen`, other.headers);
    const id = await trigger();
    await over(id);
    expect(configured.received).toHaveLength(1);

    const theirs = await trigger(other);
    const event = (await stream.next()) as ServerEvent & { data: { id: string; body: string } };
    expect([event.name, event.data.body]).toEqual(['delivery', expect.stringContaining(theirs) as string]);
    const say = async (headers: Tenant['headers']): Promise<number> => {
      const path = `/v0/webhook/listen/${event.data.id}`;
      return (await server.call('POST', path, { headers, body: { status: 404 } })).status;
    };
    expect([await say(server.headers), await say(other.headers), await say(other.headers)]).toEqual([
      404, 204, 404,
    ]);
    expect(await over(theirs, other)).toMatchObject({ failure: { code: 'webhook_status' } });
    stream.leave();
  });
});

it('a listener is disconnected when its key is revoked, and gets nothing more', async () => {
  const made = await server.call('POST', '/v0/api-keys', { body: { name: 'laptop', scopes: ['write'] } });
  const { id, key } = (made.json as { data: { id: string; key: string } }).data;
  const stream = await openEvents(`${server.url}/v0/webhook/listen`, { ...server.headers, 'x-api-key': key });
  expect(stream.status).toBe(200);
  expect((await server.call('DELETE', `/v0/api-keys/${id}`)).status).toBe(204);
  expect(await stream.next()).toBeNull();
  await trigger();
  await expect.poll(() => configured.received.length).toBe(1);
});

it('a listener who is demoted gets nothing more, and the tests it was sent fail at once', async () => {
  const { id, headers } = addPerson(server, server, { role: 'editor' });
  const stream = await openEvents(`${server.url}/v0/webhook/listen`, headers);
  const testId = await trigger();
  expect(await stream.next()).toMatchObject({ name: 'delivery' });
  const path = `/v0/applications/${server.applicationId}/members/${id}`;
  expect((await server.call('PUT', path, { body: { role: 'viewer' } })).status).toBe(200);
  expect(await stream.next()).toBeNull();
  expect((await over(testId)).failure).toMatchObject({
    code: 'delivery_unknown',
    message: 'The listener lost its permission before it responded.',
  });
  await trigger();
  await expect.poll(() => configured.received.length).toBe(1);
});

it('a listener comes back after the server did', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const first = await startServer({ config: { ...SETTINGS, dataDir } });
  const presets = { bootstrapApplicationId: first.applicationId, bootstrapApiKey: first.apiKey };
  const body = { url: configured.url };
  expect((await first.call('POST', '/v0/webhook', { body })).status).toBe(201);
  const program = start(['listen', '--forward', app.url], { env: accountOf(first.url, first) });
  listeners.push(program);
  await program.sees(/^Connected to/m);
  await first.close();
  expect(first.logged.join('\n')).not.toContain('aborted because');
  await program.sees(/ended the stream\. Retrying in/);

  const port = Number(new URL(first.url).port);
  const second = await startServer({ config: { ...SETTINGS, ...presets, dataDir, port } });
  await program.sees(/^Connected again\.$/m);
  app.behave(runTest(second));
  const id = await trigger(second, second);
  expect(await over(id, second, second)).toMatchObject({ status: 'COMPLETED' });
  expect(app.received).toHaveLength(1);
  await second.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the command ends with a sentence', () => {
  it.each<[what: string, flags: readonly string[], sentence: RegExp]>([
    ['a wrong key', ['--api-key', 'sk_wrong'], /^http:\S+ answered 401: The API key is not valid\.\n$/],
    [
      'a key that no header can carry',
      ['--api-key', 'sk_a\nb'],
      /^TOUCHSTONE_API_KEY \(or --api-key\) is not/,
    ],
    ['another application', ['--application-id', UNKNOWN], /^http:\S+ answered 403: .*\.\n$/],
    ['no server', ['--url', new URL(NOWHERE).origin], /^http:\/\/127\.0\.0\.1:1 cannot be reached.*\.\n$/],
    ['a server that is none', ['--url', 'ftp://x'], /^--url \(or TOUCHSTONE_URL\) must be an http/],
    ['a forward address that is none', ['--forward', 'localhost:3000'], /^--forward must be an http/],
    [
      'a forward address with a password',
      ['--forward', 'http://a:secret@x/'],
      /^--forward must be (?!.*secret)/,
    ],
    ['a word too many', ['now'], /^listen takes no "now"\.\n$/],
  ])('for %s', async (_what, flags, sentence) => {
    const args = ['listen', '--forward', app.url, ...flags];
    const { code, stdout, stderr } = await run(args, { env: accountOf(server.url, server) });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(stderr).not.toContain('sk_');
  });

  it('for an application without webhook', async () => {
    const env = accountOf(server.url, await server.newTenant());
    const { code, stderr } = await run(['listen', '--forward', app.url], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^http:\S+ answered 409: The application has no webhook.*POST \/v0\/webhook.*\.\n$/,
    );
  });

  it.each([
    [[], {}, 'listen needs --forward URL'],
    [['--forward', 'http://x/'], {}, 'listen needs TOUCHSTONE_API_KEY, or --api-key.'],
    [
      ['--forward', 'http://x/'],
      { TOUCHSTONE_API_KEY: 'sk_a' },
      'listen needs TOUCHSTONE_APPLICATION_ID, or --application-id.',
    ],
  ])('for what is missing: %j', async (flags, env, sentence) => {
    const { code, stderr } = await run(['listen', ...flags], { env });
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
  });
});

describe('the routes', () => {
  const path = `POST /v0/webhook/listen/${UNKNOWN}` as const;
  testHttp(
    () => server,
    [
      { name: 'know no delivery that is not under way', request: path, body: { status: 200 }, status: 404 },
      {
        name: 'take an id that is a uuid',
        request: 'POST /v0/webhook/listen/1',
        body: { status: 200 },
        status: 422,
      },
      { name: 'take an answer or an error', request: path, body: {}, status: 422 },
      { name: 'take a status of HTTP', request: path, body: { status: 20 }, status: 422 },
      {
        name: 'take 16 KiB of a body',
        request: path,
        body: { status: 200, body: 'a'.repeat(16_385) },
        status: 422,
      },
      {
        name: 'take 32 KiB of headers',
        request: path,
        body: { status: 200, headers: { a: 'a'.repeat(32_768) } },
        status: 422,
      },
      {
        name: 'take an error they know',
        request: path,
        body: { error: { kind: 'odd', message: 'a' } },
        status: 422,
      },
    ],
  );

  it.each([
    ['GET', '/v0/webhook/listen'],
    ['POST', `/v0/webhook/listen/${UNKNOWN}`],
  ])('want a key that may write: %s %s', async (method, route) => {
    const headers = await server.newKey(SCOPES.filter((scope) => scope !== 'write'));
    const { status, text } = await server.call(method, route, { headers });
    expect([status, text]).toEqual([403, expect.stringContaining('write')]);
  });
});
