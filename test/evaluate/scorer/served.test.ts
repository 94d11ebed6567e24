import { afterAll, beforeAll, expect, it } from 'vitest';
import { judging, SETTINGS } from '../../e2e/judging-support.ts';
import { answer, type CustomerApp, startCustomerApp } from '../../support/customer-app.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let app: CustomerApp;
let scorer: CustomerApp;
let secret: string;
beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  [app, scorer] = await Promise.all([startCustomerApp(), startCustomerApp()]);
  const { json } = await server.call('POST', '/v0/webhook', { body: { url: app.url } });
  secret = (json as { data: { webhookSecret: string } }).data.webhookSecret;
});
afterAll(async () => {
  await server.close();
  await Promise.all([app.close(), scorer.close()]);
});

const { definitions, saying, trigger, over } = judging(() => server);
const define = (globalConfig: object) =>
  server.call('POST', '/v0/definitions', { body: { name: 'Own', type: 'HTTP', globalConfig } });

it('a test is scored by an endpoint of the user, and its cost is counted', async () => {
  app.behave(saying('It is Paris.'));
  scorer.behave(answer(200, JSON.stringify({ score: 0.75, reason: 'Close.', cost: 0.01 })));
  const { id } = await definitions().definition({ type: 'HTTP', globalConfig: { url: scorer.url } });
  const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: id }] });
  const examples = `/v0/tasks/${task.id}/examples`;
  const [example] = ((await server.call('GET', examples)).json as { data: { id: string }[] }).data;
  const expectation = { expected: 'Paris', rubric: 'Names the city.' };
  await server.call('PUT', `${examples}/${example?.id}`, { body: expectation });
  const before = new Date().toISOString();
  const test = await over(await trigger(task.id));
  expect(test).toMatchObject({
    status: 'COMPLETED',
    evals: [
      {
        status: 'COMPLETED',
        score: 0.75,
        passed: true,
        reason: 'Close.',
        cost: 0.01,
        judge: { scorer: scorer.url, attempts: 1, definition: { type: 'HTTP', ...expectation } },
      },
    ],
  });
  const { headers, body } = scorer.last();
  expect(JSON.parse(body)).toMatchObject({ testId: test.id, output: 'It is Paris.', ...expectation });
  const signature = String(headers['x-service-signature']);
  const timestamp = String(headers['x-service-timestamp']);
  const checked = `{"signature":"${signature}","timestamp":${timestamp},"body":${body}}`;
  const validated = await server.call('POST', '/v0/validate-webhook', {
    body: checked,
    headers: { 'content-type': 'application/json' },
  });
  expect(validated.json).toEqual({ valid: true });
  const costs = await server.call('GET', `/v0/evals/costs?startDate=${before}`);
  expect(costs.json).toMatchObject({ data: [{ evals: 1, inputTokens: 0, cost: 0.01, unpricedEvals: 0 }] });
  const reliability = await server.call('GET', `/v0/definitions/${id}/reliability`);
  expect(reliability.json).toMatchObject({ data: { isAdvisory: false, judgeVersion: null } });
  expect(server.logged.join('\n')).not.toContain(secret);
});

it.each<[url: string, message: RegExp]>([
  ['ftp://scorer.example.com/', /begins with neither https: nor http:/],
  ['http://10.0.0.1/', /is in a private network/],
  ['http://8.8.8.8/', /may be called with https: only/],
  ['https://me:secret@scorer.example.com/', /contains a user name or a password/],
])('the URL %s is rejected with its definition', async (url, message) => {
  const created = await define({ url });
  expect(created.status).toBe(422);
  const issue = { path: ['globalConfig', 'url'], message: expect.stringMatching(message) as string };
  expect(created.json).toMatchObject({ issues: [issue] });
  const { id } = await definitions().definition();
  const changed = await server.call('PUT', `/v0/definitions/${id}`, {
    body: { type: 'HTTP', globalConfig: { url } },
  });
  expect(changed.json).toMatchObject({ issues: [issue] });
});
