import { randomUUID as newUuid } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListedEval } from '../../src/api/generated/schema.ts';
import { withStore } from '../../src/cli/data-folder.ts';
import { placeOf } from '../../src/evaluate/engine/monitor-store.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { judging, phases, SETTINGS } from './judging-support.ts';
import { jsonSpan, newSpanId, newTraceId } from './otlp-sender.ts';

let server: TestServer;
let app: CustomerApp;

beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
});
beforeEach(() => app.behave(answer(200)));

const { definitions, contains, sendOutput, send, saying, trigger, read, over, evalsOf, post } = judging(
  () => server,
);

describe('a test that is complete', () => {
  it('is judged by the definitions of its task, its topic and the application, each once', async () => {
    const topic = await definitions().topic();
    const task = await definitions().task({ topicId: topic.id });
    const [right, wrong, draft] = await Promise.all([
      contains('Paris'),
      contains('Rome'),
      contains('Oslo', { status: 'DRAFT' }),
    ]);
    await definitions().link('link', { evalIds: [right.id, draft.id], taskIds: [task.id] });
    await definitions().link('link', { evalIds: [wrong.id, right.id], topicIds: [topic.id] });
    await definitions().link('link-application', { evalIds: [right.id] });
    app.behave(saying('It is Paris.'));

    const test = await over(await trigger(task.id));

    expect(test).toMatchObject({
      status: 'COMPLETED',
      phase: 'done',
      result: { passed: 1, failed: 1, total: 2 },
    });
    expect(phases(test)).toEqual(expect.arrayContaining(['queued', 'trace_received', 'evaluating', 'done']));
    expect(test.timeline.at(-1)?.detail).toBe('All verdicts have been stored.');
    const byName = Object.fromEntries(test.evals.map((one) => [one.definition.name, one]));
    expect(Object.keys(byName).sort()).toEqual(['contains Paris', 'contains Rome']);
    expect(byName['contains Paris']).toMatchObject({
      status: 'COMPLETED',
      passed: true,
      score: 1,
      version: 1,
      definitionVersion: 1,
      inputHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      latencyMs: expect.any(Number) as number,
      judge: { definition: { version: 1, type: 'ASSERT', config: { assertions: [{ type: 'contains' }] } } },
    });
    expect(byName['contains Rome']).toMatchObject({ status: 'COMPLETED', passed: false });
    await definitions().link('unlink-application', { evalIds: [right.id] });
  });

  it('is over at once when nothing judges it', async () => {
    const task = await definitions().task();
    app.behave(saying('Paris'));
    const test = await over(await trigger(task.id));
    expect(test).toMatchObject({ status: 'COMPLETED', phase: 'done', evals: [] });
    expect(phases(test)).not.toContain('evaluating');
  });

  it('completes without a judge, and says why nothing was judged', async () => {
    const judged = await definitions().definition({
      type: 'CUSTOM',
      globalConfig: { criterion: 'Is it kind?' },
    });
    const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: judged.id }] });
    app.behave(saying('Paris'));
    const test = await over(await trigger(task.id));
    expect(test).toMatchObject({ status: 'COMPLETED', result: null });
    expect(test.evals).toMatchObject([
      { status: 'SKIPPED', passed: null, reason: expect.stringMatching(/no judge/) as string },
    ]);
  });
});

describe('spans that arrive late', () => {
  it('make again only the evals whose input they change, and keep the old ones', async () => {
    const [output, errors] = await Promise.all([
      contains('Paris'),
      definitions().definition({
        name: 'cheap',
        type: 'ASSERT',
        globalConfig: { assertions: [{ type: 'cost', threshold: 1 }] },
      }),
    ]);
    const task = await definitions().task({
      evalDefinitions: [{ evalDefinitionId: output.id }, { evalDefinitionId: errors.id }],
    });
    app.behave(saying('It is Rome.'));
    const id = await trigger(task.id);
    const before = await over(id);
    expect(before.result).toMatchObject({ passed: 0, failed: 2 });

    await sendOutput(app.last(), 'No, it is Paris.', { endedAt: Date.now() + 1_000 });
    await expect.poll(async () => (await read(id)).output).toBe('No, it is Paris.');
    await expect.poll(async () => phases(await read(id)).filter((phase) => phase === 'done')).toHaveLength(2);

    const after = await read(id);
    expect(after).toMatchObject({
      status: 'COMPLETED',
      phase: 'done',
      result: { passed: 1, failed: 1, total: 2 },
    });
    expect(phases(after).slice(-3)).toEqual(['done', 'evaluating', 'done']);
    const [anew] = after.evals.filter(({ definition }) => definition.id === output.id);
    const [same] = after.evals.filter(({ definition }) => definition.id === errors.id);
    expect(anew).toMatchObject({ passed: true, version: 2 });
    expect(same).toEqual(before.evals.find(({ definition }) => definition.id === errors.id));
    const [old] = await evalsOf(id, '&superseded=true');
    expect(old).toMatchObject({
      status: 'COMPLETED',
      passed: false,
      version: 1,
      definition: { id: output.id },
    });
    expect(old?.inputHash).not.toBe(anew?.inputHash);
  });

  it('leave a test as it is when they change nothing that was judged', async () => {
    const definition = await contains('Paris');
    const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: definition.id }] });
    app.behave(saying('Paris'));
    const id = await trigger(task.id);
    const before = await over(id);
    const [, trace = '', parentSpanId] = String(app.last().headers['traceparent']).split('-');
    await send(jsonSpan(trace, 'flush', { spanId: newSpanId(), parentSpanId }));
    await looked(id);
    const after = await read(id);
    expect(after).toMatchObject({ status: 'COMPLETED', timeline: before.timeline, evals: before.evals });
  });
});

/** Waits until what late spans have to do with a test is decided. */
async function looked(testId: string): Promise<void> {
  await expect
    .poll(() =>
      withStore(server.folder, (database) =>
        database.get(
          `SELECT (SELECT count(*) FROM test_touch) AS touches, (SELECT check_at FROM test WHERE id = :testId) AS checkAt,
               (SELECT count(*) FROM job WHERE key = :testId) AS jobs`,
          { testId },
        ),
      ),
    )
    .toEqual({ touches: 0, checkAt: null, jobs: 0 });
}

describe('judging on request', () => {
  /** Of the evals of a test, and of the definitions that they judged by. */
  const versions = async (id: string): Promise<string[]> =>
    (await read(id)).evals
      .map(({ version, definitionVersion }) => `${version} of ${definitionVersion}`)
      .toSorted();

  it('makes evals of definitions that have changed or are new, and with force all of them', async () => {
    const definition = await contains('Paris');
    const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: definition.id }] });
    app.behave(saying('It is Rome.'));
    const id = await trigger(task.id);
    const test = await over(id);
    const runId = (test as unknown as { runId: string }).runId;

    expect((await post(`/v0/tests/${id}/evaluate`)).json).toEqual({
      data: { tests: 1, evals: 0, tracesDeleted: 0, next: null },
    });
    expect((await read(id)).timeline).toEqual(test.timeline);

    await definitions().put(definition.id, {
      globalConfig: { assertions: [{ type: 'contains', value: 'Rome' }] },
    });
    const added = await contains('It');
    await definitions().link('link', { evalIds: [added.id], taskIds: [task.id] });
    expect((await post(`/v0/runs/${runId}/evaluate`)).json).toEqual({
      data: { tests: 1, evals: 2, tracesDeleted: 0, next: null },
    });
    expect(await over(id)).toMatchObject({ result: { passed: 2, failed: 0 } });
    expect(await versions(id)).toEqual(['1 of 1', '2 of 2']);

    expect((await post(`/v0/tasks/${task.id}/evaluate`, { force: true })).json).toEqual({
      data: { tests: 1, evals: 2, tracesDeleted: 0, next: null },
    });
    expect(await over(id)).toMatchObject({ result: { passed: 2, failed: 0, total: 2 } });
    expect(await versions(id)).toEqual(['2 of 1', '3 of 2']);
    expect(await evalsOf(id, '&superseded=true')).toHaveLength(3);
  });

  it('is rejected for a test that is not complete', async () => {
    const task = await definitions().task();
    app.behave(answer(500));
    const id = await trigger(task.id);
    await over(id);
    expect(await post(`/v0/tests/${id}/evaluate`)).toMatchObject({ status: 409 });
  });

  it.each(['tests', 'runs', 'tasks'])(
    'responds with 404 for what is not there among %s, or is of another application',
    async (what) => {
      const task = await definitions().task();
      const tenant = await server.newTenant();
      const path = `/v0/${what}/${what === 'tasks' ? task.id : newUuid()}/evaluate`;
      expect(await server.call('POST', path, { headers: tenant.headers })).toMatchObject({ status: 404 });
    },
  );
});

describe('a definition that is archived', () => {
  it('does not judge, and what waits for it is skipped', async () => {
    const definition = await contains('Paris');
    const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: definition.id }] });
    app.behave(saying('Paris'));
    const id = await trigger(task.id);
    expect(await over(id)).toMatchObject({ result: { passed: 1 } });
    await definitions().remove(definition.id);
    expect((await post(`/v0/tests/${id}/evaluate`, { force: true })).json).toEqual({
      data: { tests: 1, evals: 0, tracesDeleted: 0, next: null },
    });
  });
});

describe('live traces', () => {
  const live = async (output: string, more: { test?: string; parent?: boolean } = {}): Promise<string> => {
    const trace = newTraceId();
    const attributes = { 'output.value': output, ...(more.test ? { 'service.test.id': more.test } : {}) };
    await send(
      jsonSpan(trace, 'chat', {
        spanId: newSpanId(),
        ...(more.parent ? { parentSpanId: newSpanId() } : {}),
        attributes: Object.entries(attributes).map(([key, value]) => ({
          key,
          value: { stringValue: value },
        })),
      }),
    );
    return trace;
  };
  const evalsOfTrace = async (trace: string): Promise<ListedEval[]> =>
    (await server.ok('GET', `/v0/evals?traceId=${trace}`)).data;

  it('are judged once they are quiet, in the share that a definition says, when they belong to no test', async () => {
    const all = await contains('Paris', {
      globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }], monitoring: { sampleRate: 1 } },
    });
    const half = await contains('Oslo', {
      globalConfig: { assertions: [{ type: 'contains', value: 'Oslo' }], monitoring: { sampleRate: 0.5 } },
    });
    const none = await contains('Rome');
    const old = await live('from before');
    const evalIds = [all.id, half.id, none.id];
    await definitions().link('link-application', { evalIds });
    // What came before monitoring began is none of its business: it begins with the next look.
    await expect.poll(() => isMonitoring()).toBe(true);

    const traces = await Promise.all(Array.from({ length: 40 }, () => live('It is Paris.')));
    const orphan = await live('Paris', { parent: true });
    const tested = await live('Paris', { test: newUuid() });
    const isDone = async (trace: string) =>
      (await evalsOfTrace(trace)).some(({ status }) => status === 'COMPLETED');
    for (const trace of [...traces, orphan]) await expect.poll(() => isDone(trace)).toBe(true);

    const judged = await Promise.all(traces.map(evalsOfTrace));
    for (const [index, evals] of judged.entries()) {
      const trace = traces[index] as string;
      const expected = placeOf(Buffer.from(trace, 'hex')) < 0.5 ? [all.id, half.id] : [all.id];
      expect(evals.map(({ definition }) => definition.id).sort()).toEqual(expected.sort());
      const one = evals.find(({ definition }) => definition.id === all.id);
      expect(one).toMatchObject({ testId: null, passed: true, version: 1 });
    }
    const shares = judged.filter((evals) => evals.length === 2).length;
    expect(shares).toBeGreaterThan(5);
    expect(shares).toBeLessThan(35);
    expect(await evalsOfTrace(old)).toEqual([]);
    expect(await evalsOfTrace(tested)).toEqual([]);
    await definitions().link('unlink-application', { evalIds });
  });
});

const isMonitoring = (): boolean =>
  withStore(server.folder, (database) => database.get('SELECT 1 FROM monitoring') !== undefined);
