import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-folder.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type CustomerApp, type Received, startCustomerApp } from '../support/customer-app.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';

/** More evals than the judges of this test take at a time. */
const STALLED = 20;

const presets = newPresets();
let folder: string;
let app: CustomerApp;
let stalling: StandInJudge;
let healthy: StandInJudge;
let server: ChildServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  app = await startCustomerApp();
  stalling = await startStandInJudge(() => 'stall');
  healthy = await startStandInJudge(() => ({ say: { rationale: 'It is.', verdict: 'yes' } }));
  server = await start(['stalling', 'healthy']);
  app.behave((request, response) => {
    void call('POST', '/v1/traces', spanOf(request)).then(() => response.writeHead(200).end());
  });
  await call('POST', '/v0/webhook', { url: app.url });
});
afterEach(async () => {
  await server.stop('SIGKILL');
  await app.close();
  await stalling[Symbol.asyncDispose]();
  await healthy[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A server with these judges; the first is the default. */
async function start(names: readonly ('healthy' | 'stalling')[]): Promise<ChildServer> {
  const addresses = { healthy: healthy.openAi, stalling: stalling.openAi };
  const settings = { provider: 'openai-compatible', model: 'stand-in', concurrency: 2, timeoutMs: 600_000 };
  const judges = Object.fromEntries(names.map((name) => [name, { ...settings, baseUrl: addresses[name] }]));
  const judgesFile = join(folder, 'judges.json');
  writeFileSync(judgesFile, JSON.stringify({ judges, default: names[0] }));
  const env = { TOUCHSTONE_QUIET_MS: '100', TOUCHSTONE_JUDGES_FILE: judgesFile };
  return ChildServer.start({ dataDir: join(folder, 'data'), presets, env });
}

async function call(method: string, path: string, body: object): Promise<unknown> {
  const { status, text, json } = await server.call(method, path, body);
  expect(status, text).toBeLessThan(300);
  return json;
}

function spanOf({ headers }: Received): object {
  const [, trace = '', parentSpanId] = String(headers['traceparent']).split('-');
  const attributes = [{ key: 'output.value', value: { stringValue: 'It is Paris.' } }];
  return jsonRequest(jsonSpan(trace, 'answer', { spanId: newSpanId(), parentSpanId, attributes }));
}

const CRITERION = { criterion: 'Is it kind?' };
const BY_DEFAULT = { name: 'default', type: 'CUSTOM', globalConfig: CRITERION };
const judgedBy = (judge: string): object => ({
  ...BY_DEFAULT,
  name: judge,
  globalConfig: { ...CRITERION, judge },
});
const DETERMINISTIC = {
  name: 'rule',
  type: 'ASSERT',
  globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }] },
};

/** Starts tests that these definitions judge. */
async function startTests(count: number, definitions: readonly object[]): Promise<void> {
  const evalDefinitions: object[] = [];
  for (const definition of definitions) {
    const { data } = (await call('POST', '/v0/definitions', definition)) as { data: { id: string } };
    evalDefinitions.push({ evalDefinitionId: data.id });
  }
  const task = { title: 'Capital', type: 'STATIC', inputExamples: ['Capital'], evalDefinitions };
  const { id } = ((await call('POST', '/v0/tasks', task)) as { task: { id: string } }).task;
  await call('POST', '/v0/tasks/trigger', { taskIds: [id], repeat: count });
}

function stored<T>(sql: string): T[] {
  const database = new Sqlite(storeFile(join(folder, 'data')), { readonly: true });
  try {
    return database.prepare(sql).all() as T[];
  } finally {
    database.close();
  }
}

/** How many evals of a definition there are of each status. */
const statuses = (definition: string): Record<string, number> =>
  Object.fromEntries(
    stored<{ status: string; n: number }>(
      `SELECT eval.status, count(*) AS n FROM eval JOIN definition ON definition.id = definition_id
       WHERE name = '${definition}' GROUP BY 1`,
    ).map(({ status, n }) => [status, n]),
  );
const waitingForJudges = (): number =>
  stored<{ n: number }>(`SELECT count(*) AS n FROM job WHERE kind LIKE 'judge%'`)[0]?.n ?? 0;

it('a judge that stalls delays only its own evals; when the settings no longer name it, they end or go to another', async () => {
  await startTests(STALLED, [judgedBy('stalling'), BY_DEFAULT]);
  await expect.poll(waitingForJudges).toBe(2 * STALLED);

  await startTests(3, [judgedBy('healthy'), DETERMINISTIC]);
  await expect
    .poll(() => [statuses('healthy'), statuses('rule')])
    .toEqual([{ COMPLETED: 3 }, { COMPLETED: 3 }]);
  expect(waitingForJudges()).toBe(2 * STALLED);
  for (const name of ['stalling', 'default']) expect(statuses(name)).not.toHaveProperty('COMPLETED');

  await server.stop('SIGKILL');
  server = await start(['healthy']);
  await expect
    .poll(() => [statuses('stalling'), statuses('default')])
    .toEqual([{ SKIPPED: STALLED }, { COMPLETED: STALLED }]);
  const [reason, ...others] = stored<{ reason: string }>(
    `SELECT DISTINCT reason FROM eval WHERE status = 'SKIPPED'`,
  );
  expect([reason?.reason, others]).toEqual(['no judge is configured with the name "stalling"', []]);
  expect(stored(`SELECT status, count(*) AS n FROM test GROUP BY 1`)).toEqual([
    { status: 'COMPLETED', n: STALLED + 3 },
  ]);
  expect(waitingForJudges()).toBe(0);
});
