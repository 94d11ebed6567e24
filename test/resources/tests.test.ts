import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedTest, Pagination, Test } from '../../src/api/generated/schema.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, otlpRequest, uuid } from '../support/spans.ts';
import {
  exampleIdOf,
  applicationKey,
  storeRun,
  type StoredRun,
  type StoredTest,
  storeTest,
} from '../support/stored-tests.ts';

const at = (seconds: number): number => BASE_MS + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

const [TASK, SECOND_TASK, THIRD_TASK, THEIR_TASK] = [uuid(0x1001), uuid(0x1002), uuid(0x1003), uuid(0x1004)];
const [VARIANT, EXPERIMENT, UNKNOWN] = [uuid(0x2001), uuid(0x2002), uuid(0xdead)];
/** What is shown of a task that is not stored. */
const NO_TITLE = { id: TASK, title: '', topicId: null };
const RUN: StoredRun = { id: uuid(0x3001), taskId: TASK, createdAt: at(0) };
const EXPERIMENT_RUN: StoredRun = {
  id: uuid(0x3002),
  taskId: SECOND_TASK,
  type: 'EXPERIMENT',
  experimentVariantId: VARIANT,
  createdAt: at(2),
};
const THEIR_RUN: StoredRun = { id: uuid(0x3003), taskId: THEIR_TASK, createdAt: at(0) };
/** Of tests that only some of the tests below look at. */
const LATER_RUN: StoredRun = { id: uuid(0x3004), taskId: THIRD_TASK, createdAt: at(1_000) };
const FAILURE = { code: 'webhook_status', message: 'It was answered 500.', hint: 'Look there.' } as const;

const COMPLETED: StoredTest = {
  id: uuid(0x4001),
  run: RUN,
  status: 'COMPLETED',
  phase: 'done',
  prompt: `${'é'.repeat(299)}🙂🙂`,
  exampleIndex: 1,
  metadata: { plan: 'pro', nested: [1, null] },
  createdAt: at(0),
  modifiedAt: at(100),
  timeline: [
    { at: at(0), phase: 'queued', detail: 'The test was started.' },
    { at: at(100), phase: 'done', detail: 'The trace is complete.' },
  ],
};
const FAILED: StoredTest = {
  id: uuid(0x4002),
  run: RUN,
  status: 'FAILED',
  phase: 'done',
  failure: FAILURE,
  createdAt: at(1),
  modifiedAt: at(90),
};
const DELIVERED: StoredTest = {
  id: uuid(0x4003),
  run: EXPERIMENT_RUN,
  status: 'IN_PROGRESS',
  phase: 'delivered',
  experimentId: EXPERIMENT,
  createdAt: at(2),
  modifiedAt: at(80),
};
const PENDING: StoredTest = { id: uuid(0x4004), run: EXPERIMENT_RUN, createdAt: at(3) };
const THEIRS: StoredTest = { id: uuid(0x4005), run: THEIR_RUN, createdAt: at(0) };
const NAMES = new Map(
  [COMPLETED, FAILED, DELIVERED, PENDING].map(({ id }, index) => [id, 'CFDP'.charAt(index)]),
);

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
  besideServer(server.folder, (database) => {
    const [ours, theirs] = [
      applicationKey(database, server.applicationId),
      applicationKey(database, other.applicationId),
    ];
    for (const run of [RUN, EXPERIMENT_RUN, LATER_RUN]) storeRun(database, ours, run);
    storeRun(database, theirs, THEIR_RUN);
    for (const test of [COMPLETED, FAILED, DELIVERED, PENDING]) storeTest(database, ours, test);
    storeTest(database, theirs, THEIRS);
  });
});
afterAll(() => server.close());

async function list(
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ data: ListedTest[]; pagination: Pagination }> {
  return server.ok('GET', `/v0/tests?${query}`, { headers });
}

async function get(id: string): Promise<Test> {
  return (await server.ok('GET', `/v0/tests/${id}`)).test;
}

/** A test that is there for one of the tests below alone. */
let later = 0;
function newTest(): string {
  const id = uuid(0x5000 + later++);
  const timeline = [{ at: at(1_000), phase: 'queued' as const, detail: 'The test was started.' }];
  besideServer(server.folder, (database) =>
    storeTest(database, applicationKey(database, server.applicationId), {
      id,
      run: LATER_RUN,
      createdAt: at(1_000),
      timeline,
    }),
  );
  return id;
}

describe('GET /v0/tests', () => {
  const OURS = `taskId=${TASK},${SECOND_TASK}&endDate=${iso(10)}`;

  it.each<[query: string, found: string]>([
    ['', 'PDFC'],
    ['orderDir=asc', 'CFDP'],
    ['orderBy=createdAt', 'PDFC'],
    ['orderBy=modifiedAt', 'CFDP'],
    ['orderBy=modifiedAt&orderDir=asc', 'PDFC'],
    ['orderBy=id&orderDir=asc', 'CFDP'],
    [`runId=${RUN.id}`, 'FC'],
    [`runId=${RUN.id}&runId[]=${EXPERIMENT_RUN.id.toUpperCase()}`, 'PDFC'],
    [`runId=${UNKNOWN}`, ''],
    [`runId=${THEIR_RUN.id}`, ''],
    ['status=PENDING', 'P'],
    ['status=COMPLETED,FAILED', 'FC'],
    ['phase=done', 'FC'],
    ['phase=queued&phase=delivered', 'PD'],
    ['phase=evaluating', ''],
    ['runType=EXPERIMENT', 'PD'],
    ['runType=MANUAL,MONITORING', 'FC'],
    [`experimentVariantId=${VARIANT}`, 'PD'],
    [`experimentVariantId=${UNKNOWN}`, ''],
    [`evalDefinitionId=${UNKNOWN}`, ''],
    ['outcome=RUNNING', 'PD'],
    ['outcome=APP_ERROR,NO_VERDICT', 'FC'],
    ['outcome=NO_VERDICT', 'C'],
    ['outcome=PASSED', ''],
    ['outcomeBasis=BLOCKING,ALL', ''],
    ['causeKey=failure:webhook_status', 'F'],
    ['causeKey=none', 'C'],
    [`startDate=${iso(1)}`, 'PDF'],
    [`startDate=${iso(1)}&status=FAILED,PENDING&runType=EXPERIMENT`, 'P'],
    ['startDate=9999-12-31T23:59:59.999999Z', ''],
    ['limit=2', 'PD'],
    ['skip=1&limit=2', 'DF'],
    ['skip=3', 'C'],
    ['skip=4', ''],
  ])('?%s', async (query, found) => {
    const { data } = await list(`${OURS}&${query}`);
    expect(data.map(({ id }) => NAMES.get(id)).join('')).toBe(found);
  });

  it.each<[query: string, found: string]>([
    [`taskId=${TASK}&endDate=${iso(1)}`, 'FC'],
    [`taskId=${TASK}&endDate=${iso(0)}`, 'C'],
    [`taskId=${SECOND_TASK}&startDate=${iso(2)}&endDate=${iso(2)}`, 'D'],
    [`taskId=${UNKNOWN}`, ''],
    [`taskId=${THEIR_TASK}`, ''],
  ])('?%s', async (query, found) => {
    const { data } = await list(query);
    expect(data.map(({ id }) => NAMES.get(id)).join('')).toBe(found);
  });

  it('counts all that match, whatever is on the page', async () => {
    expect((await list(`${OURS}&skip=1&limit=2`)).pagination).toEqual({
      skip: 1,
      limit: 2,
      total: 4,
      totalPages: 2,
    });
    expect((await list(`${OURS}&status=PENDING`)).pagination).toEqual({
      skip: 0,
      limit: 25,
      total: 1,
      totalPages: 1,
    });
  });

  it('shows narrow entries with their prompts truncated', async () => {
    const { data } = await list(`${OURS}&status=FAILED,COMPLETED`);
    expect(data[0]).toEqual({
      id: FAILED.id,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: iso(1),
      modifiedAt: iso(90),
      taskId: TASK,
      runId: RUN.id,
      runType: 'MANUAL',
      status: 'FAILED',
      phase: 'done',
      failure: FAILURE,
      prompt: 'Hello?',
      inputDigest: expect.stringMatching(/^[\da-f]{32}$/) as string,
      exampleIndex: null,
      exampleId: null,
      exampleVersion: null,
      experimentId: null,
      experimentVariantId: null,
      result: { passed: 0, failed: 1, total: 1, passRate: 0, averageScore: 0 },
      outcome: 'APP_ERROR',
      outcomeBasis: null,
      causeKey: 'failure:webhook_status',
      traceId: null,
      task: NO_TITLE,
      evals: [],
    });
    expect(data[1]?.prompt).toBe(`${'é'.repeat(299)}🙂`);
  });

  it('shows each application its own', async () => {
    const { data, pagination } = await list('', other.headers);
    expect(data.map(({ id }) => id)).toEqual([THEIRS.id]);
    expect(pagination.total).toBe(1);
  });
});

describe('GET /v0/tests/{id}', () => {
  it('shows all of a test', async () => {
    const test = await get(COMPLETED.id.toUpperCase());
    expect(test).toEqual({
      id: COMPLETED.id,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: iso(0),
      modifiedAt: iso(100),
      taskId: TASK,
      runId: RUN.id,
      runType: 'MANUAL',
      status: 'COMPLETED',
      phase: 'done',
      failure: null,
      advice: null,
      prompt: `${'é'.repeat(299)}🙂🙂`,
      inputDigest: expect.stringMatching(/^[\da-f]{32}$/) as string,
      exampleIndex: 1,
      exampleId: exampleIdOf(1),
      exampleVersion: null,
      experimentId: null,
      experimentVariantId: null,
      outcome: 'NO_VERDICT',
      outcomeBasis: null,
      causeKey: 'none',
      result: null,
      traceId: null,
      task: NO_TITLE,
      metadata: { plan: 'pro', nested: [1, null] },
      timeline: [
        { at: iso(0), phase: 'queued', detail: 'The test was started.' },
        { at: iso(100), phase: 'done', detail: 'The trace is complete.' },
      ],
      traceIds: [],
      input: null,
      output: null,
      inputSpanId: null,
      outputSpanId: null,
      evals: [],
    });
  });

  it('shows what it is an experiment of', async () => {
    expect(await get(DELIVERED.id)).toMatchObject({ experimentId: EXPERIMENT, experimentVariantId: VARIANT });
  });

  it('shows what native events report about it, and names their trace as the trace API does', async () => {
    const testId = newTest();
    const traceId = uuid(0x6001);
    const event = {
      type: 'trace',
      timestamp: iso(5),
      testId,
      traceId,
      input: { question: 'Why?' },
      output: 'Because.',
    };
    await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    expect(await get(testId)).toMatchObject({
      traceIds: [traceId],
      input: { question: 'Why?' },
      output: 'Because.',
      inputSpanId: null,
      outputSpanId: null,
    });
  });

  it('shows what spans report about it, and names their trace as the trace API does', async () => {
    const testId = newTest();
    const attributes = { 'service.test.id': testId, 'input.value': 'Why?', 'output.value': 'Because.' };
    const body = otlpRequest([{ trace: 0x6002, id: 7, attributes }]);
    await server.call('POST', '/v1/traces', { body, headers: { 'content-type': 'application/x-protobuf' } });
    const test = await get(testId);
    expect(test).toMatchObject({ input: 'Why?', output: 'Because.', inputSpanId: '0000000000000007' });
    const { json } = await server.call('GET', `/v0/traces/by-test/${testId}`);
    expect(test.traceIds).toEqual([(json as { data: { id: string } }).data.id]);
  });

  testHttp(
    () => server,
    [
      { name: 'knows no other test', request: `GET /v0/tests/${UNKNOWN}`, status: 404 },
      { name: "shows no other application's", request: `GET /v0/tests/${THEIRS.id}`, status: 404 },
    ],
  );
});

describe('POST /v0/tests/{id}/cancel', () => {
  it('ends a test that is not over, once', async () => {
    const id = newTest();
    const { test } = await server.ok('POST', `/v0/tests/${id}/cancel`);
    expect(test).toMatchObject({ id, status: 'FAILED', phase: 'done', failure: { code: 'cancelled' } });
    expect(test.timeline.map(({ phase }) => phase)).toEqual(['queued', 'done']);
    expect((await server.call('POST', `/v0/tests/${id}/cancel`)).status).toBe(409);
    expect(await get(id)).toEqual(test);
  });

  testHttp(
    () => server,
    [
      {
        name: 'leaves a completed test',
        request: `POST /v0/tests/${COMPLETED.id}/cancel`,
        status: 409,
        mustContain: ['COMPLETED'],
      },
      {
        name: 'leaves a failed test',
        request: `POST /v0/tests/${FAILED.id}/cancel`,
        status: 409,
        mustContain: ['FAILED'],
      },
      { name: 'knows no other test', request: `POST /v0/tests/${UNKNOWN}/cancel`, status: 404 },
      { name: "ends no other application's", request: `POST /v0/tests/${THEIRS.id}/cancel`, status: 404 },
    ],
  );
});

describe('the calls for tests', () => {
  const READING = ['/v0/tests', `/v0/tests/${COMPLETED.id}`, `/v0/tests/${COMPLETED.id}/stream`];
  const WRITING = ['/v0/tasks/trigger', `/v0/tests/${COMPLETED.id}/cancel`];

  it('need a key', async () => {
    for (const path of READING)
      expect((await server.call('GET', path, { headers: { 'x-api-key': null } })).status).toBe(401);
    for (const path of WRITING)
      expect((await server.call('POST', path, { headers: { 'x-api-key': null } })).status).toBe(401);
  });
});
