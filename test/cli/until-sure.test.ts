import { afterAll, beforeAll, expect, it } from 'vitest';
import { answering, createRule, createTaskOf, promptsOf, reaches } from '../resources/run-set-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 400, traceDeadlineMs: 20_000 } });
  app = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const gate = (...args: string[]): Promise<Ended> =>
  run(['test', '--until-sure', ...args], {
    env: {
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
    },
  });
const lastLine = ({ stdout }: Ended): string => stdout.trimEnd().split('\n').at(-1) ?? '';

it('stops as soon as the app is surely too bad, and says what that saved', async () => {
  const rule = await createRule(server);
  const tasks = [
    await createTaskOf(server, promptsOf(50, 'Sure'), [rule]),
    await createTaskOf(server, promptsOf(50, 'Certain'), [rule]),
  ];
  answering(server, app, () => 'wrong');
  const ended = await gate('--tasks', tasks.join(','), '--fail-under', '80');
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  expect(lastLine(ended)).toMatch(
    /^Failed: the pass rate 0 % .*20 of at most 100 examples\) is surely below 80 %\.$/,
  );
  expect(ended.stdout).toMatch(/^Tested 20 of 100 examples: 80 saved\. .* needs 20 on average\.$/m);
  // Intervals of a fixed size are not shown.
  expect(ended.stdout).not.toMatch(/ % to \d.* %.*\n.*Certain/);
});

it('tests all, and is unknown, where the line is too near; one batch after the other', async () => {
  const task = await createTaskOf(server, promptsOf(30, 'Near'), [await createRule(server)]);
  answering(server, app, (prompt) => (/[05]\?$/.test(prompt) ? 'wrong' : 'right'));
  const ended = await gate('--tasks', task, '--fail-under', '80', '--max', '25');
  expect(ended.code, ended.stdout + ended.stderr).toBe(2);
  expect(lastLine(ended)).toMatch(
    /^Unknown: .*25 of at most 25 examples\) is not surely above or below 80 %\.$/,
  );
  expect(ended.stdout).toContain(
    'Tested 25 of 25 examples: 0 saved. An app with this pass rate needs all of them, and may need more.\n',
  );
  const { data: runs } = await server.ok('GET', `/v0/runs?taskId=${task}`);
  expect(runs.map(({ tests }) => tests.total)).toEqual([25]);
});

it('by API continues in batches, only when the last one has ended, and is compared with nothing', async () => {
  const taskIds = [await createTaskOf(server, promptsOf(5, 'Batch'), [await createRule(server)])];
  answering(server, app, () => 'right');
  const body = { taskIds, untilSure: { batch: 3, max: 5 }, branch: 'sure' };
  const { data } = await server.ok('POST', '/v0/run-sets', { body });
  expect(data).toMatchObject({
    tests: { total: 3, open: 3 },
    examples: 5,
    untilSure: { batch: 3, tested: 3 },
  });
  await reaches(server, data.id, 'COMPLETED');
  const decision = async (query: string) =>
    (await server.ok('GET', `/v0/run-sets/${data.id}/decision?${query}`)).data;
  expect(await decision('failUnder=90')).toMatchObject({
    outcome: 'INCONCLUSIVE',
    rate: { method: 'ANYTIME', tests: 3 },
  });
  expect((await decision('failUnder=0&margin=2')).reasons.join()).toContain('is compared with nothing');
  await server.ok('POST', `/v0/run-sets/${data.id}/continue`);
  const after = await reaches(server, data.id, 'COMPLETED');
  expect(after.tests).toEqual({ total: 5, open: 0 });
  expect((await server.call('POST', `/v0/run-sets/${data.id}/continue`)).status).toBe(409);
  const { data: tests } = await server.ok('GET', `/v0/tests?runId=${after.runIds.join(',')}`);
  expect(new Set(tests.map(({ exampleId }) => exampleId)).size).toBe(5);
  // It is no baseline of its branch.
  const later = { taskIds, branch: 'sure', baseline: 'previous' };
  expect((await server.call('POST', '/v0/run-sets', { body: later })).status).toBe(404);
  const repeated = { taskIds, untilSure: {}, repeat: 2 };
  expect((await server.call('POST', '/v0/run-sets', { body: repeated })).status).toBe(422);
});
