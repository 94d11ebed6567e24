import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeFile } from '../../src/cli/data-folder.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { judgedServerIn } from '../support/judged-server.ts';
import { startNeighbour } from '../support/neighbour.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { jsonRequest, jsonSpan } from './otlp-sender.ts';
import { until } from '../support/until.ts';

/** As many as the queue of the judge takes of one application. */
const TESTS = 6;
/** As many as runs that an eval gets. */
const KILLS = 8;
/** Live sessions that become idle meanwhile. */
const SESSIONS = 4;
/** Longer than any process of this test lives. */
const STALL_MS = 600_000;

let dataDir: string;
let app: CustomerApp;
let judge: StandInJudge;
let isStalling: boolean;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  app = await startCustomerApp();
  isStalling = true;
  judge = await startStandInJudge(() => {
    const say = { goal: 'A capital', rationale: 'It is.', reached: 'yes', verdict: 'yes' };
    return { say, afterMs: isStalling ? STALL_MS : 0 };
  });
});
afterEach(async () => {
  await app.close();
  await judge[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

const count = (sql: string): number => {
  const database = new Sqlite(storeFile(join(dataDir, 'data')), { readonly: true });
  try {
    return database.prepare(sql).pluck().get() as number;
  } finally {
    database.close();
  }
};

it(`loses no eval that waits for its judge, and no idle session, through ${KILLS} kills, and judges none twice`, async () => {
  const start = judgedServerIn(dataDir, judge, 3);
  let server = await start();
  await using neighbour = startNeighbour(storeFile(join(dataDir, 'data')), 'SELECT count(*) FROM test', 20);
  const call = async (path: string, body: unknown): Promise<unknown> => {
    const reply = await server.call('POST', path, body);
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.json;
  };
  app.behave(({ headers }, response) => {
    const [, trace = '', parentSpanId] = String(headers['traceparent']).split('-');
    const attributes = [{ key: 'output.value', value: { stringValue: 'Paris' } }];
    const span = jsonSpan(trace, 'answer', { parentSpanId, attributes });
    void call('/v1/traces', jsonRequest(span)).then(() => response.writeHead(200).end());
  });
  await call('/v0/webhook', { url: app.url });
  const { data } = (await call('/v0/definitions', {
    name: 'Kind',
    type: 'CUSTOM',
    globalConfig: { criterion: 'Is it kind?' },
  })) as { data: { id: string } };
  const { task } = (await call('/v0/tasks', {
    title: 'Capital',
    inputExamples: ['Capital of France?'],
    type: 'STATIC',
    evalDefinitions: [{ evalDefinitionId: data.id }],
  })) as { task: { id: string } };
  await call('/v0/tasks/trigger', { taskIds: [task.id], repeat: TESTS });
  const waiting = `SELECT count(*) FROM job WHERE kind LIKE 'judge%'`;
  await expect.poll(() => count(waiting), { interval: 100 }).toBe(TESTS);
  // From now on, so that it judges no test.
  const talk = (await call('/v0/definitions', {
    name: 'Goal reached',
    type: 'CONVERSATION',
    globalConfig: { monitoring: { sampleRate: 1, idleTimeoutMs: 1_000 } },
  })) as { data: { id: string } };
  await call('/v0/definitions/link-application', { evalIds: [talk.data.id] });
  const isSampling = (): number => count('SELECT count(*) FROM session_monitoring');
  await expect.poll(isSampling, { interval: 100 }).toBe(1);

  for (let kill = 1; kill <= KILLS; kill++) {
    const timestamp = new Date().toISOString();
    const event = { type: 'trace', timestamp, referenceId: `talk ${kill}`, input: 'Paris?', output: 'Yes' };
    if (kill <= SESSIONS) await call('/v0/ingest', { events: [event] });
    // All that may run were claimed, and the judge is asked.
    const running = `${waiting} AND state = 'running'`;
    await until(() => count(running) >= 6 && judge.requests.length >= 3 * kill, Boolean, 50);
    expect(await server.stop('SIGKILL')).toBe('SIGKILL');
    if (kill === KILLS) isStalling = false;
    server = await start();
  }

  const ofSessions = `FROM eval WHERE definition_type = 'CONVERSATION'`;
  const judged = `SELECT count(*) ${ofSessions} AND status = 'COMPLETED'`;
  await expect.poll(() => count(judged), { interval: 100 }).toBe(SESSIONS);
  const open = `SELECT count(*) FROM eval WHERE status IN ('PENDING', 'IN_PROGRESS')`;
  await expect.poll(() => count(open), { interval: 100 }).toBe(0);
  expect(count(`SELECT count(*) FROM eval WHERE status = 'COMPLETED'`)).toBe(TESTS + SESSIONS);
  expect(count(`SELECT count(*) ${ofSessions}`)).toBe(SESSIONS);
  expect(count('SELECT count(*) FROM monitored_session')).toBe(0);
  await expect.poll(() => neighbour.last).toEqual({ 'count(*)': TESTS });
  expect(await server.stop('SIGTERM')).toBe(0);
}, 300_000);
