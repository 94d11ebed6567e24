import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SelectionDone } from '../../src/api/generated/schema.ts';
import { type RefundScenario, storeRefunds } from '../dashboard/support/refund-scenario.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { annotating } from './annotation-support.ts';

let server: TestServer;
let scenario: RefundScenario;
beforeAll(async () => {
  server = await startServer();
  scenario = await storeRefunds(server);
});
afterAll(() => server.close());

const newQueue = async (): Promise<string> => (await annotating(server).queue()).id;
const bulk = async (queueId: string, selection: object): Promise<SelectionDone> =>
  (await server.ok('POST', '/v0/human-annotation-queue-items/bulk', { body: { queueId, selection } })).data;
const failures = (): { side: string[]; outcome: ('FAILED' | 'APP_ERROR')[] } => ({
  side: [`run:${scenario.runId}`],
  outcome: ['FAILED', 'APP_ERROR'],
});

describe('POST /v0/human-annotation-queue-items/bulk', () => {
  it('adds what the filter finds now, once, and reports what it leaves out', async () => {
    const queueId = await newQueue();
    const first = await bulk(queueId, { results: failures() });
    expect(first).toMatchObject({ matched: 16, done: 14, skippedCount: 2, isComplete: true });
    expect(first.skipped.map(({ reason }) => reason)).toEqual(['NO_TRACE', 'NO_TRACE']);
    const { data } = await server.ok('GET', `/v0/human-annotation-queue-items?queueId=${queueId}&limit=100`);
    expect(data.map(({ selection }) => selection)).toEqual(new Array(14).fill('MANUAL'));
    const again = await bulk(queueId, { results: { side: failures().side } });
    expect(again).toMatchObject({ matched: 31, done: 15, skippedCount: 16 });
    expect(again.skipped.filter(({ reason }) => reason === 'ALREADY')).toHaveLength(14);
  });

  it('takes filter lines of traces and of results, and ids', async () => {
    expect(await bulk(await newQueue(), { traces: { q: 'name:"answer a customer"' } })).toMatchObject({
      matched: 60,
      done: 60,
    });
    const q = 'cause:"Names 30 days"';
    const { pagination } = await server.ok(
      'GET',
      `/v0/results?side=run:${scenario.runId}&q=${encodeURIComponent(q)}`,
    );
    const line = { results: { side: failures().side, q } };
    expect(await bulk(await newQueue(), line)).toMatchObject({ matched: pagination.total });
    const [trace] = (await server.ok('GET', '/v0/traces?limit=1')).data;
    const gone = randomUUID();
    const ids = [trace?.id ?? '', trace?.id ?? '', gone];
    expect(await bulk(await newQueue(), { ids })).toMatchObject({
      matched: 2,
      done: 1,
      skipped: [{ id: gone, reason: 'NOT_FOUND' }],
    });
  });

  it.each([
    [{ selection: {} }, 422],
    [{ selection: { ids: [randomUUID()], traces: { q: '' } } }, 422],
    [{ selection: { traces: { q: 'nonsense:1' } } }, 422],
    [{ selection: { results: { side: [`run:${randomUUID()}`] } } }, 404],
    [{ queueId: randomUUID(), selection: { traces: { q: 'name:nothing-has-it' } } }, 404],
  ])('rejects %j with %d', async (more, expected) => {
    const body = { queueId: await newQueue(), ...more };
    const { status } = await server.call('POST', '/v0/human-annotation-queue-items/bulk', { body });
    expect(status).toBe(expected);
  });
});

describe('POST /v0/tasks/{id}/examples/from-traces', () => {
  it('makes an example of each trace once, with the output and the subset that were given', async () => {
    const { task } = await server.ok('POST', '/v0/tasks', { body: { title: 'Regressions', type: 'STATIC' } });
    const path = `/v0/tasks/${task.id}/examples/from-traces`;
    const body = { selection: { results: failures() }, expected: 'OUTPUT', split: 'issue-1' } as const;
    const first = await server.call('POST', path, { body });
    expect(first.json).toMatchObject({ data: { matched: 16, done: 14, skippedCount: 2 } });
    const made = await server.ok('GET', `/v0/tasks/${task.id}/examples?limit=100`);
    expect(made.data).toHaveLength(14);
    expect(made.data[0]).toMatchObject({ split: 'issue-1', expected: expect.any(String) as string });
    const again = await server.call('POST', path, { body });
    expect(again.json).toMatchObject({ data: { done: 0, skippedCount: 16 } });
  });
});

describe('POST /v0/results/run-again', () => {
  it('starts a test of each example that can be tested', async () => {
    const { json } = await server.call('PUT', '/v0/webhook', { body: { url: 'http://127.0.0.1:9/' } });
    expect(json).toBeDefined();
    const body = { results: failures(), repeat: 2 };
    const { data } = await server.ok('POST', '/v0/results/run-again', { body });
    expect(data).toMatchObject({ matched: 16, done: 16, skippedCount: 0, runs: [{ tests: 32 }] });
    const [archived] = (await server.ok('GET', `/v0/results?side=run:${scenario.runId}&outcome=APP_ERROR`))
      .data;
    await server.ok('PUT', `/v0/tasks/${scenario.taskId}/examples/${archived?.exampleId}`, {
      body: { status: 'ARCHIVED' },
    });
    const fewer = await server.ok('POST', '/v0/results/run-again', { body: { results: failures() } });
    expect(fewer.data).toMatchObject({ done: 15, skipped: [{ reason: 'NO_EXAMPLE' }] });
  });

  it('starts nothing where nothing matches', async () => {
    const body = { results: { ...failures(), causeKey: ['none'] } };
    const { data } = await server.ok('POST', '/v0/results/run-again', { body });
    expect(data).toMatchObject({ matched: 0, done: 0, runs: [] });
  });
});
