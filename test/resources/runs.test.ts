import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStatus } from '../../src/tests/states.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { applicationKey, storeRun, type StoredRun, storeTest } from '../support/stored-tests.ts';

const at = (seconds: number): number => BASE_MS + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();

const [TASK, SECOND_TASK, VARIANT, UNKNOWN] = [uuid(0x1001), uuid(0x1002), uuid(0x2001), uuid(0xdead)];
const MANUAL: StoredRun = { id: uuid(0x3001), taskId: TASK, createdAt: at(0), modifiedAt: at(50) };
const SCHEDULED: StoredRun = {
  ...MANUAL,
  id: uuid(0x3002),
  type: 'SCHEDULED',
  createdAt: at(1),
  modifiedAt: at(20),
};
const EXPERIMENT: StoredRun = {
  id: uuid(0x3003),
  taskId: SECOND_TASK,
  type: 'EXPERIMENT',
  experimentVariantId: VARIANT,
  createdAt: at(2),
  modifiedAt: at(30),
};
const THEIRS: StoredRun = { id: uuid(0x3004), taskId: TASK, createdAt: at(0) };
const NAMES = new Map([MANUAL, SCHEDULED, EXPERIMENT].map(({ id }, index) => [id, 'MSE'.charAt(index)]));
const FIRST_TEST = 0x4000;

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
  besideServer(server.folder, (database) => {
    const [ours, theirs] = [server, other].map(({ applicationId }) =>
      applicationKey(database, applicationId),
    ) as [number, number];
    for (const run of [MANUAL, SCHEDULED, EXPERIMENT]) storeRun(database, ours, run);
    storeRun(database, theirs, THEIRS);
    const statuses: TestStatus[] = [
      'PENDING',
      'IN_PROGRESS',
      'IN_PROGRESS',
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
      'FAILED',
    ];
    for (const [index, status] of statuses.entries())
      storeTest(database, ours, { id: uuid(FIRST_TEST + index), run: MANUAL, status, createdAt: at(0) });
    storeTest(database, ours, { id: uuid(0x4100), run: SCHEDULED, status: 'FAILED', createdAt: at(1) });
    storeTest(database, theirs, { id: uuid(0x4200), run: THEIRS, createdAt: at(0) });
  });
});
afterAll(() => server.close());

interface Listed {
  data: { id: string }[];
  pagination: object;
}

async function list(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Listed> {
  return server.ok('GET', `/v0/runs?${query}`, { headers });
}

async function get(id: string): Promise<object> {
  return (await server.ok('GET', `/v0/runs/${id}`)).run;
}

describe('GET /v0/runs', () => {
  it.each<[query: string, found: string]>([
    ['', 'ESM'],
    ['orderDir=asc', 'MSE'],
    ['orderBy=modifiedAt', 'MES'],
    ['orderBy=modifiedAt&orderDir=asc', 'SEM'],
    ['orderBy=type', 'SME'],
    ['orderBy=type&orderDir=asc', 'EMS'],
    ['orderBy=id&orderDir=asc', 'MSE'],
    [`taskId=${TASK}`, 'SM'],
    [`taskId=${TASK.toUpperCase()}&taskId[]=${SECOND_TASK}`, 'ESM'],
    [`taskId=${UNKNOWN}`, ''],
    ['type=MANUAL', 'M'],
    ['type=SCHEDULED,EXPERIMENT', 'ES'],
    ['type=MONITORING', ''],
    [`startDate=${iso(1)}`, 'ES'],
    [`endDate=${iso(1)}`, 'SM'],
    [`startDate=${iso(1)}&endDate=${iso(1)}`, 'S'],
    [`startDate=${iso(1)}&type=MANUAL`, ''],
    ['limit=1', 'E'],
    ['skip=1&limit=1', 'S'],
    ['skip=3', ''],
  ])('?%s', async (query, found) => {
    const { data } = await list(query);
    expect(data.map(({ id }) => NAMES.get(id)).join('')).toBe(found);
  });

  it('counts all that match, whatever is on the page', async () => {
    expect((await list('skip=1&limit=2')).pagination).toEqual({ skip: 1, limit: 2, total: 3, totalPages: 2 });
    expect((await list('type=MANUAL')).pagination).toEqual({ skip: 0, limit: 25, total: 1, totalPages: 1 });
  });

  it('shows what a run alone shows', async () => {
    const { data } = await list('');
    expect(data).toEqual(await Promise.all(data.map(({ id }) => get(id))));
  });

  it('shows each application its own', async () => {
    const { data, pagination } = await list('', other.headers);
    expect(data).toMatchObject([{ id: THEIRS.id, tests: { total: 1 } }]);
    expect(pagination).toMatchObject({ total: 1 });
  });
});

describe('GET /v0/runs/{id}', () => {
  it('shows a run and how far its tests are', async () => {
    expect(await get(MANUAL.id.toUpperCase())).toEqual({
      id: MANUAL.id,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: iso(0),
      modifiedAt: iso(50),
      taskId: TASK,
      type: 'MANUAL',
      runSetId: null,
      experimentVariantId: null,
      threadId: null,
      tests: { total: 7, pending: 1, inProgress: 2, completed: 3, failed: 1, judged: 0, skipped: 0 },
      evals: [],
      promptSeed: null,
      result: { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null },
      passRateInterval: null,
      outcomes: { passed: 0, failed: 0, appError: 0, noVerdict: 3, notRun: 1, running: 3 },
      outcomeInterval: null,
    });
  });

  it('shows a run without tests, and what it is a variant of', async () => {
    expect(await get(EXPERIMENT.id)).toMatchObject({
      experimentVariantId: VARIANT,
      tests: { total: 0, pending: 0, inProgress: 0, completed: 0, failed: 0, judged: 0, skipped: 0 },
    });
  });

  it('shows the session of the first trace that has one', async () => {
    const event = { type: 'trace', input: 'Hello', testId: uuid(0x4100) };
    const ingest = (events: object[], headers = server.headers) =>
      server.call('POST', '/v0/ingest', { body: { events }, headers });
    await ingest([{ ...event, timestamp: iso(5) }]);
    expect(await get(SCHEDULED.id)).toMatchObject({ threadId: null });
    await ingest([
      { ...event, timestamp: iso(9), referenceId: 'later' },
      { ...event, timestamp: iso(7), referenceId: 'first' },
    ]);
    await ingest([{ ...event, timestamp: iso(6), referenceId: 'theirs' }], other.headers);
    expect(await get(SCHEDULED.id)).toMatchObject({ threadId: 'first' });
    expect(await get(MANUAL.id)).toMatchObject({ threadId: null });
  });

  testHttp(
    () => server,
    [
      {
        name: 'knows no other run',
        request: `GET /v0/runs/${UNKNOWN}`,
        status: 404,
        mustContain: ['run not found'],
      },
      { name: "shows no other application's", request: `GET /v0/runs/${THEIRS.id}`, status: 404 },
      { name: 'needs a key', request: 'GET /v0/runs', headers: { 'x-api-key': null }, status: 401 },
    ],
  );
});
