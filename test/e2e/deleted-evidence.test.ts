import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Test } from '../../src/api/generated/schema.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { jsonSpan } from './otlp-sender.ts';
import { judging, SETTINGS } from './judging-support.ts';

let server: TestServer;
let app: CustomerApp;
let scorer: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: { ...SETTINGS, traceDeadlineMs: 600_000 } });
  [app, scorer] = await Promise.all([startCustomerApp(), startCustomerApp()]);
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await Promise.all([app.close(), scorer.close()]);
});

const { definitions, contains, saying, send, trigger, over, evalsOf, read, post } = judging(() => server);

const deleteTraceOf = async (test: { id: string }): Promise<void> => {
  const traces = (await server.ok('GET', `/v0/traces?testId=${test.id}`)).data;
  expect(traces).not.toEqual([]);
  for (const { id } of traces) expect((await server.call('DELETE', `/v0/traces/${id}`)).status).toBe(204);
};

interface Judged {
  test: Test;
  runId: string;
  taskId: string;
}

/** Runs a test of a task with this definition and deletes its trace. */
async function judgedAndDeleted(definitionIds: string[]): Promise<Judged> {
  app.behave(saying('It is Paris.'));
  const task = await definitions().task({
    evalDefinitions: definitionIds.map((evalDefinitionId) => ({ evalDefinitionId })),
  });
  const test = (await over(await trigger(task.id))) as Test & { runId: string };
  expect(test.status).toBe('COMPLETED');
  await deleteTraceOf(test);
  return { test, runId: test.runId, taskId: task.id };
}

describe('the verdict of a test whose trace was deleted', () => {
  it.each<[of: string, force: boolean]>([
    ['test', false],
    ['test', true],
    ['run', false],
    ['run', true],
    ['task', true],
  ])('stays when its %s is evaluated again, with force = %s', async (of, force) => {
    const definition = await contains('Paris');
    const { test, runId, taskId } = await judgedAndDeleted([definition.id]);
    const before = await evalsOf(test.id);
    expect(before).toMatchObject([{ status: 'COMPLETED', passed: true, version: 1 }]);
    const id = { test: test.id, run: runId, task: taskId }[of];
    const { json } = await post(`/v0/${of}s/${id}/evaluate`, { force });
    expect(json).toEqual({ data: { tests: 1, evals: 0, tracesDeleted: 1, next: null } });
    expect(await evalsOf(test.id)).toMatchObject([
      { status: 'COMPLETED', passed: true, version: 1, inputHash: before[0]?.inputHash },
    ]);
    expect(await read(test.id)).toMatchObject({ status: 'COMPLETED', result: { passRate: 100 } });
  });

  it('of a definition that is new is skipped with the reason, and no scorer is called', async () => {
    const definition = await contains('Paris');
    const { test, taskId, runId } = await judgedAndDeleted([definition.id]);
    scorer.behave(answer(200, JSON.stringify({ score: 1 })));
    const scored = await definitions().definition({ type: 'HTTP', globalConfig: { url: scorer.url } });
    await server.call('PUT', `/v0/tasks/${taskId}`, {
      body: { evalDefinitions: [{ evalDefinitionId: definition.id }, { evalDefinitionId: scored.id }] },
    });
    const calls = scorer.received.length;
    await post(`/v0/tests/${test.id}/evaluate`, {});
    expect(await evalsOf(test.id)).toMatchObject([
      { status: 'COMPLETED', passed: true },
      { status: 'SKIPPED', passed: null, reason: 'The trace was deleted.' },
    ]);
    expect(await read(test.id)).toMatchObject({ status: 'COMPLETED', result: { passRate: 100 } });
    expect(scorer.received.length).toBe(calls);
    const body = {
      baseline: { runIds: [runId] },
      candidates: [{ runIds: [runId] }],
      definitionId: scored.id,
    };
    expect((await post('/v0/runs/compare', body)).json).toMatchObject({
      data: { candidates: [{ tests: 0, tracesDeleted: 1, passRate: null, difference: null }] },
    });
  });

  it('is a fail if the test had a trace without an output', async () => {
    app.behave(saying(''));
    const definition = await contains('Paris');
    const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: definition.id }] });
    expect(await over(await trigger(task.id))).toMatchObject({
      status: 'COMPLETED',
      evals: [{ status: 'COMPLETED', passed: false }],
    });
  });
});

it('a test whose trace is deleted while it waits fails at once, and not by a fault of the app', async () => {
  app.behave(answer(200));
  const task = await definitions().task({
    evalDefinitions: [{ evalDefinitionId: (await contains('Paris')).id }],
  });
  const id = await trigger(task.id);
  await expect.poll(async () => (await read(id)).phase).toBe('delivered');
  await deleteTraceOf({ id });
  expect(await over(id)).toMatchObject({
    status: 'FAILED',
    failure: { code: 'trace_deleted', message: 'The trace was deleted before the test was complete.' },
  });
});

describe('a deleted trace with the own span of a delivery alone', () => {
  it('takes no evidence from a test whose app began a trace of its own', async () => {
    const definition = await contains('Paris');
    app.behave((request, response) => {
      const { testId } = JSON.parse(request.body) as { testId: string };
      const attributes = {
        'openinference.span.kind': 'AGENT',
        'output.value': 'It is Paris.',
        'service.test.id': testId,
      };
      const span = jsonSpan(randomBytes(16).toString('hex'), 'answer', {
        attributes: Object.entries(attributes).map(([key, value]) => ({
          key,
          value: { stringValue: value },
        })),
      });
      void send(span).then(() => response.writeHead(200).end());
    });
    const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: definition.id }] });
    const test = await over(await trigger(task.id));
    expect(test.status).toBe('COMPLETED');
    const { data } = await server.ok('GET', `/v0/traces?testId=${test.id}`);
    expect(data).toHaveLength(2);
    // The id of a trace in the API differs from that of OpenTelemetry in some bits.
    const delivered = String(app.last().headers['traceparent']).slice(3, 11);
    const [delivery, own] = [true, false].map((isOwn) =>
      data.find(({ id }) => id.startsWith(delivered) === isOwn),
    );
    const evaluate = async (): Promise<unknown> =>
      (await post(`/v0/tests/${test.id}/evaluate`, { force: true })).json;
    expect((await server.call('DELETE', `/v0/traces/${delivery?.id}`)).status).toBe(204);
    expect(await evaluate()).toEqual({ data: { tests: 1, evals: 1, tracesDeleted: 0, next: null } });
    await over(test.id);
    expect((await server.call('DELETE', `/v0/traces/${own?.id}`)).status).toBe(204);
    expect(await evaluate()).toEqual({ data: { tests: 1, evals: 0, tracesDeleted: 1, next: null } });
    expect(await evalsOf(test.id)).toMatchObject([{ status: 'COMPLETED', passed: true }]);
  });
});
