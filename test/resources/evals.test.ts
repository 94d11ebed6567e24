import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { evalOf, PENDING_EVAL, storeDefinition, verdict } from '../support/stored-evals.ts';
import {
  applicationKey,
  storeRun,
  type StoredRun,
  storeTask,
  type StoredTest,
  storeTest,
} from '../support/stored-tests.ts';

const at = (seconds: number): number => BASE_MS + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

const [TASK, SECOND_TASK, UNKNOWN] = [uuid(0x1001), uuid(0x1002), uuid(0xdead)];
const [KIND, TRUE_FACTS] = [uuid(0x2001), uuid(0x2002)];
const RUN: StoredRun = { id: uuid(0x3001), taskId: TASK, createdAt: at(0) };
const SECOND_RUN: StoredRun = { id: uuid(0x3002), taskId: SECOND_TASK, type: 'SCHEDULED', createdAt: at(0) };
const TEST: StoredTest = { id: uuid(0x4001), run: RUN, status: 'COMPLETED', phase: 'done', createdAt: at(0) };
const SECOND_TEST: StoredTest = { ...TEST, id: uuid(0x4002), run: SECOND_RUN };
/** The OpenTelemetry id of a trace without a test; as REST shows it. */
const TRACE = '0123456789abcdef0123456789abcdef';
const TRACE_UUID = '01234567-89ab-8def-8123-456789abcdef';
const NATIVE_TRACE = uuid(0x6001);
/** Traces that the tests have beside. */
const [SECOND_TRACE, OTHERS_TRACE] = [uuid(0x6002), uuid(0x6003)];

const PASSED: SavedEval = {
  ...evalOf(TEST, KIND, verdict(true, 0.75)),
  id: uuid(0x5001),
  traceId: Buffer.from(NATIVE_TRACE.replaceAll('-', ''), 'hex'),
  definitionVersion: 2,
  score: 4,
  results: { clarity: 4, more: 'text'.repeat(100) },
  reason: `${'é'.repeat(299)}🙂🙂`,
  judge: { model: 'judge-1', answers: ['raw'] },
  inputHash: 'abc',
  cost: 0.002,
  latencyMs: 350,
};
const BEFORE: SavedEval = { ...PASSED, id: uuid(0x5000), ...verdict(false), definitionVersion: 1 };
const FAILED: SavedEval = {
  ...evalOf(TEST, TRUE_FACTS, verdict(false)),
  id: uuid(0x5002),
  definitionType: 'FACT',
};
const SKIPPED: SavedEval = {
  ...evalOf(SECOND_TEST, TRUE_FACTS, { status: 'SKIPPED', reason: 'Nothing is expected.' }),
  id: uuid(0x5003),
  definitionType: 'FACT',
};
const OF_TRACE: SavedEval = {
  ...PENDING_EVAL,
  id: uuid(0x5004),
  definitionId: KIND,
  traceId: Buffer.from(TRACE, 'hex'),
  status: 'IN_PROGRESS',
};
const THEIRS: SavedEval = { ...FAILED, id: uuid(0x5005) };
const NAMES = new Map(
  [BEFORE, PASSED, FAILED, SKIPPED, OF_TRACE].map(({ id }, i) => [id, 'BPFST'.charAt(i)]),
);

let server: TestServer;
let other: Tenant;
const inStore = (
  work: (database: Parameters<typeof saveEvals>[0], application: number) => void,
  tenant: Tenant = server,
): void =>
  besideServer(server.folder, (database) => work(database, applicationKey(database, tenant.applicationId)));

beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
  const event = { type: 'trace', timestamp: iso(0), input: 'Hello' };
  const events = [
    { ...event, traceId: NATIVE_TRACE, testId: TEST.id },
    { ...event, traceId: SECOND_TRACE, testId: TEST.id },
    { ...event, traceId: OTHERS_TRACE, testId: SECOND_TEST.id },
  ];
  await server.call('POST', '/v0/ingest', { body: { events } });
  inStore((database, application) => {
    storeDefinition(database, application, { id: KIND, name: 'Kind', type: 'CUSTOM' });
    storeDefinition(database, application, { id: TRUE_FACTS, name: 'True', type: 'FACT' });
    storeTask(database, application, TASK);
    for (const run of [RUN, SECOND_RUN]) storeRun(database, application, run);
    for (const test of [TEST, SECOND_TEST]) storeTest(database, application, test);
    for (const [i, saved] of [BEFORE, PASSED, FAILED, SKIPPED, OF_TRACE].entries())
      saveEvals(database, { application, evals: [saved], at: at(i) });
    saveEvals(database, { application, evals: [OF_TRACE], at: at(100) });
    database.run('UPDATE eval SET modified_at = ? WHERE id = ?', at(200), PASSED.id);
  });
  inStore((database, application) => {
    saveEvals(database, { application, evals: [THEIRS], at: at(0) });
    storeDefinition(database, application, { id: uuid(0x2003) });
    database.run('UPDATE eval SET definition_id = ? WHERE id = ?', uuid(0x2003), THEIRS.id);
  }, other);
});
afterAll(() => server.close());

interface EvalJson {
  id: string;
  definition: { id: string };
  reason: string;
}
interface Listed {
  data: EvalJson[];
  pagination: { total: number };
}

async function get<T>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<T> {
  return server.ok('GET', path, { headers });
}
const list = (query: string, headers = {}): Promise<Listed> => get(`/v0/evals?${query}`, headers);

describe('GET /v0/evals', () => {
  it.each<[query: string, found: string]>([
    ['', 'TSFP'],
    ['orderDir=asc', 'PFST'],
    ['orderBy=modifiedAt', 'PTSF'],
    ['orderBy=modifiedAt&orderDir=asc', 'FSTP'],
    ['orderBy=status&orderDir=asc', 'PFTS'],
    ['orderBy=status', 'STFP'],
    ['orderBy=id', 'TSFP'],
    [`taskId=${TASK}`, 'FP'],
    [`taskId=${TASK},${SECOND_TASK}`, 'SFP'],
    [`testId=${TEST.id.toUpperCase()}`, 'FP'],
    [`testId=${TEST.id}&testId[]=${SECOND_TEST.id}`, 'SFP'],
    [`runId=${SECOND_RUN.id}`, 'S'],
    [`traceId=${TRACE}`, 'T'],
    [`traceId=${TRACE_UUID}`, 'T'],
    [`traceId=${NATIVE_TRACE},${TRACE}`, 'TFP'],
    [`traceId=${SECOND_TRACE}`, 'FP'],
    [`traceId=${SECOND_TRACE.replaceAll('-', '').toUpperCase()}`, 'FP'],
    [`traceId=${SECOND_TRACE}&superseded=true`, 'B'],
    [`traceId=${SECOND_TRACE}&passed=true&evalDefinitionId=${KIND}`, 'P'],
    [`traceId=${SECOND_TRACE}&testId=${SECOND_TEST.id}`, ''],
    [`traceId=${SECOND_TRACE},${OTHERS_TRACE}`, 'SFP'],
    [`traceId=${OTHERS_TRACE}&status=SKIPPED`, 'S'],
    [`evalDefinitionId=${KIND}`, 'TP'],
    [`evalDefinitionId=${KIND},${TRUE_FACTS}`, 'TSFP'],
    ['type=FACT', 'SF'],
    ['type=FACT,CUSTOM', 'TSFP'],
    ['type=OTHER', ''],
    ['status=COMPLETED', 'FP'],
    ['status=SKIPPED,IN_PROGRESS', 'TS'],
    ['status=PENDING', ''],
    ['passed=true', 'P'],
    ['passed=false', 'F'],
    ['superseded=true', 'B'],
    ['superseded=false', 'TSFP'],
    [`superseded=true&testId=${TEST.id}&passed=false`, 'B'],
    [`taskId=${TASK}&evalDefinitionId=${KIND}&status=COMPLETED&type=CUSTOM&orderBy=modifiedAt`, 'P'],
    [`taskId=${SECOND_TASK}&testId=${TEST.id}`, ''],
    ...['taskId', 'testId', 'runId', 'traceId', 'evalDefinitionId'].map((name): [string, string] => [
      `${name}=${UNKNOWN}`,
      '',
    ]),
    ['limit=2', 'TS'],
    ['skip=1&limit=2', 'SF'],
    ['skip=4', ''],
  ])('?%s', async (query, found) => {
    const { data } = await list(query);
    expect(data.map(({ id }) => NAMES.get(id)).join('')).toBe(found);
  });

  it('counts all that match, whatever is on the page', async () => {
    const { pagination } = await list('skip=1&limit=3');
    expect(pagination).toEqual({ skip: 1, limit: 3, total: 4, totalPages: 2 });
    expect((await list(`taskId=${TASK}&limit=1`)).pagination.total).toBe(2);
  });

  it('shows what the eval alone shows, without long texts', async () => {
    const { data } = await list('passed=true');
    const {
      results: _,
      judge: _1,
      ...rest
    } = await get<{ data: EvalJson & Record<string, unknown> }>(`/v0/evals/${PASSED.id}`).then(
      ({ data: whole }) => whole,
    );
    const reason = `${'é'.repeat(299)}🙂`;
    expect(data).toEqual([{ ...rest, reason, message: reason }]);
  });

  it('shows each application its own', async () => {
    const { data, pagination } = await list('', other.headers);
    expect(data.map(({ id }) => id)).toEqual([THEIRS.id]);
    expect(pagination.total).toBe(1);
  });
});

describe('GET /v0/evals/{id}', () => {
  it('shows all of an eval', async () => {
    const { data } = await get<{ data: EvalJson }>(`/v0/evals/${PASSED.id.toUpperCase()}`);
    const { data: definition } = await get<{ data: unknown }>(`/v0/definitions/${KIND}`);
    expect(data).toEqual({
      id: PASSED.id,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: iso(1),
      modifiedAt: iso(200),
      definition,
      definitionVersion: 2,
      testId: TEST.id,
      exampleId: null,
      traceId: NATIVE_TRACE,
      taskId: TASK,
      runId: RUN.id,
      status: 'COMPLETED',
      score: 4,
      normalisedScore: 0.75,
      passed: true,
      version: 2,
      superseded: false,
      inputHash: 'abc',
      reason: PASSED.reason,
      message: PASSED.reason,
      results: { ...PASSED.results, analysis: PASSED.reason, score: 4 },
      judge: PASSED.judge,
      cost: 0.002,
      latencyMs: 350,
    });
  });

  it('shows one of a trace without a test, of which nothing is known yet', async () => {
    const { data } = await get<{ data: EvalJson }>(`/v0/evals/${OF_TRACE.id}`);
    expect(data).toMatchObject({
      testId: null,
      traceId: TRACE_UUID,
      taskId: null,
      runId: null,
      status: 'IN_PROGRESS',
      score: null,
      normalisedScore: null,
      passed: null,
      results: null,
      judge: null,
      reason: null,
      cost: null,
      latencyMs: null,
    });
  });

  it('shows what was superseded', async () => {
    const { data } = await get<{ data: EvalJson }>(`/v0/evals/${BEFORE.id}`);
    expect(data).toMatchObject({ superseded: true, version: 1, passed: false });
  });

  testHttp(
    () => server,
    [
      {
        name: 'knows no other',
        request: `GET /v0/evals/${UNKNOWN}`,
        status: 404,
        mustContain: ['eval not found'],
      },
      { name: "shows no other application's", request: `GET /v0/evals/${THEIRS.id}`, status: 404 },
      { name: 'needs a key', request: 'GET /v0/evals', headers: { 'x-api-key': null }, status: 401 },
    ],
  );
});

describe('results', () => {
  const RESULT = { passed: 1, failed: 1, total: 2, passRate: 50, averageScore: 0.375 };
  const NOTHING = { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null };

  it('stand with a test, and its current evals too', async () => {
    const { test } = await get<{ test: { evals: EvalJson[] } }>(`/v0/tests/${TEST.id}`);
    expect(test).toMatchObject({ result: RESULT });
    const shown = await Promise.all(
      [PASSED, FAILED].map(async ({ id }) => (await get<{ data: EvalJson }>(`/v0/evals/${id}`)).data),
    );
    expect(test.evals).toEqual(shown);
  });

  it('stand with tests and runs in lists', async () => {
    for (const [path, nothing] of [
      ['/v0/tests', null],
      ['/v0/runs', NOTHING],
    ] as const) {
      const { data } = await get<Listed>(`${path}?taskId=${TASK},${SECOND_TASK}&orderBy=id&orderDir=asc`);
      expect(data).toMatchObject([{ result: RESULT }, { result: nothing }]);
    }
  });

  it('stand with a run, also of each definition', async () => {
    const { run } = await get<{ run: { evals: unknown } }>(`/v0/runs/${RUN.id}`);
    expect(run).toMatchObject({ result: RESULT });
    expect(run.evals).toEqual([
      {
        id: KIND,
        name: 'Kind',
        type: 'CUSTOM',
        passed: 1,
        failed: 0,
        total: 1,
        passRate: 100,
        averageScore: 0.75,
        isAdvisory: true,
        correctedPassRate: null,
      },
      {
        id: TRUE_FACTS,
        name: 'True',
        type: 'FACT',
        passed: 0,
        failed: 1,
        total: 1,
        passRate: 0,
        averageScore: 0,
        isAdvisory: true,
        correctedPassRate: null,
      },
    ]);
    expect(await get(`/v0/runs/${SECOND_RUN.id}`)).toMatchObject({ run: { evals: [], result: NOTHING } });
  });

  it.each([
    [KIND, [TEST.id]],
    [TRUE_FACTS, [TEST.id, SECOND_TEST.id]],
    [`${KIND},${TRUE_FACTS}`, [TEST.id, SECOND_TEST.id]],
    [UNKNOWN, []],
  ])('tell tests by definition %s', async (ids, found) => {
    const { data } = await get<Listed>(`/v0/tests?evalDefinitionId=${ids}&orderBy=id&orderDir=asc`);
    expect(data.map(({ id }) => id)).toEqual(found);
  });
});

describe('the metrics of a task', () => {
  const now = Date.now();
  const task = randomUUID();
  const run: StoredRun = { id: randomUUID(), taskId: task, createdAt: now };
  const test: StoredTest = { ...TEST, id: randomUUID(), run, createdAt: now };
  const METRICS = {
    lastTest: new Date(now).toISOString(),
    latestTest: { id: test.id, taskId: task, status: 'COMPLETED', result: { passed: 1, total: 2 } },
    passRate: 50,
    passRateInterval: { low: 3.6692566176, high: 96.3307433824, examples: 1, tests: 1 },
    errorRate: 0,
    monitoringPassRate: null,
    health: { score: 50, level: 'LOW' },
    confidence: { width: 0.926614867648, level: 'LOW' },
    stability: null,
  };
  const idsOf = async (query: string): Promise<string[]> =>
    (await get<{ taskIds: string[] }>(`/v0/tasks/ids?${query}`)).taskIds;

  it('are right at once with the task, and soon in lists and filters', async () => {
    inStore((database, application) => storeTask(database, application, task));
    expect(await idsOf('status=no-tests')).toContain(task);
    inStore((database, application) => {
      storeRun(database, application, run);
      storeTest(database, application, test);
      const evals = [evalOf(test, KIND, verdict(true)), evalOf(test, TRUE_FACTS, verdict(false))];
      saveEvals(database, { application, evals, at: now });
    });
    // Only a single record has the definitions that use a judge.
    const { judges, ...shown } = (await get<{ task: { judges: object[] } }>(`/v0/tasks/${task}`)).task;
    expect(judges).toMatchObject([
      { id: KIND, isAdvisory: true, passed: 1, total: 1 },
      { id: TRUE_FACTS, isAdvisory: true, passed: 0, total: 1 },
    ]);
    expect(shown).toMatchObject(METRICS);
    await expect.poll(() => idsOf('status=error')).toEqual([task]);
    expect(await idsOf('healthScore=LOW&confidence=MEDIUM,LOW')).toEqual([task]);
    for (const query of [
      'status=no-tests,success,warning',
      'stability=HIGH,MEDIUM,LOW',
      'status=error&healthScore=HIGH',
    ])
      expect(await idsOf(query)).not.toContain(task);
    expect((await get<Listed>('/v0/tasks?status=error')).data).toEqual([shown]);
  });
});
