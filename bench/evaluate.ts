import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { quantile } from './load.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/**
 * How many evals are judged by rule in a second, how soon after the last span of a test its verdict is there, and how much of
 * the rate that a judge can do is reached. App and judge share the processors with the server.
 *
 *   npm run bench:evaluate                    about five minutes
 */
const TESTS = 1_000;
/** Tests of one task that one call may start. */
const MAX_REPEAT = 100;
const RULES = 5;
const CRITERIA = 10;
const SINGLES = 100;
/** Longer than the second after which a test is looked at again when more of its spans have come. */
const QUIET_MS = 1_200;
const JUDGE_MS = 200;
const CONCURRENCY = 32;

const agent = new Agent({ keepAlive: true });

interface Bench {
  server: ServerProcess;
  store: Sqlite.Database;
  /** Asks for JSON of the API. */
  call: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

async function callOf(
  { port, headers }: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const whole = { ...headers, prefer: 'return=representation' };
  const sent = request({ port, host: '127.0.0.1', agent, method, path, headers: whole });
  if (body === undefined) sent.end();
  else sent.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  const { statusCode = 0 } = response;
  if (statusCode >= 300) throw new Error(`${method} ${path} was answered ${statusCode}: ${answer}`);
  return answer === '' ? undefined : JSON.parse(answer);
}

/** Listens on loopback; the address. */
async function listen(
  handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((incoming, response) => void handle(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Answers, then sends its span: so that the span is the last that comes of a test. */
const startApp = (server: () => ServerProcess) =>
  listen(async (incoming, response) => {
    const { testId } = JSON.parse(await text(incoming)) as { testId: string };
    const [, traceId, parentSpanId] = String(incoming.headers['traceparent']).split('-');
    response.end();
    await delay(20);
    const times = { startTimeUnixNano: '1800000000000000000', endTimeUnixNano: '1800000000100000000' };
    const attributes = [
      { key: 'service.test.id', value: { stringValue: testId } },
      { key: 'input.value', value: { stringValue: 'Capital of France?' } },
      { key: 'output.value', value: { stringValue: 'The capital of France is Paris.' } },
    ];
    const spanId = testId.replaceAll('-', '').slice(0, 16);
    const span = { traceId, parentSpanId, spanId, name: 'answer', ...times, attributes };
    await callOf(server(), 'POST', '/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  });

const startJudge = () =>
  listen(async (incoming, response) => {
    await text(incoming);
    await delay(JUDGE_MS);
    const content = JSON.stringify({ rationale: 'It does.', verdict: 'yes' });
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_800_000_000,
        model: 'bench',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 },
      }),
    );
  });

/** The id of a new task that these definitions judge. */
async function newTask({ call }: Bench, definitions: readonly object[]): Promise<string> {
  const ids: string[] = [];
  for (const definition of definitions) {
    const { data } = (await call('POST', '/v0/definitions', definition)) as { data: { id: string } };
    ids.push(data.id);
  }
  const { task } = (await call('POST', '/v0/tasks', {
    title: 'Capital',
    type: 'STATIC',
    inputExamples: ['Capital of France?'],
    evalDefinitions: ids.map((evalDefinitionId) => ({ evalDefinitionId })),
  })) as { task: { id: string } };
  return task.id;
}

/** Runs that many tests of a task to their end. */
async function runTests({ call, store }: Bench, taskId: string, count: number): Promise<void> {
  for (let started = 0; started < count; started += MAX_REPEAT) {
    const repeat = Math.min(count - started, MAX_REPEAT);
    await call('POST', '/v0/tasks/trigger', { taskIds: [taskId], repeat });
  }
  await until(store, `SELECT count(*) FROM test WHERE status <> 'COMPLETED'`, 0);
}

async function until(store: Sqlite.Database, sql: string, value: number): Promise<void> {
  while (store.prepare(sql).pluck().get() !== value) await delay(50);
}

const numberOf = (store: Sqlite.Database, sql: string, ...values: unknown[]): number =>
  store
    .prepare(sql)
    .pluck()
    .get(...values) as number;

/** All evals of a task made anew: how many a second, from the first to the last. */
async function rateOf({ call, store }: Bench, taskId: string): Promise<{ evals: number; perSecond: number }> {
  const { data } = (await call('POST', `/v0/tasks/${taskId}/evaluate`, { force: true })) as {
    data: { evals: number };
  };
  await until(store, `SELECT count(*) FROM test WHERE status <> 'COMPLETED'`, 0);
  const times = `FROM eval WHERE task_id = ? AND superseded = 0 AND status = 'COMPLETED'`;
  const first = numberOf(store, `SELECT min(created_at) ${times}`, taskId);
  const last = numberOf(store, `SELECT max(modified_at) ${times}`, taskId);
  return { evals: data.evals, perSecond: (data.evals * 1_000) / (last - first) };
}

const rule = (index: number): object => ({
  name: `Rule ${index}`,
  type: 'ASSERT',
  globalConfig: {
    assertions: [
      { type: 'icontains', value: 'paris' },
      { type: 'regex', value: 'capital of \\w+' },
      { type: 'latency', threshold: 5_000 },
      { type: 'levenshtein', value: 'The capital of France is Paris', threshold: 5 },
    ],
  },
});

async function byRule(bench: Bench): Promise<void> {
  const rules = Array.from({ length: RULES }, (_, index) => rule(index));
  const taskId = await newTask(bench, rules);
  await runTests(bench, taskId, TESTS);
  const { evals, perSecond } = await rateOf(bench, taskId);
  console.log(`by rule: ${evals} evals of ${TESTS} tests, ${perSecond.toFixed(0)} a second`);
}

/** Milliseconds from the last span of a test, run alone, to its verdict, without the time of silence. */
async function latencies(bench: Bench): Promise<void> {
  const { store } = bench;
  const taskId = await newTask(bench, [rule(0)]);
  for (let count = 0; count <= SINGLES; count++) await runTests(bench, taskId, 1);
  const [first = Number.NaN, ...found] = store
    .prepare('SELECT modified_at - last_span_at - ? FROM test WHERE task_id = ? ORDER BY created_at')
    .pluck()
    .all(QUIET_MS, taskId) as number[];
  const sorted = found.toSorted((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(sorted, q).toFixed(0));
  console.log(
    `from the last span to the verdict, beyond the quiet time: p50 ${p50} ms, p99 ${p99} ms (target: under 100); the first, whose thread is yet to start: ${first} ms`,
  );
}

async function byJudge(bench: Bench): Promise<void> {
  const criteria = Array.from({ length: CRITERIA }, (_, index) => ({
    name: `Criterion ${index}`,
    type: 'CUSTOM',
    globalConfig: { criterion: `Does it name a capital, in way ${index}?` },
  }));
  const taskId = await newTask(bench, criteria);
  await runTests(bench, taskId, TESTS);
  const { evals, perSecond } = await rateOf(bench, taskId);
  const share = perSecond / ((CONCURRENCY * 1_000) / JUDGE_MS);
  console.log(
    `by a judge of ${JUDGE_MS} ms, ${CONCURRENCY} at a time: ${evals} evals, ${perSecond.toFixed(0)} a second, ${share.toFixed(2)} of the ideal rate (target: 0.90 or more)`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
const judge = await startJudge();
const judgesFile = join(folder, 'judges.json');
const settings = {
  provider: 'openai-compatible',
  baseUrl: `${judge.url}/v1`,
  model: 'bench',
  concurrency: CONCURRENCY,
};
writeFileSync(judgesFile, JSON.stringify({ judges: { bench: settings } }));
// The server inherits them.
Object.assign(process.env, { TOUCHSTONE_QUIET_MS: String(QUIET_MS), TOUCHSTONE_JUDGES_FILE: judgesFile });
const server = await startServer(join(folder, 'data'));
const app = await startApp(() => server);
const store = new Sqlite(join(folder, 'data', 'touchstone.db'), { readonly: true });
const bench: Bench = { server, store, call: (...args) => callOf(server, ...args) };
try {
  await bench.call('POST', '/v0/webhook', { url: app.url });
  await latencies(bench);
  await byRule(bench);
  await byJudge(bench);
} finally {
  store.close();
  app.close();
  await server.stop();
  judge.close();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
