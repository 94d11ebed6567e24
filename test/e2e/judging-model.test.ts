import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ListedEval, Test } from '../../src/api/generated/schema.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  type JudgeBehaviour,
  type JudgeRequest,
  type StandInJudge,
  startStandInJudge,
} from '../support/stand-in-judge.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { judging, SETTINGS } from './judging-support.ts';

let server: TestServer;
let app: CustomerApp;
let judge: StandInJudge;
let behaviour: (request: JudgeRequest) => JudgeBehaviour;
let folder: Folder;
const YES = { say: { rationale: 'It is.', verdict: 'yes' } };

beforeAll(async () => {
  judge = await startStandInJudge((request) => behaviour(request));
  folder = temporaryFolder();
  const judgesFile = folder.file('judges.json');
  const settings = {
    provider: 'openai-compatible',
    baseUrl: judge.openAi,
    model: 'stand-in',
    timeoutMs: 60_000,
    prices: { input: 10, output: 100 },
  };
  writeFileSync(judgesFile, JSON.stringify({ judges: { only: settings } }));
  server = await startServer({ config: { ...SETTINGS, judgesFile } });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  // First, as the server waits for what a judge has not answered.
  await judge[Symbol.asyncDispose]();
  await server.close();
  await app.close();
  folder[Symbol.dispose]();
});
beforeEach(() => {
  behaviour = () => YES;
  app.behave(saying('It is Paris.'));
});

const { definitions, contains, saying, trigger, read, over, post } = judging(() => server);

/** The id of a test that two definitions judge: one deterministically, one by the judge. */
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
const judgedEval = ({ evals }: Test): ListedEval =>
  evals.find(({ definition }) => definition.name === 'kind') as ListedEval;
/** Makes the judge say nothing; resolves when it was asked. */
const stall = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  behaviour = () => {
    resolve();
    return 'stall';
  };
  return promise;
};

describe('a judge', () => {
  it('judges what rules do not, and reports its cost and time', async () => {
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
    const line = { evals: 1, inputTokens: 3_000, outputTokens: 300, cost: 0.06, unpricedEvals: 0 };
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

  it('delays only its own eval', async () => {
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
