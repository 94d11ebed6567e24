import { randomUUID as newUuid } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answer, type CustomerApp, type Received, startCustomerApp } from '../support/customer-app.ts';
import { withStore } from '../../src/cli/data-folder.ts';
import { placeOf } from '../../src/evaluate/engine/monitor-store.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  type JudgeBehaviour,
  type JudgeRequest,
  type StandInJudge,
  startStandInJudge,
} from '../support/stand-in-judge.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { defining } from '../resources/definition-support.ts';
import { jsonRequest, jsonSpan, newSpanId, newTraceId } from './otlp-sender.ts';

/** Short, so that what waits for silence does not make the tests wait. */
const SETTINGS = { quietMs: 200, orphanQuietMs: 400, traceDeadlineMs: 10_000 };

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

interface EvalJson {
  id: string;
  status: string;
  passed: boolean | null;
  score: number | null;
  reason: string | null;
  version: number;
  definitionVersion: number;
  inputHash: string;
  testId: string | null;
  traceId: string | null;
  latencyMs: number | null;
  judge: { definition: object } | null;
  results: object | null;
  definition: { id: string; name: string };
}

interface TestJson {
  id: string;
  status: string;
  phase: string;
  failure: { code: string } | null;
  timeline: { phase: string; detail: string }[];
  evals: EvalJson[];
  result: object;
  output: unknown;
}

const definitions = () => defining(server);
const contains = (value: string, more: object = {}) =>
  definitions().definition({
    name: `contains ${value}`,
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'contains', value }] },
    ...more,
  });

/** A span of the app below the delivery that says what came out. */
async function sendOutput(request: Received, output: string, more: { endedAt?: number } = {}): Promise<void> {
  const [, trace = '', parentSpanId] = String(request.headers['traceparent']).split('-');
  const endedAt = BigInt(more.endedAt ?? Date.now()) * 1_000_000n;
  const attributes = {
    'openinference.span.kind': 'AGENT',
    'input.value': 'Capital?',
    'output.value': output,
  };
  await send(
    jsonSpan(trace, 'answer', {
      spanId: newSpanId(),
      parentSpanId,
      startTimeUnixNano: String(endedAt - 5_000_000n),
      endTimeUnixNano: String(endedAt),
      attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
    }),
  );
}

async function send(span: object): Promise<void> {
  const { status, text } = await server.call('POST', '/v1/traces', { body: jsonRequest(span) });
  expect(status, text).toBe(200);
}

/** The app answers with these outputs, each a span. */
const saying =
  (...outputs: string[]) =>
  (request: Received, response: Parameters<ReturnType<typeof answer>>[1]): void => {
    void (async () => {
      for (const output of outputs) await sendOutput(request, output);
      response.writeHead(200).end();
    })();
  };

async function trigger(taskId: string): Promise<string> {
  const { json, text } = await server.call('POST', '/v0/tasks/trigger', {
    headers: { prefer: 'return=representation' },
    body: { taskIds: [taskId] },
  });
  const [id] = (json as { data: { testIds: string[] }[] }).data.flatMap(({ testIds }) => testIds);
  expect(id, text).toBeDefined();
  return id as string;
}

const read = async (id: string): Promise<TestJson> =>
  ((await server.call('GET', `/v0/tests/${id}`)).json as { test: TestJson }).test;

async function over(id: string): Promise<TestJson> {
  await expect.poll(async () => (await read(id)).status, { timeout: 15_000 }).toMatch(/^(COMPLETED|FAILED)$/);
  return read(id);
}

const phases = ({ timeline }: TestJson): string[] => timeline.map(({ phase }) => phase);
const evalsOf = async (testId: string, query = ''): Promise<EvalJson[]> => {
  const { json } = await server.call(
    'GET',
    `/v0/evals?testId=${testId}&orderBy=createdAt&orderDir=asc${query}`,
  );
  return (json as { data: EvalJson[] }).data;
};
const post = async (path: string, body?: object) =>
  server.call('POST', path, body === undefined ? {} : { body });

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
    expect(test.timeline.at(-1)?.detail).toBe('All verdicts are there.');
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
    expect(test).toMatchObject({ status: 'COMPLETED', result: { total: 0, passRate: null } });
    expect(test.evals).toMatchObject([
      { status: 'SKIPPED', passed: null, reason: expect.stringMatching(/no judge/) as string },
    ]);
  });
});

describe('spans that come late', () => {
  it('make anew only the evals whose input they change, and keep the old ones', async () => {
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
    await expect
      .poll(async () => phases(await read(id)).filter((phase) => phase === 'done'), { timeout: 10_000 })
      .toHaveLength(2);

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
    .poll(
      () =>
        withStore(server.folder, (database) =>
          database.get(
            `SELECT (SELECT check_at FROM test WHERE id = ?1) AS checkAt, (SELECT count(*) FROM job WHERE key = ?1) AS jobs`,
            testId,
          ),
        ),
      { timeout: 10_000 },
    )
    .toEqual({ checkAt: null, jobs: 0 });
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

    expect((await post(`/v0/tests/${id}/evaluate`)).json).toEqual({ data: { tests: 1, evals: 0 } });
    expect((await read(id)).timeline).toEqual(test.timeline);

    await definitions().put(definition.id, {
      globalConfig: { assertions: [{ type: 'contains', value: 'Rome' }] },
    });
    const added = await contains('It');
    await definitions().link('link', { evalIds: [added.id], taskIds: [task.id] });
    expect((await post(`/v0/runs/${runId}/evaluate`)).json).toEqual({ data: { tests: 1, evals: 2 } });
    expect(await over(id)).toMatchObject({ result: { passed: 2, failed: 0 } });
    expect(await versions(id)).toEqual(['1 of 1', '2 of 2']);

    expect((await post(`/v0/tasks/${task.id}/evaluate`, { force: true })).json).toEqual({
      data: { tests: 1, evals: 2 },
    });
    expect(await over(id)).toMatchObject({ result: { passed: 2, failed: 0, total: 2 } });
    expect(await versions(id)).toEqual(['2 of 1', '3 of 2']);
    expect(await evalsOf(id, '&superseded=true')).toHaveLength(3);
  });

  it('is refused for a test that is not complete', async () => {
    const task = await definitions().task();
    app.behave(answer(500));
    const id = await trigger(task.id);
    await over(id);
    expect(await post(`/v0/tests/${id}/evaluate`)).toMatchObject({ status: 409 });
  });

  it.each(['tests', 'runs', 'tasks'])(
    'answers 404 for what is not there among %s, or is of another application',
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
      data: { tests: 1, evals: 0 },
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
  const evalsOfTrace = async (trace: string): Promise<EvalJson[]> =>
    ((await server.call('GET', `/v0/evals?traceId=${trace}`)).json as { data: EvalJson[] }).data;

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
    await expect.poll(() => isMonitoring(), { timeout: 5_000 }).toBe(true);

    const traces = await Promise.all(Array.from({ length: 40 }, () => live('It is Paris.')));
    const orphan = await live('Paris', { parent: true });
    const tested = await live('Paris', { test: newUuid() });
    const isDone = async (trace: string) =>
      (await evalsOfTrace(trace)).some(({ status }) => status === 'COMPLETED');
    for (const trace of [...traces, orphan])
      await expect.poll(() => isDone(trace), { timeout: 10_000 }).toBe(true);

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

describe('a judge', () => {
  let judge: StandInJudge;
  let behaviour: (request: JudgeRequest) => JudgeBehaviour;
  let folder: Folder;
  let plain: TestServer;
  const YES = { say: { rationale: 'It is.', verdict: 'yes' } };

  beforeAll(async () => {
    judge = await startStandInJudge((request) => behaviour(request));
    folder = temporaryFolder();
    const judgesFile = folder.file('judges.json');
    const settings = {
      provider: 'openai-compatible',
      baseUrl: judge.openAi,
      model: 'stand-in',
      // What says nothing is let go of soon after the tests.
      timeoutMs: 5_000,
      prices: { input: 10, output: 100 },
    };
    writeFileSync(judgesFile, JSON.stringify({ judges: { only: settings } }));
    plain = server;
    server = await startServer({ config: { ...SETTINGS, judgesFile } });
    await server.call('POST', '/v0/webhook', { body: { url: app.url } });
  });
  afterAll(async () => {
    await server.close();
    server = plain;
    await judge[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  beforeEach(() => {
    behaviour = () => YES;
    app.behave(saying('It is Paris.'));
  });

  /** The id of a test that two definitions judge: one by rule, one by the judge. */
  async function start(repeats = 1): Promise<string> {
    const [rule, judged] = await Promise.all([
      contains('Paris'),
      definitions().definition({
        name: 'kind',
        type: 'CUSTOM',
        globalConfig: { criterion: 'Is it kind?' },
        repeats,
      }),
    ]);
    const task = await definitions().task({
      evalDefinitions: [{ evalDefinitionId: rule.id }, { evalDefinitionId: judged.id }],
    });
    return trigger(task.id);
  }
  const judgedEval = ({ evals }: TestJson): EvalJson =>
    evals.find(({ definition }) => definition.name === 'kind') as EvalJson;
  /** Makes the judge say nothing; resolves when it was asked. */
  const stall = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    behaviour = () => {
      resolve();
      return 'stall';
    };
    return promise;
  };

  it('judges what rules do not, and what it took is told', async () => {
    const before = new Date().toISOString();
    const test = await over(await start(3));
    expect(test).toMatchObject({ status: 'COMPLETED', result: { passed: 2, failed: 0 } });
    expect(judgedEval(test)).toMatchObject({
      status: 'COMPLETED',
      passed: true,
      cost: 0.06,
      judge: {
        definition: { type: 'CUSTOM', config: { criterion: 'Is it kind?' }, repeats: 3 },
        judge: 'only',
        model: 'stand-in',
        agreement: 1,
        repeats: [{}, {}, {}],
      },
    });
    const costs = await server.call('GET', `/v0/evals/costs?startDate=${before}`);
    const line = { evals: 1, inputTokens: 3_000, outputTokens: 300, cost: 0.06 };
    expect(costs.json).toEqual({
      data: [{ day: before.slice(0, 10), evalDefinitionId: null, name: null, ...line }],
    });
    const byDefinition = await server.call('GET', `/v0/evals/costs?groupBy=definition&startDate=${before}`);
    const evalDefinitionId = judgedEval(test).definition.id;
    expect(byDefinition.json).toEqual({ data: [{ day: null, evalDefinitionId, name: 'kind', ...line }] });
    const none = await server.call('GET', `/v0/evals/costs?endDate=${before}`);
    expect(none.json).toEqual({ data: [] });
    const tenant = await server.newTenant();
    expect((await server.call('GET', '/v0/evals/costs', { headers: tenant.headers })).json).toEqual({
      data: [],
    });
  });

  it('holds up its own eval only', async () => {
    const isAsked = stall();
    const id = await start();
    await isAsked;
    const test = await read(id);
    expect(test).toMatchObject({ status: 'IN_PROGRESS', phase: 'evaluating' });
    expect(test.evals.map(({ status }) => status).toSorted()).toEqual(['COMPLETED', 'IN_PROGRESS']);
    expect(await post(`/v0/tests/${id}/evaluate`)).toMatchObject({ status: 409 });
  });

  it('that fails leaves the test to the others', async () => {
    behaviour = () => ({ status: 401, body: '{"error":{"message":"no such key"}}' });
    const test = await over(await start());
    expect(test).toMatchObject({ status: 'COMPLETED', failure: null, result: { passed: 1, total: 1 } });
    expect(judgedEval(test)).toMatchObject({
      status: 'FAILED',
      passed: null,
      reason: expect.stringContaining('judge_refused') as string,
    });
  });

  it('is not waited for when the trace is deleted', async () => {
    const isAsked = stall();
    const id = await start();
    await isAsked;
    const { evals } = await read(id);
    const { status } = await server.call('DELETE', `/v0/traces/${evals[0]?.traceId}`);
    expect(status).toBe(204);
    expect(judgedEval(await read(id))).toMatchObject({
      status: 'SKIPPED',
      reason: 'The trace was deleted.',
      judge: null,
    });
  });

  it('is not waited for when the test is cancelled', async () => {
    const isAsked = stall();
    const id = await start();
    await isAsked;
    expect((await post(`/v0/tests/${id}/cancel`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'FAILED', failure: { code: 'cancelled' } });
  });
});
