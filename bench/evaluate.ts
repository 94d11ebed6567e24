import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import {
  type Bench,
  callOf,
  closeCalls,
  judgeAgain,
  listen,
  newTask,
  rule,
  runTests,
  startApp,
} from './judged-tests.ts';
import { quantile } from './load.ts';
import { startServer } from './server-process.ts';

/**
 * Measures how many deterministic evals finish in a second, how soon after the last span of a test its verdict is
 * stored, and which share of a judge's possible rate is reached. App and judge share the processors with the server.
 * `npm run bench:evaluate` takes about five minutes.
 */
const TESTS = 1_000;
const RULES = 5;
const CRITERIA = 10;
const SINGLES = 100;
/** Longer than the second after which a test is looked at again when more of its spans have come. */
const QUIET_MS = 1_200;
const JUDGE_MS = 200;
const CONCURRENCY = 32;

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

const numberOf = (store: Sqlite.Database, sql: string, ...values: unknown[]): number =>
  store
    .prepare(sql)
    .pluck()
    .get(...values) as number;

/** Measures how many evals of a task run per second when all run again, from the first to the last. */
async function rateOf(bench: Bench, taskId: string): Promise<{ evals: number; perSecond: number }> {
  const evals = await judgeAgain(bench, taskId);
  const times = `FROM eval WHERE task_id = ? AND superseded = 0 AND status = 'COMPLETED'`;
  const { store } = bench;
  const first = numberOf(store, `SELECT min(created_at) ${times}`, taskId);
  const last = numberOf(store, `SELECT max(modified_at) ${times}`, taskId);
  return { evals, perSecond: (evals * 1_000) / (last - first) };
}

async function deterministic(bench: Bench): Promise<void> {
  const rules = Array.from({ length: RULES }, (_, index) => rule(index));
  const taskId = await newTask(bench, rules);
  await runTests(bench, taskId, TESTS);
  const { evals, perSecond } = await rateOf(bench, taskId);
  console.log(`deterministic: ${evals} evals of ${TESTS} tests, ${perSecond.toFixed(0)} a second`);
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
    `from the last span to the verdict, beyond the idle timeout: p50 ${p50} ms, p99 ${p99} ms (target: under 100); the first, whose thread is yet to start: ${first} ms`,
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
const app = await startApp(server);
const store = new Sqlite(join(folder, 'data', 'touchstone.db'), { readonly: true });
const bench: Bench = { store, call: (...args) => callOf(server, ...args) };
try {
  await bench.call('POST', '/v0/webhook', { url: app.url });
  await latencies(bench);
  await deterministic(bench);
  await byJudge(bench);
} finally {
  store.close();
  app.close();
  await server.stop();
  judge.close();
  closeCalls();
  rmSync(folder, { recursive: true, force: true });
}
