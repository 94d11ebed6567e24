import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Eval } from '../../src/api/generated/schema.ts';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { judging as measuring } from '../resources/reliability-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';

let server: TestServer;
let app: CustomerApp;
let model: StandInJudge;
let fingerprint = 'fp_1';
beforeAll(async () => {
  model = await startStandInJudge(() => ({
    say: { rationale: 'It is kind.', verdict: 'yes' },
    served: { model: 'judge-1', system_fingerprint: fingerprint },
  }));
  server = await startServer({ config: { ...SETTINGS, judgeModel: 'judge', judgeBaseUrl: model.openAi } });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
  await model[Symbol.asyncDispose]();
});

const { definitions, saying, trigger, over } = judging(() => server);

const gate = (taskId: string): Promise<Ended> =>
  run(['test', '--tasks', taskId, '--url', server.url], {
    env: { TOUCHSTONE_API_KEY: server.apiKey, TOUCHSTONE_APPLICATION_ID: server.applicationId },
  });

it('`touchstone test` says that the provider changed the model behind the name of a judge, and does not count its verdicts', async () => {
  app.behave(saying('Gladly.'));
  const task = await definitions().task();
  const tools = measuring(server);
  const id = await tools.newDefinition({ name: 'Kind' });
  await definitions().link('link', { evalIds: [id], taskIds: [task.id] });

  const [judged] = (await over(await trigger(task.id))).evals;
  const { data } = await server.ok('GET', `/v0/evals/${judged?.id}` as '/v0/evals/{id}');
  const { judgeVersion } = (data as Eval & { judge: { judgeVersion: string } }).judge;
  const traceIds = await tools.traces(30);
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  tools.judge({ definitionId: id, traceIds, passed }, { judgeVersion });
  tools.say(...traceIds.map((traceId, index) => ({ traceId, verdict: passed[index] as boolean })));
  tools.draw(traceIds);
  await server.call('PUT', `/v0/definitions/${id}`, { body: { gate: { minKappa: 0.6 } } });
  const before = await gate(task.id);
  expect(before).toMatchObject({ code: 0 });
  expect(before.stdout).not.toContain('advisory');

  fingerprint = 'fp_2';
  const after = await gate(task.id);
  expect(after.code).toBe(2);
  expect(after.stdout).toContain(
    'Kind is advisory: its verdicts do not count, because its gate is not valid: another judge gave some of its verdicts than the one that people were compared with',
  );

  // The proof holds again once the measured model answers again.
  fingerprint = 'fp_1';
  await over(await trigger(task.id));
  expect(await gate(task.id)).toMatchObject({ code: 0 });
});
