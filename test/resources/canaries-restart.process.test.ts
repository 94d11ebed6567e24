import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Eval } from '../../src/api/generated/schema.ts';
import { leaveStore } from '../support/beside-store.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { storingVerdicts } from './reliability-support.ts';
import { type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';

let dataDir: string;
let app: CustomerApp;
let model: StandInJudge;
const servers: ChildServer[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
});
afterEach(async () => {
  for (const server of servers) await server.stop('SIGKILL');
  await app.close();
  await model[Symbol.asyncDispose]();
  leaveStore(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

const EXAMPLES = 8;
/** Verdicts that prove a judge. */
const DRAWN = 30;

/** Number of canaries that can be compared from now on. */
function frozen(): number {
  const store = new Sqlite(join(dataDir, 'touchstone.db'), { readonly: true });
  try {
    return store.prepare('SELECT 1 FROM canary WHERE passed IS NOT NULL').all().length;
  } finally {
    store.close();
  }
}

it('canaries of a run set are judged to the end after a kill, those that have a verdict not again', async () => {
  const presets = newPresets();
  const start = async (): Promise<ChildServer> => {
    const env = {
      TOUCHSTONE_QUIET_MS: '50',
      TOUCHSTONE_ORPHAN_QUIET_MS: '100',
      TOUCHSTONE_JUDGE_MODEL: 'judge',
      TOUCHSTONE_JUDGE_BASE_URL: model.openAi,
    };
    const server = await ChildServer.start({ dataDir, presets, env });
    servers.push(server);
    return server;
  };
  /** Number of requests that the judge responds to before it responds to none. */
  let responses = Number.POSITIVE_INFINITY;
  model = await startStandInJudge(({ messages }) => {
    if (responses-- <= 0) return 'stall';
    return { say: { rationale: 'It is so.', verdict: messages.join().includes('Gladly.') ? 'yes' : 'no' } };
  });
  let server = await start();
  app = await startCustomerApp();
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const output = Number(/\d+/.exec(prompt)?.[0]) % 2 === 0 ? 'Gladly.' : 'No.';
    const timestamp = new Date().toISOString();
    const event = { type: 'trace' as const, timestamp, testId, input: prompt, output };
    await server.call('POST', '/v0/ingest', { events: [event] });
    response.writeHead(200).end();
  });
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
  const { data: definition } = (await server.ok('POST', '/v0/definitions', {
    body: {
      name: 'Kind',
      type: 'CUSTOM',
      globalConfig: { criterion: 'Is it kind?' },
      gate: { minKappa: 0.6, canaries: 20 },
    },
  })) as { data: { id: string } };
  const { task } = await server.ok('POST', '/v0/tasks', {
    body: {
      title: 'Killed',
      type: 'STATIC',
      inputExamples: Array.from({ length: EXAMPLES }, (_, index) => `Please ${index}?`),
      evalDefinitions: [{ evalDefinitionId: definition.id }],
    },
  });
  const startSet = async (): Promise<string> =>
    (await server.ok('POST', '/v0/run-sets', { body: { taskIds: [task.id], examples: {} } })).data.id;
  const read = async (id: string) => (await server.ok('GET', `/v0/run-sets/${id}`)).data;
  const isCompleted = (id: string) => expect.poll(async () => (await read(id)).status).toBe('COMPLETED');
  const unproved = await startSet();
  await isCompleted(unproved);
  expect([model.requests.length, frozen()]).toEqual([EXAMPLES, 0]);

  // People agree with all verdicts of the judge on traces that were drawn at random.
  const timestamp = new Date().toISOString();
  const events = Array.from({ length: DRAWN }, (_, index) => ({
    type: 'trace' as const,
    timestamp,
    input: `Drawn ${index}?`,
    output: 'Gladly.',
  }));
  await server.ok('POST', '/v0/ingest', { body: { events } });
  const drawn = async (): Promise<string[]> =>
    (await server.ok('GET', '/v0/traces?limit=100')).data.flatMap(({ id, testId }) =>
      testId === null ? [id] : [],
    );
  await expect.poll(async () => (await drawn()).length).toBe(DRAWN);
  const traceIds = await drawn();
  const [firstRun] = (await read(unproved)).runIds;
  const { data: given } = await server.ok('GET', `/v0/evals?runId=${firstRun}&limit=1`);
  const { data: judged } = await server.ok('GET', `/v0/evals/${given[0]?.id}` as '/v0/evals/{id}');
  const { judgeVersion } = (judged as Eval & { judge: { judgeVersion: string } }).judge;
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  const people = storingVerdicts({ folder: dataDir, applicationId: presets.applicationId });
  people.judge({ definitionId: definition.id, traceIds, passed }, { judgeVersion });
  people.say(
    ...traceIds.map((traceId, index) => ({
      traceId,
      verdict: passed[index] as boolean,
      evalDefinitionId: definition.id,
    })),
  );
  people.draw(traceIds);

  const first = await startSet();
  await isCompleted(first);
  await expect.poll(frozen).toBe(EXAMPLES);
  expect(model.requests).toHaveLength(3 * EXAMPLES);

  // Half of the verdicts on tests and canaries of the second run set are stored when the process dies.
  responses = EXAMPLES;
  const second = await startSet();
  const isOpen = async () => {
    const { tests, canaries, runIds } = await read(second);
    const { data } = await server.ok('GET', `/v0/tests?runId=${runIds.join(',')}`);
    const isDelivered = data.every(({ phase }) => phase === 'evaluating' || phase === 'done');
    return { open: tests.open + canaries.open, isDelivered };
  };
  await expect.poll(isOpen).toEqual({ open: EXAMPLES, isDelivered: true });
  await server.stop('SIGKILL');
  const killedAt = model.requests.length;
  responses = Number.POSITIVE_INFINITY;
  server = await start();
  await expect
    .poll(async () => {
      const { status, canaries } = await read(second);
      return { status, canaries };
    })
    .toEqual({ status: 'COMPLETED', canaries: { total: EXAMPLES, open: 0 } });
  const { data } = await server.ok('GET', `/v0/run-sets/${second}/decision?failUnder=40&withAdvisory=true`);
  expect(data).toMatchObject({
    outcome: 'PASS',
    canaries: [{ canaries: EXAMPLES, compared: EXAMPLES, toPassed: 0, toFailed: 0, isShifted: false }],
  });
  expect(model.requests.length - killedAt).toBe(EXAMPLES);
}, 240_000);
