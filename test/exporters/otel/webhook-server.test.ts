import { context, propagation, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { register } from '../../../exporters/otel/src/register.ts';
import type { Touchstone } from '../../../exporters/otel/src/registration.ts';
import { createWebhookHandler, type WebhookOptions } from '../../../exporters/otel/src/webhook.ts';
import { toNodeListener } from '../../../exporters/otel/src/webhook-node.ts';
import type { WebhookTest } from '../../../exporters/otel/src/webhook-payload.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { newSecret, serve, type Serving } from './support/webhook.ts';

let server: TestServer;
let touchstone: Touchstone;
let app: Serving;
let tests: WebhookTest[];
/** The app is hung in when its webhook is configured, for only then its secret is known. */
let handle: ReturnType<typeof toNodeListener>;

beforeEach(async () => {
  tests = [];
  server = await startServer({ config: { quietMs: 100 } });
  const { url, apiKey, applicationId } = server;
  touchstone = register({ url, apiKey, applicationId, delayMillis: 600_000, strict: true });
  app = await serve((request, response) => handle(request, response));
});
afterEach(async () => {
  await touchstone.shutdown();
  context.disable();
  propagation.disable();
  await app[Symbol.asyncDispose]();
  await server.close();
});

async function configure(): Promise<string> {
  const { status, json, text } = await server.call('POST', '/v0/webhook', { body: { url: app.url } });
  expect(status, text).toBe(201);
  return (json as { data: { webhookSecret: string } }).data.webhookSecret;
}

function hangIn(options: Omit<WebhookOptions, 'run'>): void {
  const run = (test: WebhookTest): void => {
    tests.push(test);
    trace.getTracer('app').startSpan('answer').end();
  };
  handle = toNodeListener(createWebhookHandler({ ...options, run }));
}

async function sendSample(): Promise<unknown> {
  return (await server.call('POST', '/v0/webhook/test')).json;
}

it.each(['its secret', 'the API'])(
  'a server and an app that checks by %s understand each other',
  async (how) => {
    const secret = await configure();
    const { url, apiKey, applicationId } = server;
    hangIn(how === 'the API' ? { validate: 'api', url, apiKey, applicationId } : { secret });

    expect(await sendSample()).toEqual({ success: true, statusCode: 200 });
    const [test] = tests;
    expect(test).toMatchObject({ metadata: { sample: true } });
    const { status, json, text } = await server.call('GET', `/v0/traces/by-test/${test?.testId}`);
    expect(status, text).toBe(200);
    expect(json).toMatchObject({ data: { testId: test?.testId, services: [expect.any(String)] } });
  },
);

it('an app with another secret runs nothing', async () => {
  await configure();
  hangIn({ secret: newSecret() });
  expect(await sendSample()).toMatchObject({ success: false, statusCode: 401 });
  expect(tests).toEqual([]);
});

it('an app with a secret from before a rotation continues', async () => {
  const secret = await configure();
  const { status, text } = await server.call('POST', '/v0/webhook/rotate-secret');
  expect(status, text).toBe(200);
  hangIn({ secret });
  expect(await sendSample()).toEqual({ success: true, statusCode: 200 });
});

it('a test that is triggered is complete with the span of its run', async () => {
  hangIn({ secret: await configure() });
  const task = { title: 'Parcels', type: 'STATIC', inputExamples: ['Where is my parcel?'] };
  const made = await server.call('POST', '/v0/tasks', { body: task });
  const { id: taskId } = (made.json as { task: { id: string } }).task;
  await server.call('POST', '/v0/tasks/trigger', { body: { taskIds: [taskId] } });

  const read = async () => (await server.call('GET', `/v0/tests?taskId=${taskId}`)).json;
  await expect
    .poll(read)
    .toMatchObject({ data: [{ status: 'COMPLETED', prompt: 'Where is my parcel?', failure: null }] });
  const { data } = (await read()) as { data: { id: string }[] };
  expect(tests.map(({ testId, prompt }) => [testId, prompt])).toEqual([[data[0]?.id, 'Where is my parcel?']]);
});
