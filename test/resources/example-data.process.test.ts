/** Example data: a load by the real pipeline, and a removal that leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import type { ExampleData } from '../../src/resources/example-data/contract.ts';
import { run as runCommand } from '../support/process.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey } from '../support/stored-tests.ts';

/** Tables that keep rows: what was received and done remains true, and ids of deleted traces stay rejected. */
const KEPT = ['ledger', 'tombstone', 'audit_entry', 'issue_number'];

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 100, orphanQuietMs: 200 } });
});
afterAll(() => server.close());

const pathOf = ({ applicationId }: Tenant): string => `/v0/applications/${applicationId}/example-data`;
const call = (tenant: Tenant, method: string, path: string, body?: unknown) =>
  server.call(method, path, { headers: tenant.headers, ...(body !== undefined && { body }) });
const get = async <T>(tenant: Tenant, path: string): Promise<T> =>
  (await call(tenant, 'GET', path)).json as T;

const stateOf = async (tenant: Tenant): Promise<ExampleData> =>
  (await get<{ data: ExampleData }>(tenant, pathOf(tenant))).data;
const reaches = (tenant: Tenant, status: ExampleData['status']): Promise<void> =>
  expect.poll(() => stateOf(tenant), { interval: 200, timeout: 220_000 }).toMatchObject({ status });

interface List {
  data: Record<string, unknown>[];
  pagination: { total: number };
}

/** Number of rows of an application in each table. */
const rowsOf = ({ applicationId }: Tenant): Record<string, number> =>
  withStore(server.folder, (database) => {
    const application = applicationKey(database, applicationId);
    const tables = database.all<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table'
       AND EXISTS (SELECT 1 FROM pragma_table_info(sqlite_schema.name) AS column WHERE column.name = 'application')`,
    );
    const counted = tables
      .filter(({ name }) => !KEPT.includes(name))
      .map(({ name }) => [
        name,
        database.get<{ n: number }>(`SELECT count(*) AS n FROM ${name} WHERE application = ?`, application)
          ?.n,
      ]);
    return Object.fromEntries(counted) as Record<string, number>;
  });

const ownTrace = (tenant: Tenant) =>
  call(tenant, 'POST', '/v0/ingest', {
    events: [{ type: 'trace', timestamp: new Date().toISOString(), input: 'Mine', output: 'Yes' }],
  });

describe('example data', () => {
  let tenant: Tenant;
  let before: Record<string, number>;
  let started: number;
  beforeAll(async () => {
    tenant = await server.newTenant();
    before = rowsOf(tenant);
    started = (await call(tenant, 'POST', pathOf(tenant))).status;
  });

  it('is loaded once, and cannot be removed meanwhile', async () => {
    expect(started).toBe(202);
    expect(await stateOf(tenant)).toMatchObject({ status: 'LOADING', steps: 5 });
    expect((await call(tenant, 'POST', pathOf(tenant))).status).toBe(409);
    expect((await call(tenant, 'DELETE', pathOf(tenant))).status).toBe(409);
    await reaches(tenant, 'READY');
    expect(await stateOf(tenant)).toMatchObject({ step: null, stepsDone: 5, failure: null });
    expect((await call(tenant, 'POST', pathOf(tenant))).text).toContain('has example data already');
  });

  it('consists of traces, tests with verdicts, an experiment and a queue', async () => {
    const traces = await get<List>(tenant, '/v0/traces?limit=1');
    expect(traces.pagination.total).toBeGreaterThan(300);
    const [run] = (await get<List>(tenant, '/v0/runs?limit=1')).data;
    expect(run?.['evals']).not.toEqual([]);
    const byStatus = async (status: string): Promise<number> =>
      (await get<List>(tenant, `/v0/tests?limit=1&status=${status}`)).pagination.total;
    expect(await byStatus('PENDING,IN_PROGRESS')).toBe(0);
    expect(await byStatus('FAILED')).toBeGreaterThan(0);
    expect(await byStatus('COMPLETED')).toBeGreaterThan(40);
    const [experiment] = (await get<List>(tenant, '/v0/experiments')).data;
    expect(experiment).toMatchObject({ title: 'Shorter answers', status: 'IDLE' });
    const [queue] = (await get<List>(tenant, '/v0/human-annotation-queues')).data;
    expect(queue).toMatchObject({ pendingCount: 20, completedCount: 5 });
    expect((await call(tenant, 'GET', '/v0/webhook')).status).toBe(404);
  });

  it('has an issue with the traces that show it, which needs attention', async () => {
    const [issue] = (await get<List>(tenant, '/v0/issues')).data;
    expect(issue).toMatchObject({ number: 1, priority: 'HIGH', status: 'OPEN' });
    expect(Number(issue?.['linkCount'])).toBeGreaterThan(10);
    const { data } = await get<List>(tenant, '/v0/attention');
    expect(data.map(({ kind, href }) => `${String(kind)} ${String(href)}`)).toContain('ISSUES /issues/1');
  });

  it('tells that prompt v15 broke refunds', async () => {
    const [task] = (await get<List>(tenant, '/v0/tasks?search=Refund requests')).data;
    const runs = await get<List>(tenant, `/v0/runs?taskId=${String(task?.['id'])}&orderDir=asc`);
    const [v14, v15] = runs.data.filter((run) => run['experimentVariantId'] === null);
    const sides = { baseline: { runIds: [v14?.['id']] }, candidates: [{ runIds: [v15?.['id']] }] };
    const { json, text } = await call(tenant, 'POST', '/v0/runs/compare', sides);
    expect(json, text).toMatchObject({ data: { candidates: [{ pairs: 18, onlyInBaseline: 0 }] } });
    const { data } = json as { data: { candidates: { difference: { high: number } }[] } };
    expect(data.candidates[0]?.difference.high, text).toBeLessThan(0);
  });

  it('is removed without a rest, and records of your own stay', async () => {
    await ownTrace(tenant);
    await call(tenant, 'POST', '/v0/tasks', { title: 'Mine', type: 'STATIC', inputExamples: ['Hello'] });
    expect((await call(tenant, 'DELETE', pathOf(tenant))).status).toBe(202);
    await reaches(tenant, 'NONE');
    expect((await get<List>(tenant, '/v0/traces')).data).toMatchObject([{ input: 'Mine' }]);
    const [task] = (await get<List>(tenant, '/v0/tasks')).data;
    expect(task).toMatchObject({ title: 'Mine' });

    const [own] = (await get<List>(tenant, '/v0/traces')).data;
    await call(tenant, 'DELETE', `/v0/traces/${String(own?.['id'])}`);
    await call(tenant, 'DELETE', `/v0/tasks/${String(task?.['id'])}`);
    // Days that changed stay marked until they are counted again.
    const counted = async (): Promise<unknown> => {
      await get(tenant, '/v0/retention');
      return rowsOf(tenant);
    };
    await expect.poll(counted).toEqual(before);
    expect((await call(tenant, 'DELETE', pathOf(tenant))).status).toBe(404);
  });
});

describe('records of your own on example data', () => {
  interface Task {
    id: string;
    topicId: string;
    exampleCount: number;
  }
  it('remain when it is removed, with the example records that hold them and no others', async () => {
    const tenant = await server.newTenant();
    await call(tenant, 'POST', pathOf(tenant));
    await reaches(tenant, 'READY');
    const tasks = (await get<{ data: Task[] }>(tenant, '/v0/tasks?limit=100')).data;
    const own = async (path: string, body: object): Promise<string> => {
      const { status, text } = await call(tenant, 'POST', path, body);
      expect(status, text).toBeLessThan(300);
      return text;
    };
    const traces = (await get<List>(tenant, '/v0/traces?limit=100&orderDir=asc')).data.map(({ id }) =>
      String(id),
    );
    const annotated = (await get<List>(tenant, '/v0/human-annotations?limit=100')).data.map(
      ({ traceId }) => traceId,
    );
    const [one, two, three] = traces.filter((id) => !annotated.includes(id)) as [string, string, string];
    await own('/v0/human-annotations', { traceId: one, verdict: true, source: 'TRACE_PAGE' });
    const queue = JSON.parse(await own('/v0/human-annotation-queues', { title: 'Mine' })) as {
      data: { id: string };
    };
    await own('/v0/human-annotation-queue-items', { queueId: queue.data.id, traceId: two });
    await own(`/v0/traces/${three}/example`, {});
    const [withExample, withTrace, withTopic] = tasks as [Task, Task, Task];
    await own(`/v0/tasks/${withExample.id}/examples`, { input: 'Mine?' });
    const [test] = (await get<List>(tenant, `/v0/tests?taskId=${withTrace.id}&limit=1`)).data;
    const [ofTest] = (await get<List>(tenant, `/v0/traces?testId=${String(test?.['id'])}`)).data;
    await own('/v0/human-annotations', { traceId: ofTest?.['id'], verdict: true, source: 'TEST_PAGE' });
    await own('/v0/tasks', { title: 'Mine', type: 'STATIC', topicId: withTopic.topicId });
    await ownTrace(tenant);
    const [mine] = (await get<List>(tenant, '/v0/traces?limit=1')).data;
    await own('/v0/issues/1/links', { selection: { ids: [mine?.['id']] } });
    const [issue] = (await get<List>(tenant, '/v0/issues')).data;

    expect((await call(tenant, 'DELETE', pathOf(tenant))).status).toBe(202);
    await reaches(tenant, 'NONE');
    for (const id of [one, two, three, String(ofTest?.['id'])])
      expect((await call(tenant, 'GET', `/v0/traces/${id}`)).status, id).toBe(200);
    expect((await get<List>(tenant, '/v0/human-annotations')).pagination.total).toBe(2);
    const left = (await get<{ data: Task[] }>(tenant, '/v0/tasks?limit=100')).data.map(({ id }) => id);
    const kept = new Set([withExample.id, withTrace.id]);
    expect(tasks.filter(({ id }) => left.includes(id)).map(({ id }) => id)).toEqual(
      tasks.map(({ id }) => id).filter((id) => kept.has(id)),
    );
    expect((await call(tenant, 'GET', `/v0/topics/${withTopic.topicId}`)).status).toBe(200);
    expect((await call(tenant, 'GET', `/v0/tests/${String(test?.['id'])}`)).status).toBe(200);
    expect((await get<{ data: object }>(tenant, '/v0/issues/1')).data).toMatchObject({
      evalDefinitionId: issue?.['evalDefinitionId'],
      topicId: issue?.['topicId'],
    });
    for (const path of [
      `definitions/${String(issue?.['evalDefinitionId'])}`,
      `topics/${String(issue?.['topicId'])}`,
    ])
      expect((await call(tenant, 'GET', `/v0/${path}`)).status, path).toBe(200);
    const verified = await runCommand(['verify', '--deep', '--data-dir', server.folder]);
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    const others = traces.filter((id) => ![one, two, three].includes(id));
    expect((await call(tenant, 'GET', `/v0/traces/${String(others[0])}`)).status).toBe(404);
  });
});

it.each([
  ['traces', ownTrace],
  ['tasks', (tenant: Tenant) => call(tenant, 'POST', '/v0/tasks', { title: 'Mine', type: 'STATIC' })],
])('is not loaded beside %s', async (records, fill) => {
  const tenant = await server.newTenant();
  await fill(tenant);
  const { status, text } = await call(tenant, 'POST', pathOf(tenant));
  expect(status).toBe(409);
  expect(text).toContain(`this one has ${records}`);
  expect(await stateOf(tenant)).toMatchObject({ status: 'NONE' });
});

it('is of the application of the key alone', async () => {
  const { status } = await server.call('POST', pathOf(await server.newTenant()));
  expect(status).toBe(404);
});
