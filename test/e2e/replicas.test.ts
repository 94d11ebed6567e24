import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectForCommands } from '../../src/storage/postgres/prepare.ts';
import { parseTarget } from '../../src/storage/postgres/target.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { readLedger } from '../support/ledger.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';

const SETTINGS = {
  TOUCHSTONE_QUIET_MS: '200',
  TOUCHSTONE_ORPHAN_QUIET_MS: '400',
  TOUCHSTONE_TRACE_DEADLINE_MS: '60000',
  TOUCHSTONE_SECRET_KEY: 'a text that all replicas share',
};

let postgres: PostgresServer;
let app: CustomerApp;
let folder: string;
let replicas: [ChildServer, ChildServer];
const presets = newPresets();
const start = (): Promise<ChildServer> =>
  ChildServer.start({
    dataDir: join(folder, 'unused'),
    presets,
    env: { ...SETTINGS, TOUCHSTONE_DATABASE_URL: postgres.url },
  });

beforeAll(async () => {
  postgres = await startPostgres();
  app = await startCustomerApp();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-replicas-'));
  // The first start makes the tables and the application.
  const first = await start();
  replicas = [first, await start()];
});
afterAll(async () => {
  await Promise.all(replicas.map((one) => one.stop('SIGKILL')));
  await app.close();
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

it('stores spans once that both get, and one trace whose spans go to one and the other', async () => {
  const [one, other] = replicas;
  const spans = Array.from({ length: 24 }, (_, index) =>
    jsonSpan(((index % 8) + 1).toString(16).padStart(32, 'a'), 'step', {
      spanId: (index + 1).toString(16).padStart(16, 'a'),
    }),
  );
  const replies = await Promise.all(
    [one, other, one].map((server, turn) =>
      server.call('POST', '/v1/traces', jsonRequest(...(turn === 1 ? spans.toReversed() : spans))),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const traceId = 'b'.repeat(32);
  for (const [index, server] of [one, other, one, other].entries())
    expect(
      await server.call(
        'POST',
        '/v1/traces',
        jsonRequest(jsonSpan(traceId, 'turn', { spanId: (index + 1).toString(16).padStart(16, '2') })),
      ),
    ).toMatchObject({ status: 200 });
  for (const server of replicas) {
    const { json } = await server.call('GET', '/v0/traces?limit=100');
    const { data } = json as { data: { otelTraceId: string; spanCount: number }[] };
    expect(data).toHaveLength(9);
    expect(data.find(({ otelTraceId }) => otelTraceId === traceId)).toMatchObject({ spanCount: 4 });
  }
  expect(await readLedger(other)).toMatchObject({ received: 76, stored: 28, duplicate: 48 });
});

it('rejects a key within a second on the other after it was revoked on one', async () => {
  const [one, other] = replicas;
  const { data: created } = await one.ok('POST', '/v0/api-keys', {
    body: { name: 'short-lived', scopes: ['read'] } as never,
  });
  const { id, key } = created as unknown as { id: string; key: string };
  const status = async (): Promise<number> =>
    (await fetch(`${other.url}/v0/traces`, { headers: { ...other.headers, 'x-api-key': key } })).status;
  expect(await status()).toBe(200);
  expect(await one.call('DELETE', `/v0/api-keys/${id}`)).toMatchObject({ status: 204 });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await status()).toBe(401);
});

it('shows on a stream of one what the other stores', async () => {
  const [one, other] = replicas;
  const stream = await fetch(`${one.url}/v0/traces/stream`, { headers: one.headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const traceId = 'c'.repeat(32);
  await other.call('POST', '/v1/traces', jsonRequest(jsonSpan(traceId, 'seen elsewhere')));
  let text = '';
  while (!text.includes(traceId)) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  expect(text).toContain('event: trace');
});

it('completes tests that the other triggered, each sent once, after the leader was killed', async () => {
  const [one] = replicas;
  const sent: string[] = [];
  let server = replicas[1];
  app.behave((request, response) => {
    const [, traceId = '', parentSpanId = ''] = String(request.headers['traceparent']).split('-');
    sent.push(traceId);
    const over = { spanId: newSpanId(), parentSpanId };
    void server
      .call('POST', '/v1/traces', jsonRequest(jsonSpan(traceId, 'answer', over)))
      .then(() => response.writeHead(200).end());
  });
  await one.ok('POST', '/v0/webhook', { body: { url: app.url } });
  const { task } = await one.ok('POST', '/v0/tasks', {
    body: { title: 'Task', type: 'STATIC', inputExamples: ['Capital?'] } as never,
  });
  // The first replica was the first to lead.
  await one.stop('SIGKILL');
  const third = await start();
  replicas = [third, replicas[1]];
  server = replicas[1];
  for (let run = 0; run < 5; run += 1)
    expect(
      (await replicas[run % 2]?.call('POST', '/v0/tasks/trigger', { taskIds: [task.id] }))?.status,
    ).toBeLessThan(300);
  const tests = await until(
    async () => (await third.ok('GET', '/v0/tests')).data,
    (found) => found.length === 5 && found.every(({ status }) => /COMPLETED|FAILED/.test(status)),
  );
  expect(tests.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'COMPLETED'));
  expect(sent).toHaveLength(5);
  expect(new Set(sent).size).toBe(5);
});

it('stops in time when it is asked to, and the other continues', async () => {
  const [one, other] = replicas;
  const since = performance.now();
  expect(await one.stop('SIGTERM')).toBe(0);
  expect(performance.now() - since).toBeLessThan(30_000);
  expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
});

it('makes one application if several start at once over an empty database, whatever the settings of each', async () => {
  const url = new URL(postgres.url);
  const admin = connectForCommands(parseTarget(postgres.url, 'URL'));
  admin.run('CREATE DATABASE started_twice');
  admin.close();
  url.pathname = '/started_twice';
  const env = { ...SETTINGS, TOUCHSTONE_DATABASE_URL: url.href };
  const servers = await Promise.all(
    [1, 2, 3].map(() => ChildServer.start({ dataDir: join(folder, 'unused'), presets: newPresets(), env })),
  );
  await Promise.all(servers.map((one) => one.stop('SIGKILL')));
  const database = connectForCommands(parseTarget(url.href, 'URL'));
  expect(database.all('SELECT count(*) AS applications FROM application')).toEqual([{ applications: 1 }]);
  database.close();
});
