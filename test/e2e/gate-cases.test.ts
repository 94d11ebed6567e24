import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { defining } from '../resources/definition-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { applicationKey, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({
    config: { quietMs: 100, judgeModel: 'judge-1', judgeBaseUrl: 'http://127.0.0.1:9/v1' },
  });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const ingest = (...events: object[]) => {
  const timestamp = new Date().toISOString();
  const body = { events: events.map((event) => ({ timestamp, ...event })) };
  return server.call('POST', '/v0/ingest', { body });
};

it('nine of ten missing outputs are nine failures, not one pass', async () => {
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    await ingest({ type: 'trace', testId, input: prompt, output: prompt === 'Question 1' ? 'Lima' : null });
    response.writeHead(200).end();
  });
  const globalConfig = { assertions: [{ type: 'contains', value: 'Lima' }] };
  const { id } = await defining(server).definition({ name: 'City', type: 'ASSERT', globalConfig });
  const inputExamples = Array.from({ length: 10 }, (_, index) => `Question ${index + 1}`);
  const task = await defining(server).task({ evalDefinitions: [{ evalDefinitionId: id }], inputExamples });
  const { url, apiKey, applicationId } = server;
  const account = ['--url', url, '--api-key', apiKey, '--application-id', applicationId];
  const options = ['--tasks', task.id, '--examples', 'all', '--fail-under', '50'];
  const { code, stdout } = await run(['test', ...options, ...account]);
  expect(code, stdout).toBe(1);
  expect(stdout).toMatch(/^Failed: the pass rate 10 % .*10 tests of 10 examples\) is below 50 %\.$/m);
});

it('a definition cannot name a judge that is not configured', async () => {
  const globalConfig = { criterion: 'It is kind.', judge: 'mistyped' };
  const body = { name: 'Kind', type: 'CUSTOM', globalConfig };
  const { status, text } = await server.call('POST', '/v0/definitions', { body });
  expect([status, text]).toEqual([422, expect.stringContaining('judge') as string]);
});

it('one prompt that passes a hundred times says nothing certain of other prompts', async () => {
  const [taskId, definitionId] = [randomUUID(), randomUUID()];
  withStore(server.folder, (database) =>
    database.transaction(() => {
      const application = applicationKey(database, server.applicationId);
      const ofTask = { id: randomUUID(), taskId, createdAt: Date.now() };
      storeTask(database, application, taskId);
      storeDefinition(database, application, { id: definitionId, type: 'ASSERT' });
      storeRun(database, application, ofTask);
      for (let i = 0; i < 100; i++) {
        const test = { id: randomUUID(), run: ofTask, status: 'COMPLETED', createdAt: Date.now() } as const;
        storeTest(database, application, { ...test, exampleIndex: 0 });
        const evals = [evalOf(test, definitionId, verdict(true))];
        saveEvals(database, { application, evals, at: Date.now() });
      }
    }),
  );
  const { json } = await server.call('GET', `/v0/tasks/${taskId}`);
  expect(json).toMatchObject({
    task: {
      passRate: 100,
      passRateInterval: { clusters: 1, tests: 100, low: expect.closeTo(2.5, 1) as number },
      confidence: { level: 'LOW' },
    },
  });
});

it('the result of a tool is not the output of a native trace that has none', async () => {
  const { json } = await ingest(
    { type: 'trace', input: 'Capital of Peru?', output: null },
    { type: 'tool', name: 'lookup', toolInput: 'Peru', toolOutput: 'Lima' },
  );
  const [{ id }] = (json as { data: [{ id: string }] }).data;
  expect((await server.call('GET', `/v0/traces/${id}`)).json).toMatchObject({
    data: { input: 'Capital of Peru?', output: null, steps: [{ type: 'tool', toolOutput: 'Lima' }] },
  });
});
