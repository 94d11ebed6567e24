import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Test } from '../../../src/api/generated/schema.ts';
import { judging, SETTINGS } from '../../e2e/judging-support.ts';
import { type CustomerApp, startCustomerApp } from '../../support/customer-app.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type StandInJudge, startStandInJudge } from '../../support/stand-in-judge.ts';
import { type Folder, temporaryFolder } from '../../support/storage.ts';

let server: TestServer;
let app: CustomerApp;
let judge: StandInJudge;
let folder: Folder;
beforeAll(async () => {
  // It prefers the output with Paris, wherever it stands.
  judge = await startStandInJudge(({ messages: [text = ''] }) => {
    const isFirst = text.indexOf('Paris') < text.indexOf('second output');
    return { say: { rationale: 'Paris is right.', better: isFirst ? 'first' : 'second' } };
  });
  folder = temporaryFolder();
  const judgesFile = folder.file('judges.json');
  const only = { provider: 'openai-compatible', baseUrl: judge.openAi, model: 'stand-in' };
  writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
  server = await startServer({ config: { ...SETTINGS, judgesFile } });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
  await judge[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const { definitions, saying, trigger, over } = judging(() => server);

it('a run is compared with a baseline run, and deleting the baseline deletes what was quoted of it', async () => {
  const task = await definitions().task();
  const run = async (output: string): Promise<Test> => {
    app.behave(saying(output));
    return over(await trigger(task.id));
  };
  const before = await run('It is Paris.');
  const { id } = await definitions().definition({
    type: 'PAIRWISE',
    globalConfig: { baselineRunIds: [before.runId] },
  });
  await definitions().link('link', { evalIds: [id], taskIds: [task.id] });
  const [lost] = (await run('It is Lyon.')).evals;
  expect(lost).toMatchObject({
    status: 'COMPLETED',
    passed: false,
    score: 0,
    results: { outcome: 'loss', isConsistent: true, baselineTestId: before.id },
  });
  const [tied] = (await run('It is Paris, too.')).evals;
  expect(tied).toMatchObject({
    status: 'FAILED',
    passed: null,
    reason: expect.stringMatching(/^judge_inconsistent: in 1 of 1 vote,/) as string,
  });
  const [own] = (await over(before.id)).evals;
  expect(own).toBeUndefined();

  const callsOf = async (evalId: string | undefined): Promise<{ raw: string | null }[]> => {
    return (await server.ok('GET', `/v0/evals/${evalId}/judge-calls`)).data;
  };
  expect((await callsOf(lost?.id)).map(({ raw }) => raw !== null)).toEqual([true, true]);
  const traces = await server.call('GET', `/v0/traces?testId=${before.id}`);
  for (const trace of (traces.json as { data: { id: string }[] }).data)
    await server.call('DELETE', `/v0/traces/${trace.id}`);
  await expect.poll(async () => (await callsOf(lost?.id)).map(({ raw }) => raw)).toEqual([null, null]);
  const { json } = await server.call('GET', `/v0/evals/${lost?.id}`);
  expect(json).toMatchObject({ data: { passed: false, score: 0, results: null, judge: null, reason: null } });
});
