import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedTest } from '../../src/api/generated/schema.ts';
import { rewriteTrace } from '../../src/ingest/rewrite-trace.ts';
import { rewriteCommands } from '../../src/traces/operations.ts';
import { createPriceList } from '../../src/traces/prices/price-list.ts';
import { jsonRequest, jsonSpan, newSpanId } from '../e2e/otlp-sender.ts';
import { run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { type Folder, temporaryFolder, useStore } from '../support/storage.ts';
import { until } from '../support/until.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
let model: StandInJudge;
let elsewhere: Folder;
const WRITTEN = 'Does the written godwit sing?';
let behave = (): JudgeBehaviour => ({ say: { prompts: [WRITTEN] }, afterMs: 1_500 });
beforeAll(async () => {
  model = await startStandInJudge(() => behave());
  server = await startServer({ config: { promptModel: 'writer', promptBaseUrl: model.openAi } });
  elsewhere = temporaryFolder();
});
afterAll(async () => {
  await server.close();
  await model[Symbol.asyncDispose]();
  elsewhere[Symbol.dispose]();
});
const { send, erase, filesWith } = erasing(() => server);

async function exampleOf(traceId: string) {
  return (await server.ok('POST', `/v0/traces/${traceId}/example`, { body: {} })).data;
}

describe('a span that arrives later for an erased trace is rejected', () => {
  it('although another process has erased it, and this one knew of no deleted trace', async () => {
    const trace = await send(1, { 'user.id': 'first', 'input.value': 'the first godwit' });
    const erased = await run([
      'erase',
      '--user',
      'first',
      '--application-id',
      server.applicationId,
      '--data-dir',
      server.folder,
    ]);
    expect(erased).toMatchObject({ code: 0 });
    const late = jsonSpan(trace, 'late', { spanId: newSpanId() });
    const { json } = await server.call('POST', '/v1/traces', { body: jsonRequest(late) });
    expect(json).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
  });
});

describe('an import after an erasure brings no text back', () => {
  it('of OTLP that was exported before', async () => {
    await send(2, { 'user.id': 'second', 'input.value': 'the second godwit' });
    const exported = await server.call('GET', '/v0/traces/export?format=otlp-jsonl&userId=second');
    expect(exported.text).toContain('second godwit');
    await erase({ userId: 'second' });
    for (const body of exported.text.split('\n').filter(Boolean)) {
      const headers = { 'content-type': 'application/json' };
      const { json } = await server.call('POST', '/v1/traces', { headers, body });
      expect(json).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
    }
    expect(filesWith('second godwit')).toEqual([]);
  });

  it.each([
    ['is stored', 3, false],
    ['was deleted before', 4, true],
  ])('of examples whose trace %s when it is erased', async (_what, number, isDeleted) => {
    const [user, secret] = [`user ${number}`, `the godwit ${number} in an example`];
    const traceId = await send(number, { 'user.id': user, 'input.value': secret });
    const { taskId, key } = await exampleOf(traceId);
    const exported = await server.call('GET', `/v0/tasks/${taskId}/examples/export?format=jsonl`);
    expect(exported.text).toContain(secret);
    if (isDeleted) await server.call('DELETE', `/v0/traces/${traceId}`);
    await erase({ userId: user });

    const headers = { 'content-type': 'application/x-ndjson' };
    for (const dryRun of ['true', 'false']) {
      const path = `/v0/tasks/${taskId}/examples/import?dryRun=${dryRun}`;
      const { json, text } = await server.call('POST', path, { headers, body: exported.text });
      expect(json, text).toMatchObject({
        data: {
          created: 0,
          rejectedCount: 1,
          rejected: [{ line: 1, error: 'key: names a trace that was erased' }],
        },
      });
    }
    const created = await server.call('POST', `/v0/tasks/${taskId}/examples`, {
      body: { input: secret, key },
    });
    expect(created.status).toBe(422);
    expect(filesWith(secret)).toEqual([]);
  });
});

it('a model that writes prompts from erased texts ends its tests, and nothing of its response is stored', async () => {
  const [user, secret] = ['fifth', 'the fifth godwit'];
  const traceId = await send(5, { 'user.id': user, 'input.value': secret });
  const { taskId } = await exampleOf(traceId);
  await server.call('PUT', `/v0/tasks/${taskId}`, { body: { type: 'NORMAL', status: 'ACTIVE' } });
  const { headers, text } = await server.call('POST', '/v0/tasks/trigger', {
    body: { taskIds: [taskId], repeat: 3 },
  });
  const runId = headers.get('x-run-ids') ?? text;
  await until(
    async () => model.requests.length,
    (count) => count > 0,
  );
  await erase({ userId: user });
  const { json } = await server.call('GET', `/v0/tests?runId=${runId}`);
  expect(json).toMatchObject({
    data: [1, 2, 3].map(() => ({ status: 'FAILED', failure: { code: 'erased' } })),
  });
  const calls = await until(
    async () => await server.ok('GET', `/v0/runs/${runId}/prompt-calls`),
    ({ data }) => data.length > 0,
  );
  expect(calls.data).toMatchObject([{ raw: null, request: null }]);
  expect(filesWith(secret, WRITTEN)).toEqual([]);
});

it('the reason of a test for which no prompt was written no longer quotes what was erased', async () => {
  const [user, secret] = ['seventh', 'The seventh godwit'];
  const traceId = await send(7, { 'user.id': user, 'input.value': secret });
  const { taskId } = await exampleOf(traceId);
  await server.call('PUT', `/v0/tasks/${taskId}`, { body: { type: 'NORMAL', status: 'ACTIVE' } });
  behave = () => ({ say: { prompts: [secret] } });
  const { headers } = await server.call('POST', '/v0/tasks/trigger', { body: { taskIds: [taskId] } });
  const failed = async () =>
    (await server.ok('GET', `/v0/tests?runId=${headers.get('x-run-ids')}`)).data[0] as ListedTest;
  const before = await until(failed, ({ failure }) => failure !== null);
  expect(before.failure).toMatchObject({
    code: 'prompt_not_written',
    message: expect.stringContaining(secret) as string,
  });

  await erase({ userId: user });
  const message = 'The prompt model wrote no prompt that could be used.';
  expect(await failed()).toMatchObject({ failure: { code: 'prompt_not_written', message } });
  expect((await server.call('GET', `/v0/tests/${before.id}`)).json).toMatchObject({
    test: {
      timeline: expect.arrayContaining([
        expect.objectContaining({ detail: `prompt_not_written: ${message}` }),
      ]) as unknown[],
    },
  });
  expect(filesWith(secret)).toEqual([]);
});

it('a receipt names a backup and an export that have read the text when the erasure begins', async () => {
  const [user, secret] = ['sixth', 'the sixth godwit'];
  await send(6, { 'user.id': user, 'input.value': secret });
  const file = join(elsewhere.path, 'sixth.backup');
  const backup = run(['backup', file, '--data-dir', server.folder]);
  // Its first page is written after its snapshot has begun.
  const sizeOf = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  await until(() => sizeOf(`${file}.part`) + sizeOf(file) > 0);
  const exported = await fetch(`${server.url}/v0/traces/export?format=otlp-jsonl&userId=sixth`, {
    headers: server.headers,
  });
  const body = exported.body?.pipeThrough(new TextDecoderStream()).getReader();
  const begun = await body?.read();

  const { copies } = await erase({ userId: user });
  let text = begun?.value ?? '';
  for (let part = await body?.read(); part && !part.done; part = await body?.read()) text += part.value;
  expect(text).toContain(secret);
  expect(await backup).toMatchObject({ code: 0 });
  expect(readFileSync(file).includes(secret)).toBe(true);
  expect(copies?.data.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['BACKUP sixth.backup', 'EXPORT downloadTraces']),
  );
  expect(filesWith(secret)).toEqual([]);
});

describe('a rewrite of a trace', () => {
  const { newTenant } = useStore();
  const PARTS = ['trace', 'chunk', 'span', 'trace_test', 'trace_attr', 'rewrite', 'refresh'];

  it('stores nothing again when the trace is erased before any of its steps', () => {
    const spans = [1, 2, 3].map((id) => ({
      id,
      attributes: { 'input.value': `the plover ${id}`, 'tag.tags': ['plover'] },
      resource: { 'service.name': 'plover', 'service.test.id': '5f0c1c1e-7c3a-4a0e-9a53-6a1d0d5f2f10' },
    }));
    for (let erasedBefore = 1, isOver = false; !isOver; erasedBefore++) {
      const tenant = newTenant();
      for (const span of spans) tenant.store([span]);
      const tkey = tenant.tkey(1) ?? 0;
      const steps = rewriteTrace(tkey, createPriceList(), 0);
      let step = steps.next();
      for (let done = 1; !step.done; done++) {
        if (done === erasedBefore) tenant.delete(1);
        const { name, args } = step.value;
        const command: (database: typeof tenant.database, args: never) => unknown = rewriteCommands[name];
        step = steps.next(
          tenant.database.connection.transaction(() => command(tenant.database, args as never))(),
        );
        isOver = done < erasedBefore;
      }
      if (isOver) tenant.delete(1);
      const left = Object.fromEntries(PARTS.map((table) => [table, tenant.count(table, tkey)]));
      expect(left, `erased before step ${erasedBefore}`).toEqual(
        Object.fromEntries(PARTS.map((table) => [table, 0])),
      );
      const resources = 'SELECT count(*) AS n FROM resource WHERE application = ?';
      expect(tenant.database.get(resources, tenant.application)).toEqual({ n: 0 });
    }
  });
});
