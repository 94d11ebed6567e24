import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Experiment, Variant } from '../../src/api/generated/schema.ts';
import { jsonRequest, jsonSpan, newSpanId } from '../e2e/otlp-sender.ts';
import { besideServer } from '../support/beside-store.ts';
import { answer, type CustomerApp, hang, type Received, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { experimentCalls } from './experiments-support.ts';

/** Short, so that what waits for silence does not make the tests wait. */
const SETTINGS = { quietMs: 150, orphanQuietMs: 600, traceDeadlineMs: 700 };

let server: TestServer;
let app: CustomerApp;
let tasks: string[];
const calls = experimentCalls(() => server);
const { read } = calls;
beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
  tasks = [
    await calls.task({ inputExamples: ['one', 'two'] }),
    await calls.task({ metadata: { tier: 'gold' } }),
  ];
});
afterAll(async () => {
  await server.close();
  await app.close();
});
beforeEach(() => {
  app.received.length = 0;
  app.behave(sendTraceAndAnswer);
});

const runPath = (experimentId: string, variantId: string): string =>
  `/v0/experiments/${experimentId}/variants/${variantId}/run`;
const variantOf = (experimentId: string, { id }: Variant): Promise<Variant> =>
  read(`/v0/experiments/${experimentId}/variants/${id}`);
const statusOf = async (experimentId: string): Promise<string> =>
  (await read<Experiment>(`/v0/experiments/${experimentId}`)).status;

interface Payload {
  testId: string;
  prompt: string;
  experiment?: unknown;
}
const payloads = (): Payload[] => app.received.map(({ body }) => JSON.parse(body) as Payload);

async function sendTrace({ headers, body }: Received): Promise<void> {
  const [, trace = '', parentSpanId = ''] = String(headers['traceparent']).split('-');
  const { testId } = JSON.parse(body) as Payload;
  const span = jsonSpan(trace, 'answer', {
    spanId: newSpanId(),
    parentSpanId,
    startTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    endTimeUnixNano: String(BigInt(Date.now() + 5) * 1_000_000n),
    attributes: [{ key: 'service.test.id', value: { stringValue: testId } }],
  });
  expect((await server.call('POST', '/v1/traces', { body: jsonRequest(span) })).status).toBe(200);
}

/** As an app does in which all goes well. */
async function sendTraceAndAnswer(...[request, response]: Parameters<typeof hang>): Promise<void> {
  await sendTrace(request);
  response.writeHead(200).end();
}

interface Family {
  id: string;
  baseline: Variant;
  child: Variant;
}
async function newFamily(taskIds: readonly string[] = tasks): Promise<Family> {
  const { id } = await calls.experiment({ taskIds });
  const baseline = await calls.variant(id, { configPatch: { answer: { model: 'small', seed: 1 } } });
  const child = await calls.variant(id, { configPatch: { answer: { seed: 2 } }, parentId: baseline.id });
  return { id, baseline, child };
}

/** Runs a variant; once it is over, what became of it. */
async function runToEnd(experimentId: string, variant: Variant, body?: object): Promise<Variant> {
  await calls.run(experimentId, variant.id, body);
  const status = async () => (await variantOf(experimentId, variant)).status;
  await expect.poll(status).not.toBe('RUNNING');
  return variantOf(experimentId, variant);
}

async function testsOf({
  id,
}: Variant): Promise<{ id: string; status: string; runId: string; runType: string }[]> {
  return (await server.ok('GET', `/v0/tests?experimentVariantId=${id}&limit=100`)).data;
}

it('takes an experiment from its baseline to a conclusion', async () => {
  const { id, baseline, child } = await newFamily();
  expect(await statusOf(id)).toBe('BASELINE_PENDING');

  const reply = await calls.run(id, baseline.id, { repeat: 2 });
  const { data } = reply.json as { data: Variant };
  expect(data).toMatchObject({ id: baseline.id, status: 'RUNNING', progress: { total: 4 } });
  expect(['BASELINE_RUNNING', 'BASELINE_COMPLETED']).toContain(await statusOf(id));
  await expect.poll(() => statusOf(id)).toBe('BASELINE_COMPLETED');
  expect(await variantOf(id, baseline)).toMatchObject({
    status: 'COMPLETED',
    progress: { completed: 4, total: 4 },
  });
  expect(payloads()).toHaveLength(4);
  for (const { experiment } of payloads())
    expect(experiment).toEqual({
      experimentId: id,
      experimentVariantId: baseline.id,
      overrides: { answer: { model: 'small', seed: 1 } },
    });
  expect(new Set(payloads().map(({ prompt }) => prompt))).toEqual(new Set(['one', 'two', 'Task']));

  const ofBaseline = await testsOf(baseline);
  expect(ofBaseline).toHaveLength(4);
  for (const test of ofBaseline)
    expect(test).toMatchObject({ runType: 'EXPERIMENT', status: 'COMPLETED', experimentId: id });
  const runIds = (reply.headers.get('x-run-ids') ?? '').split(',');
  expect(new Set(ofBaseline.map(({ runId }) => runId))).toEqual(new Set(runIds));
  for (const runId of runIds)
    expect((await server.call('GET', `/v0/runs/${runId}`)).json).toMatchObject({
      run: { type: 'EXPERIMENT', experimentVariantId: baseline.id },
    });

  app.received.length = 0;
  expect(await runToEnd(id, child)).toMatchObject({
    status: 'COMPLETED',
    progress: { completed: 2, total: 2 },
  });
  expect(payloads()).toHaveLength(2);
  for (const { experiment } of payloads())
    expect(experiment).toEqual({
      experimentId: id,
      experimentVariantId: child.id,
      overrides: { answer: { model: 'small', seed: 2 } },
    });
  expect(await statusOf(id)).toBe('IDLE');
  expect(await testsOf(child)).toHaveLength(2);
  for (const status of ['COMPLETED', 'ARCHIVED'])
    expect((await server.call('PUT', `/v0/experiments/${id}`, { body: { status } })).status).toBe(200);
  expect((await server.call('POST', runPath(id, child.id))).status).toBe(409);
});

it('locks the settings and the tasks with the first run', async () => {
  const { id, baseline } = await newFamily();
  app.behave(hang);
  await calls.run(id, baseline.id);
  for (const [path, body] of [
    [`/v0/experiments/${id}`, { taskIds: [] }],
    [`/v0/experiments/${id}/variants/${baseline.id}`, { configPatch: {} }],
  ] as const)
    expect((await server.call('PUT', path, { body })).status).toBe(409);
  for (const { id: testId } of await testsOf(baseline))
    expect((await server.call('POST', `/v0/tests/${testId}/cancel`)).status).toBe(200);
  expect(await variantOf(id, baseline)).toMatchObject({
    status: 'FAILED',
    progress: { completed: 2, total: 2 },
  });
  expect(await statusOf(id)).toBe('BASELINE_FAILED');
});

describe('a variant', () => {
  it('is completed when one of its tests is', async () => {
    const { id, baseline } = await newFamily();
    app.behave((request, response) => {
      if (request.body.includes('"prompt":"Task"')) return answer(500)(request, response);
      return sendTraceAndAnswer(request, response);
    });
    expect(await runToEnd(id, baseline)).toMatchObject({
      status: 'COMPLETED',
      progress: { completed: 2, total: 2 },
      // What failed by the app's fault is an eval that failed; nothing else is judged here.
      result: { passed: 0, failed: 1, total: 1, passRate: 0, averageScore: null },
    });
    expect(await statusOf(id)).toBe('BASELINE_COMPLETED');
  });

  it('fails when none is, and the baseline may run once more', async () => {
    const { id, baseline, child } = await newFamily();
    app.behave(answer(500));
    expect((await runToEnd(id, baseline)).status).toBe('FAILED');
    expect(await statusOf(id)).toBe('BASELINE_FAILED');
    expect((await server.call('POST', runPath(id, child.id))).status).toBe(409);
    app.behave(sendTraceAndAnswer);
    expect(await runToEnd(id, baseline)).toMatchObject({
      status: 'COMPLETED',
      progress: { completed: 4, total: 4 },
    });
    expect(await statusOf(id)).toBe('BASELINE_COMPLETED');
    app.behave(answer(500));
    expect((await runToEnd(id, child)).status).toBe('FAILED');
    expect(await statusOf(id)).toBe('IDLE');
    expect((await runToEnd(id, baseline)).status, 'it has completed tests').toBe('COMPLETED');
  });

  it('fails when its tests can not be sent', async () => {
    const { id, baseline } = await newFamily();
    const enable = (enabled: boolean) => server.call('POST', '/v0/webhook', { body: { enabled } });
    expect((await enable(false)).status).toBe(200);
    expect((await runToEnd(id, baseline)).status).toBe('FAILED');
    expect((await enable(true)).status).toBe(200);
    expect(app.received).toEqual([]);
    expect(await statusOf(id)).toBe('BASELINE_FAILED');
  });

  it('that has failed is completed by a trace that comes late', async () => {
    const { id, baseline, child } = await newFamily();
    app.behave(answer(200));
    expect((await runToEnd(id, baseline)).status).toBe('FAILED');
    await sendTrace(app.last());
    await expect.poll(() => statusOf(id)).toBe('BASELINE_COMPLETED');
    expect((await variantOf(id, baseline)).status).toBe('COMPLETED');

    expect((await runToEnd(id, child)).status).toBe('FAILED');
    const late = app.last();
    const running = await calls.variant(id, { parentId: baseline.id });
    app.behave(hang);
    await calls.run(id, running.id);
    await sendTrace(late);
    await expect.poll(async () => (await variantOf(id, child)).status).toBe('COMPLETED');
    expect(await statusOf(id), 'another one runs').toBe('VARIANT_RUNNING');
    for (const test of await testsOf(running)) await server.call('POST', `/v0/tests/${test.id}/cancel`);
    expect(await statusOf(id)).toBe('IDLE');
  });
});

describe('POST …/run is rejected', () => {
  /** The response; nothing must have changed. */
  async function rejection(experimentId: string, { id: variantId }: Variant): Promise<string> {
    const seen = async () => [
      await statusOf(experimentId),
      (await read<Variant>(`/v0/experiments/${experimentId}/variants/${variantId}`)).status,
      (await server.call('GET', '/v0/tests?limit=1')).text,
    ];
    const before = await seen();
    const { status, text } = await server.call('POST', runPath(experimentId, variantId));
    expect([status, await seen()]).toEqual([409, before]);
    return text;
  }
  const set = (table: 'experiment' | 'experiment_variant', id: string, status: string): void =>
    besideServer(server.folder, (database) => {
      database.run(`UPDATE ${table} SET status = ? WHERE id = ?`, status, id);
    });

  it('without tasks', async () => {
    const { id, baseline } = await newFamily([]);
    expect(await rejection(id, baseline)).toContain('no tasks');
  });

  it('with an archived task', async () => {
    const archived = await calls.task();
    const { id, baseline } = await newFamily([tasks[0] as string, archived]);
    expect((await server.call('PUT', `/v0/tasks/${archived}`, { body: { status: 'ARCHIVED' } })).status).toBe(
      200,
    );
    expect(await rejection(id, baseline)).toContain('archived');
  });

  it.each(['BASELINE_RUNNING', 'VARIANT_RUNNING', 'COMPLETED', 'ARCHIVED'])(
    'when the experiment is %s',
    async (status) => {
      const { id, baseline, child } = await newFamily();
      set('experiment', id, status);
      expect(await rejection(id, baseline)).toContain(status);
      expect(await rejection(id, child)).toContain(status);
    },
  );

  it.each(['BASELINE_PENDING', 'BASELINE_FAILED'])('to all but the baseline in %s', async (status) => {
    const { id, child } = await newFamily();
    set('experiment', id, status);
    expect(await rejection(id, child)).toContain(status);
  });

  it('to a rejected variant', async () => {
    const { id, child } = await newFamily();
    set('experiment', id, 'IDLE');
    set('experiment_variant', child.id, 'REJECTED');
    expect(await rejection(id, child)).toContain('REJECTED');
  });

  it('twice', async () => {
    const { id, baseline } = await newFamily();
    app.behave(hang);
    const replies = await Promise.all([1, 2, 3].map(() => server.call('POST', runPath(id, baseline.id))));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(await testsOf(baseline)).toHaveLength(2);
  });
});

it('progress tells how many tests are over', async () => {
  const { id, baseline } = await newFamily();
  app.behave((request, response) =>
    request.body.includes('"prompt":"Task"') ? undefined : sendTraceAndAnswer(request, response),
  );
  await calls.run(id, baseline.id, { repeat: 2 });
  const progress = async () => (await variantOf(id, baseline)).progress;
  await expect.poll(progress).toEqual({ completed: 2, total: 4 });
  expect(await variantOf(id, baseline)).toMatchObject({
    status: 'RUNNING',
    progress: { completed: 2, total: 4 },
  });
});
