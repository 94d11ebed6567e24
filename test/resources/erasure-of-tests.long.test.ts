import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Test } from '../../src/api/generated/schema.ts';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { jsonRequest, jsonSpan, newSpanId } from '../e2e/otlp-sender.ts';
import { answer, type CustomerApp, hang, NOWHERE, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  app = await startCustomerApp();
});
afterAll(async () => {
  await server.close();
  await app.close();
});
const { definitions, saying, sendOutput, trigger, read, over } = judging(() => server);
const { send, erase, filesWith } = erasing(() => server);

/** A task with one example, whose input is a copy of a trace of the user. */
interface Copied {
  user: string;
  secret: string;
  taskId: string;
}
let copies = 0;
async function copied(): Promise<Copied> {
  copies += 1;
  const [user, secret] = [`user-${randomUUID()}`, `The dunlin ${randomUUID()} flies`];
  const traceId = await send(copies, { 'user.id': user, 'input.value': secret });
  const made = await server.call('POST', `/v0/traces/${traceId}/example`, { body: {} });
  const { taskId } = (made.json as { data: { taskId: string } }).data;
  await server.call('PUT', `/v0/tasks/${taskId}`, { body: { status: 'ACTIVE' } });
  return { user, secret, taskId };
}

const setWebhook = (url: string) => server.call('POST', '/v0/webhook', { body: { url } });

/** Leaves each request without a response until it is given. */
function waiting(): { response: () => Promise<ServerResponse> } {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  app.behave((_request, response) => resolve(response));
  return { response: () => promise };
}

const phaseOf = async (id: string): Promise<string> => (await read(id)).phase;
const deliveriesOf = async (id: string): Promise<Record<string, unknown>[]> => {
  return (await server.ok('GET', `/v0/webhook/deliveries?testId=${id}`)).data;
};

const ERASED = {
  status: 'FAILED',
  phase: 'done',
  prompt: '[erased]',
  failure: {
    code: 'erased',
    message: 'The text that the test sends was erased before the test was complete.',
  },
};

it.each([
  ['200 and the text', 200],
  ['500 and the text', 500],
])(
  'a test that is being delivered ends at once, and a later response of %s is not stored',
  async (_what, status) => {
    await setWebhook(app.url);
    const { user, secret, taskId } = await copied();
    const { response } = waiting();
    const id = await trigger(taskId);
    const pending = await response();
    expect(await phaseOf(id)).toBe('delivering');

    expect(await erase({ userId: user })).toMatchObject({ counts: { tests: 1, deliveries: 1 } });
    expect(await read(id)).toMatchObject(ERASED);
    pending.writeHead(status, { 'content-type': 'text/plain', 'x-text': secret }).end(`I heard: ${secret}`);
    const [delivery] = await until(
      () => deliveriesOf(id),
      ([first]) => first?.['finishedAt'] != null,
    );
    const shown = await server.call('GET', `/v0/webhook/deliveries/${String(delivery?.['id'])}`);
    expect(shown.text).not.toContain(secret);
    expect(await read(id)).toMatchObject(ERASED);
    expect(filesWith(secret)).toEqual([]);
  },
);

it('a test that waits for its next attempt ends at once and is not sent again', async () => {
  await setWebhook(NOWHERE);
  const { user, secret, taskId } = await copied();
  const id = await trigger(taskId);
  await until(
    () => read(id),
    ({ timeline }) => timeline.some(({ detail }) => detail.includes('retried')),
  );
  await erase({ userId: user });
  const ended = await read(id);
  expect(ended).toMatchObject(ERASED);
  const sent = (await deliveriesOf(id)).length;
  await setWebhook(app.url);
  app.behave(answer(200));
  // A test that is sent later shows that the queue has moved on.
  const other = await copied();
  const next = await trigger(other.taskId);
  await until(
    () => phaseOf(next),
    (phase) => phase === 'delivered',
  );
  expect((await deliveriesOf(id)).length).toBe(sent);
  expect(filesWith(secret)).toEqual([]);
});

it('a test that waits for its trace ends at once, and spans that arrive later are not kept', async () => {
  await setWebhook(app.url);
  app.behave(answer(200));
  const { user, secret, taskId } = await copied();
  const id = await trigger(taskId);
  await until(
    () => phaseOf(id),
    (phase) => phase === 'delivered',
  );
  await erase({ userId: user });
  expect(await read(id)).toMatchObject(ERASED);

  // In the trace of the delivery, and in a trace of its own.
  await sendOutput(app.last(), secret);
  const ofTest = [{ key: 'service.test.id', value: { stringValue: id } }];
  const input = [{ key: 'input.value', value: { stringValue: secret } }];
  const own = jsonSpan('0af7651916cd43dd8448eb211c80319c', 'answer', {
    spanId: newSpanId(),
    attributes: [...ofTest, ...input],
  });
  expect((await server.call('POST', '/v1/traces', { body: jsonRequest(own) })).status).toBe(200);
  await until(
    async () => await server.ok('GET', `/v0/traces?testId=${id}`),
    ({ data }) => data.length === 0,
  );
  expect(await read(id)).toMatchObject(ERASED);
  expect((await server.call('GET', `/v0/traces?search=${encodeURIComponent(secret)}`)).text).toContain(
    '"total":0',
  );
});

it('a test whose trace is erased while its app has not responded ends at once, and the response is not stored', async () => {
  await setWebhook(app.url);
  const { taskId } = await copied();
  const [user, secret] = [`user-${randomUUID()}`, `The knot ${randomUUID()} rests`];
  const { response } = waiting();
  const id = await trigger(taskId);
  const pending = await response();
  await send(9_000, { 'user.id': user, 'service.test.id': id, 'output.value': secret });
  await erase({ userId: user });
  expect(await read(id)).toMatchObject({ status: 'FAILED', failure: { code: 'trace_deleted' } });
  pending.writeHead(200).end(secret);
  await until(
    () => deliveriesOf(id),
    ([first]) => first?.['finishedAt'] != null,
  );
  expect(await read(id)).toMatchObject({ status: 'FAILED', failure: { code: 'trace_deleted' } });
  expect(filesWith(secret)).toEqual([]);
});

it('a test that a scorer is judging ends at once, without the verdict', async () => {
  await setWebhook(app.url);
  const { user, secret, taskId } = await copied();
  const scorer = await startCustomerApp();
  try {
    scorer.behave(hang);
    const scored = await definitions().definition({ type: 'HTTP', globalConfig: { url: scorer.url } });
    await server.call('PUT', `/v0/tasks/${taskId}`, {
      body: { evalDefinitions: [{ evalDefinitionId: scored.id }] },
    });
    app.behave(saying(secret));
    const id = await trigger(taskId);
    await until(
      async () => scorer.received.length,
      (count) => count > 0,
    );
    await erase({ userId: user });
    expect(await read(id)).toMatchObject({
      status: 'COMPLETED',
      evals: [{ status: 'SKIPPED', reason: 'The trace was deleted.' }],
    });
    expect(filesWith(secret)).toEqual([]);
  } finally {
    await scorer.close();
  }
});

it('a replay in progress stores nothing, and the test does not resume', async () => {
  await setWebhook(app.url);
  const { user, secret, taskId } = await copied();
  app.behave(answer(500));
  const test: Test = await over(await trigger(taskId));
  const [delivery] = await deliveriesOf(test.id);
  const { response } = waiting();
  const replay = server.call('POST', `/v0/webhook/deliveries/${String(delivery?.['id'])}/replay`);
  const pending = await response();
  await erase({ userId: user });
  pending.writeHead(200).end(secret);
  await replay;
  expect(await read(test.id)).toMatchObject({ status: 'FAILED', failure: { code: 'webhook_status' } });
  expect(filesWith(secret)).toEqual([]);
});
