import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/contract/route.ts';
import { AppError } from '../../src/errors.ts';
import { testRoutes } from '../../src/resources/tests/routes.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { uuid } from '../support/spans.ts';
import { applicationKey, storeTask } from '../support/stored-tests.ts';

const [TASK, SECOND_TASK, UNKNOWN, TEST] = [uuid(0x1001), uuid(0x1002), uuid(0xdead), uuid(0x4001)];
const [ARCHIVED, DRAFT, THEIR_TASK] = [uuid(0x1003), uuid(0x1004), uuid(0x1005)];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const other = await server.newTenant();
  besideServer(server.folder, (database) => {
    const ours = applicationKey(database, server.applicationId);
    for (const id of [TASK, SECOND_TASK]) storeTask(database, ours, id);
    storeTask(database, ours, ARCHIVED, 'ARCHIVED');
    storeTask(database, ours, DRAFT, 'DRAFT');
    storeTask(database, applicationKey(database, other.applicationId), THEIR_TASK);
  });
});
afterAll(() => server.close());

interface Listed {
  data: { id: string }[];
  pagination: { total: number };
}

async function list(query: string): Promise<Listed> {
  return server.ok('GET', `/v0/tests?${query}`);
}

describe('POST /v0/tasks/trigger', () => {
  const trigger = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    server.call('POST', '/v0/tasks/trigger', { body, headers });
  const testsOfRun = async (runId: string): Promise<number> =>
    (await list(`runId=${runId}`)).pagination.total;

  it('answers 204 once the tests are there, and names their runs', async () => {
    const reply = await trigger({ taskIds: [TASK, SECOND_TASK.toUpperCase()], repeat: 3 });
    expect([reply.status, reply.text]).toEqual([204, '']);
    const runIds = (reply.headers.get('x-run-ids') ?? '').split(',');
    expect(runIds).toHaveLength(2);
    for (const runId of runIds) expect(await testsOfRun(runId)).toBe(3);
  });

  it.each([
    ['return=representation', 200],
    ['respond-async, Return="representation"; x=1', 200],
    ['return=minimal', 204],
    ['no-return=representation', 204],
  ])('with Prefer: %s answers %i', async (prefer, status) => {
    const reply = await trigger({ taskIds: [DRAFT] }, { prefer });
    expect(reply.status, reply.text).toBe(status);
    const runId = reply.headers.get('x-run-ids') ?? '';
    const { data } = await list(`runId=${runId}`);
    const testIds = data.map(({ id }) => id);
    expect(testIds).toHaveLength(1);
    expect(reply.json).toEqual(status === 200 ? { data: [{ runId, taskId: DRAFT, testIds }] } : undefined);
    expect(reply.headers.get('preference-applied')).toBe(status === 200 ? 'return=representation' : null);
  });

  it.each<[what: string, body: unknown, status: number, told: string]>([
    ['an unknown task', { taskIds: [TASK, UNKNOWN] }, 404, UNKNOWN],
    ["another application's task", { taskIds: [TASK, THEIR_TASK] }, 404, THEIR_TASK],
    ['an archived task', { taskIds: [TASK, ARCHIVED] }, 409, 'archived'],
  ])('does nothing at all for %s', async (_what, body, status, told) => {
    const { total } = (await list('')).pagination;
    const reply = await trigger(body);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(told);
    expect((await list('')).pagination.total).toBe(total);
  });

  testHttp(() => server, [{ name: 'needs a body', request: 'POST /v0/tasks/trigger', status: 400 }]);
});

describe('who runs the tests', () => {
  const routesThatTell = (told: string[], write: (name: string) => unknown): Route[] =>
    testRoutes({
      read: (async () => Promise.resolve({})) as never,
      write: (async (name: string) => Promise.resolve(write(name))) as never,
      now: () => 0,
      promptModel: null,
      lastUnauthorized: () => null,
      onEnqueued: () => told.push('triggered'),
      onCancelled: (id) => told.push(`cancelled ${id}`),
      openStream: () => Readable.from([]),
    });
  const CALLS = [
    ['/v0/tasks/trigger', 'triggerTasks', 'triggered'],
    ['/v0/tests/{id}/cancel', 'cancelTest', `cancelled ${TEST}`],
  ] as const;
  const call = async (routes: Route[], path: string): Promise<void> => {
    const context = {
      principal: { application: 1 },
      params: { id: TEST },
      body: { taskIds: [TASK], repeat: 1 },
    };
    const made = {
      ...context,
      query: {},
      headers: {},
      setHeader: () => undefined,
      setStatus: () => undefined,
    };
    await routes.find((route) => route.path === path)?.handler(made as never);
  };

  it.each(CALLS)('reacts to %s after it is stored', async (path, command, telling) => {
    const told: string[] = [];
    await call(
      routesThatTell(told, (name) => (told.push(name), { runs: [], next: null })),
      path,
    );
    expect(told).toEqual([command, telling]);
  });

  it.each(CALLS)('does not react to %s when it is rejected', async (path) => {
    const told: string[] = [];
    const reject = (): never => {
      throw new AppError('conflict', 'no');
    };
    await expect(call(routesThatTell(told, reject), path)).rejects.toThrow('no');
    expect(told).toEqual([]);
  });
});
