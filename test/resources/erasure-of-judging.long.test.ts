import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { jsonSpan, newSpanId } from '../e2e/otlp-sender.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { until } from '../support/until.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
let app: CustomerApp;
/** Stands for a judge model as well as for a scorer. */
let judge: CustomerApp;
let folder: Folder;
beforeAll(async () => {
  [app, judge] = await Promise.all([startCustomerApp(), startCustomerApp()]);
  folder = temporaryFolder();
  const judgesFile = folder.file('judges.json');
  const only = { provider: 'openai-compatible', baseUrl: judge.url, model: 'stand-in', concurrency: 1 };
  writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
  server = await startServer({ config: { ...SETTINGS, judgesFile } });
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await Promise.all([app.close(), judge.close()]);
  folder[Symbol.dispose]();
});
const { definitions, send, trigger, over, read } = judging(() => server);
const { erase, filesWith } = erasing(() => server);

interface Judged {
  testId: string;
  user: string;
  text: string;
}

/** Starts a test whose trace is one of a user and has a text, and that a definition judges. */
async function judged(definitionId: string): Promise<Judged> {
  const [user, text] = [randomUUID(), `The pipit ${randomUUID()}`];
  app.behave((request, response) => {
    const [, trace = '', parentSpanId] = String(request.headers['traceparent']).split('-');
    const attributes = { 'openinference.span.kind': 'AGENT', 'user.id': user, 'output.value': text };
    const span = jsonSpan(trace, 'answer', {
      spanId: newSpanId(),
      parentSpanId,
      attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    });
    void send(span).then(() => response.writeHead(200).end());
  });
  const task = await definitions().task({ evalDefinitions: [{ evalDefinitionId: definitionId }] });
  return { testId: await trigger(task.id), user, text };
}

const isBeingJudged = ({ testId }: Judged) =>
  until(
    () => read(testId),
    ({ evals }) => evals[0]?.status === 'IN_PROGRESS',
  );
const requestsWith = (text: string): number =>
  judge.received.filter(({ body }) => body.includes(text)).length;

/** Returns the number of jobs that send questions to judges and scorers. */
async function jobsOfJudges(): Promise<number> {
  const { text } = await server.call('GET', '/metrics');
  const found = [...text.matchAll(/^touchstone_jobs\{.*kind="(?:judge|score)[^"]*".*\} (\d+)$/gm)];
  return found.reduce((sum, [, jobs]) => sum + Number(jobs), 0);
}

const PASSES = JSON.stringify({
  choices: [{ message: { content: JSON.stringify({ rationale: 'It is kind.', verdict: 'pass' }) } }],
});
const SKIPPED = {
  status: 'COMPLETED',
  evals: [{ status: 'SKIPPED', reason: 'The trace was deleted.' }],
};
const CRITERION = { type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } };

it('a question that waits for the answer to another one is not sent after an erasure of what it quotes', async () => {
  const { promise: first, resolve } = Promise.withResolvers<ServerResponse>();
  judge.behave((_request, response) => resolve(response));
  const { id } = await definitions().definition(CRITERION);
  await judged(id);
  const pending = await first;
  judge.behave(answer(200, PASSES));
  const waiting = await judged(id);
  await isBeingJudged(waiting);

  expect(await erase({ userId: waiting.user })).toMatchObject({ counts: { traces: 1 } });
  pending.writeHead(200, { 'content-type': 'application/json' }).end(PASSES);
  // A later question shows that the queue has moved on.
  const last = await judged(id);
  await over(last.testId);
  expect(requestsWith(waiting.text)).toBe(0);
  expect(requestsWith(last.text)).toBeGreaterThan(0);
  expect(await over(waiting.testId)).toMatchObject(SKIPPED);
  expect(filesWith(waiting.text)).toEqual([]);
});

it.each([
  ['judge', () => CRITERION],
  ['scorer', () => ({ type: 'HTTP', globalConfig: { url: judge.url, timeoutMs: 60_000 } })],
])('a request to a %s is not sent again after an erasure of what it quotes', async (_what, definition) => {
  const { promise: first, resolve } = Promise.withResolvers<ServerResponse>();
  judge.behave((_request, response) => resolve(response));
  const { id } = await definitions().definition(definition());
  const one = await judged(id);
  const pending = await first;
  await expect.poll(jobsOfJudges).toBe(1);
  await erase({ userId: one.user });
  judge.behave(answer(200, PASSES));
  pending.writeHead(503, { 'content-type': 'application/json' }).end('{}');
  // The run of the eval ends when it is not sent again.
  const { json } = await server.call('GET', `/v0/tests/${one.testId}`);
  expect(json).toMatchObject({ test: SKIPPED });
  await expect.poll(jobsOfJudges).toBe(0);
  expect(requestsWith(one.text)).toBe(1);
  expect(filesWith(one.text)).toEqual([]);
});
