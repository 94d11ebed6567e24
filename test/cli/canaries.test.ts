import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { judging as measuring } from '../resources/reliability-support.ts';
import { answering, createTaskOf, promptsOf } from '../resources/run-set-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { type Ended, run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';

let server: TestServer;
let app: CustomerApp;
let model: StandInJudge;
let folder: string;
let isLenient = false;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  model = await startStandInJudge(({ messages }) => {
    const isKind = isLenient || messages.join('\n').includes('Gladly.');
    return { say: { rationale: 'It is so.', verdict: isKind ? 'yes' : 'no' } };
  });
  server = await startServer({ config: { ...SETTINGS, judgeModel: 'judge', judgeBaseUrl: model.openAi } });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const { trigger, over } = judging(() => server);
const env = () => ({
  TOUCHSTONE_URL: server.url,
  TOUCHSTONE_API_KEY: server.apiKey,
  TOUCHSTONE_APPLICATION_ID: server.applicationId,
});
const gate = (taskId: string): Promise<Ended> =>
  run(['test', '--tasks', taskId, '--fail-under', '40'], { env: env() });
const setOf = ({ stdout }: Ended): string => /^Run set (\S+)\.$/m.exec(stdout)?.[1] ?? '';
const decisionOn = async (id: string) =>
  (await server.ok('GET', `/v0/run-sets/${id}/decision?failUnder=40`)).data;
it('a judge that became lenient behind the same name leaves the run set undecided', async () => {
  answering(server, app, (prompt) => (Number(/\d+/.exec(prompt)?.[0]) % 2 === 0 ? 'Gladly.' : 'No.'));
  const tools = measuring(server);
  const id = await tools.newDefinition({ name: 'Kind' });
  const taskId = await createTaskOf(server, promptsOf(24, 'Please'), [id]);

  const [judged] = (await over(await trigger(taskId))).evals;
  const { data } = await server.ok('GET', `/v0/evals/${judged?.id}` as '/v0/evals/{id}');
  const { judgeVersion } = (data as unknown as { judge: { judgeVersion: string } }).judge;
  const traceIds = await tools.traces(30);
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  tools.judge({ definitionId: id, traceIds, passed }, { judgeVersion });
  tools.say(...traceIds.map((traceId, index) => ({ traceId, verdict: passed[index] as boolean })));
  tools.draw(traceIds);
  const put = (canaries: number) =>
    server.call('PUT', `/v0/definitions/${id}`, { body: { gate: { minKappa: 0.6, canaries } } });
  await put(20);

  const first = await gate(taskId);
  expect(first, first.stdout).toMatchObject({ code: 0 });
  expect(first.stdout).not.toContain('canaries');
  // 24 tests, 1 test before them, and the canaries, half of which passed.
  await expect.poll(() => model.requests.length).toBe(1 + 24 + 20);

  const second = await gate(taskId);
  expect(second, second.stdout).toMatchObject({ code: 0 });
  expect(second.stdout).toContain(
    'The judge of Kind has not changed: judged again, it gave another verdict on 0 of 20 canaries (0 pass now that did not, 0 no longer pass).',
  );
  expect(model.requests).toHaveLength(45 + 24 + 20);
  const { data: set } = await server.ok('GET', `/v0/run-sets/${setOf(second)}`);
  expect(set.canaries).toEqual({ total: 20, open: 0 });
  const { data: costs } = await server.ok('GET', '/v0/evals/costs?groupBy=definition');
  expect(costs).toMatchObject([{ evalDefinitionId: id, evals: 1 + 48 + 40 }]);

  isLenient = true;
  const third = await gate(taskId);
  expect(third.code, third.stdout).toBe(2);
  expect(third.stdout).toContain(
    'Unknown: the judge of Kind has changed: judged again, it gave another verdict on 10 of 20 canaries (10 pass now that did not, 0 no longer pass), which is more than chance.',
  );
  const decision = await decisionOn(setOf(third));
  expect(decision).toMatchObject({
    outcome: 'INCONCLUSIVE',
    rate: { rate: 100 },
    canaries: [{ id, name: 'Kind', canaries: 20, compared: 20, toPassed: 10, toFailed: 0, isShifted: true }],
  });
  expect(decision.reasons[0]).toContain('the judge of Kind has changed');

  const evidence = await run(['evidence', setOf(third)], { env: env() });
  const file = join(folder, 'evidence.jsonl');
  writeFileSync(file, evidence.stdout);
  expect(evidence.stdout).toContain('"of":"canaries"');
  const verified = await run(['evidence', 'verify', file], {});
  expect(verified, verified.stderr).toMatchObject({ code: 0 });
  expect(verified.stdout).toContain('has changed');

  // Without canaries nothing is judged again; after that, others are frozen.
  await put(0);
  const without = await gate(taskId);
  expect(without, without.stdout).toMatchObject({ code: 0 });
  await put(5);
  const before = model.requests.length;
  expect(await gate(taskId)).toMatchObject({ code: 0 });
  await expect.poll(() => model.requests.length).toBe(before + 24 + 5);
  const again = await gate(taskId);
  expect(again.stdout).toContain('another verdict on 0 of 5 canaries');
});
