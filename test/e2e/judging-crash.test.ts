import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-folder.ts';
import { type CustomerApp, type Received, startCustomerApp } from '../support/customer-app.ts';
import { judgedServerIn } from '../support/judged-server.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { mulberry32 } from '../support/random.ts';
import { type JudgeRequest, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { jsonRequest, jsonSpan, newSpanId } from './otlp-sender.ts';
import { until } from '../support/until.ts';

const TESTS = 60;
const REPEATS = 3;
const KILLS = 4;
/** Answers of the judge from one kill to the next, at most. */
const MAX_PROGRESS = 30;

const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const random = mulberry32(seed);

let dataDir: string;
let app: CustomerApp;
let judge: StandInJudge;
/** Questions that were asked since the last start, by test. */
let asked = new Map<string, number>();
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  app = await startCustomerApp();
  judge = await startStandInJudge((request) => {
    const testId = testIdIn(request);
    if (testId === undefined) return { status: 404, body: '' };
    asked.set(testId, (asked.get(testId) ?? 0) + 1);
    return { say: { rationale: 'It is.', verdict: 'yes' }, afterMs: Math.round(random() * 250) };
  });
});
afterEach(async () => {
  await app.close();
  await judge[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

it(`makes each planned eval once and pays for no answer twice, through ${KILLS} kills (CRASH_SEED=${seed})`, async () => {
  const start = judgedServerIn(dataDir, judge, 8);
  let server = await start();
  await using neighbour = startNeighbour(storeFile(join(dataDir, 'data')), 'SELECT count(*) FROM test', 20);

  /** Calls until a server answers, across any number of kills. */
  const insist = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    for (;;) {
      const reply = await server.call(method, path, body).catch(() => null);
      if (reply !== null && reply.status < 300) return reply.json;
      if (reply !== null && reply.status !== 503) throw new Error(`${path}: ${reply.text}`);
      await delay(20);
    }
  };
  app.behave((request, response) => {
    void insist('POST', '/v1/traces', spanOf(request)).then(() => response.writeHead(200).end());
  });
  await insist('POST', '/v0/webhook', { url: app.url });
  const define = async (body: object): Promise<string> => {
    const { data } = (await insist('POST', '/v0/definitions', { name: 'Rule', ...body })) as {
      data: { id: string };
    };
    return data.id;
  };
  const contains = (value: string) => ({
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'contains', value }] },
  });
  const evalIds = [
    await define(contains('Paris')),
    await define(contains('Rome')),
    await define({ type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' }, repeats: REPEATS }),
  ];
  const { task } = (await insist('POST', '/v0/tasks', {
    title: 'Capital',
    inputExamples: ['Capital of France?'],
    type: 'STATIC',
    evalDefinitions: evalIds.map((evalDefinitionId) => ({ evalDefinitionId })),
  })) as { task: { id: string } };
  await insist('POST', '/v0/tasks/trigger', { taskIds: [task.id], repeat: TESTS });

  // A kill before would make tests of unknown delivery, which is not what this is about.
  await until(() => app.received.length === TESTS, Boolean, 2);

  const faults: string[] = [];
  let stored = new Map<string, number>();
  for (let kill = 0; kill <= KILLS; kill++) {
    if (kill === KILLS) await expect.poll(() => readStore().open, { interval: 200 }).toBe(0);
    else {
      const enough = judge.requests.length + 1 + Math.floor(random() * MAX_PROGRESS);
      await until(() => judge.requests.length >= enough || readStore().open === 0, Boolean, 2);
      await delay(random() * 30);
    }
    expect(await server.stop(kill === KILLS ? 'SIGTERM' : 'SIGKILL')).toBe(kill === KILLS ? 0 : 'SIGKILL');
    // What the killed server had still sent is read, and counted, before a request that is sent now.
    await fetch(judge.openAi, { method: 'POST', body: '{}' });
    for (const [testId, count] of asked) {
      const before = stored.get(testId) ?? 0;
      if (count > REPEATS - before)
        faults.push(`${testId}: ${before} answers were stored, and ${count} more asked for`);
    }
    if (kill === KILLS) break;
    stored = readStore().answers;
    asked = new Map();
    server = await start();
  }

  expect(faults).toEqual([]);
  await expect.poll(() => neighbour.last).toEqual({ 'count(*)': TESTS });
  const { tests, evals, jobs, answers, counted } = readStore();
  expect(jobs).toBe(0);
  expect(tests).toEqual([{ status: 'COMPLETED', phase: 'done', n: TESTS }]);
  const each = { superseded: 0, version: 1, n: TESTS };
  expect(evals).toEqual([
    { ...each, status: 'COMPLETED', type: 'ASSERT', passed: 0 },
    { ...each, status: 'COMPLETED', type: 'ASSERT', passed: 1 },
    { ...each, status: 'COMPLETED', type: 'CUSTOM', passed: 1 },
  ]);
  expect(counted).toEqual({ finished: 3 * TESTS, passed: 2 * TESTS });
  expect([...answers.values()]).toEqual(Array.from({ length: TESTS }, () => REPEATS));
}, 300_000);

/** The span of the app: what came out names the test, so that each question tells what it is about. */
function spanOf({ headers, body }: Received): unknown {
  const { testId } = JSON.parse(body) as { testId: string };
  const [, trace = '', parentSpanId] = String(headers['traceparent']).split('-');
  // The same however often it is sent.
  const spanId = testId.replaceAll('-', '').slice(0, 16);
  const attributes = { 'service.test.id': testId, 'output.value': `Paris, for ${testId}` };
  return jsonRequest(
    jsonSpan(trace, 'answer', {
      spanId: /^0+$/.test(spanId) ? newSpanId() : spanId,
      parentSpanId,
      attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
    }),
  );
}

const testIdIn = ({ messages }: JudgeRequest): string | undefined =>
  /Paris, for ([0-9a-f-]{36})/.exec(messages.join('\n'))?.[1];

interface Stored {
  /** Tests and evals that are not over, tests about which something is still to be decided, and jobs. */
  open: number;
  tests: unknown[];
  evals: unknown[];
  jobs: number;
  /** How many answers of the judge are stored, by test. */
  answers: Map<string, number>;
  counted: unknown;
}

function readStore(): Stored {
  const database = new Sqlite(storeFile(join(dataDir, 'data')), { readonly: true });
  const all = (sql: string): unknown[] => database.prepare(sql).all();
  const number = (sql: string): number => database.prepare(sql).pluck().get() as number;
  try {
    return {
      open: number(
        `SELECT (SELECT count(*) FROM test WHERE status NOT IN ('COMPLETED', 'FAILED') OR check_at IS NOT NULL)
           + (SELECT count(*) FROM test_touch)
           + (SELECT count(*) FROM eval WHERE status IN ('PENDING', 'IN_PROGRESS'))
           + (SELECT count(*) FROM job)`,
      ),
      tests: all('SELECT status, phase, count(*) AS n FROM test GROUP BY 1, 2'),
      evals: all(
        `SELECT status, definition_type AS type, passed, version, superseded, count(*) AS n FROM eval
         GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 3`,
      ),
      jobs: number('SELECT count(*) FROM job'),
      answers: new Map(
        (
          all(
            'SELECT test_id AS id, count(*) AS n FROM judge_call JOIN eval ON eval.id = subject_id GROUP BY 1',
          ) as { id: string; n: number }[]
        ).map(({ id, n }) => [id, n]),
      ),
      counted: all('SELECT sum(finished_evals) AS finished, sum(passed_evals) AS passed FROM test')[0],
    };
  } finally {
    database.close();
  }
}
