import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyEvent, findTest, type TestInFlight } from '../../src/tests/store.ts';
import type { TestEvent } from '../../src/tests/transitions.ts';
import { besideServer } from '../support/beside-store.ts';
import { type EventStream, openEvents, type ServerEvent } from '../support/events.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import {
  applicationKey,
  storeRun,
  type StoredRun,
  type StoredTest,
  storeTest,
} from '../support/stored-tests.ts';

const [TASK, UNKNOWN] = [uuid(0x1001), uuid(0xdead)];
const RUN: StoredRun = { id: uuid(0x3001), taskId: TASK, createdAt: BASE_MS };
const COMPLETED: StoredTest = {
  id: uuid(0x4001),
  run: RUN,
  status: 'COMPLETED',
  phase: 'done',
  createdAt: BASE_MS,
};
const THEIRS: StoredTest = { id: uuid(0x4002), run: { ...RUN, id: uuid(0x3002) }, createdAt: BASE_MS };

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant({ orgId: 'org-3' });
  store(server, COMPLETED);
  store({ ...server, applicationId: other.applicationId }, THEIRS);
});
afterAll(() => server.close());

/** Stores a test, and its run where that is not there yet. */
function store(
  { folder, applicationId }: Pick<TestServer, 'folder' | 'applicationId'>,
  test: StoredTest,
): void {
  besideServer(folder, (database) => {
    const application = applicationKey(database, applicationId);
    if (!database.get('SELECT 1 FROM run WHERE id = ?', test.run.id))
      storeRun(database, application, test.run);
    storeTest(database, application, test);
  });
}

/** A pending test that is there for one of the tests below alone. */
let pending = 0;
function newTest(): string {
  const id = uuid(0x5000 + pending++);
  store(server, { id, run: RUN, createdAt: BASE_MS });
  return id;
}

function happen(testId: string, event: TestEvent): void {
  const hooks = { onTestEnded: [], onTestReopened: [] };
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    const test = findTest(database, { application, testId }) as TestInFlight;
    applyEvent(database, { test, event, at: BASE_MS + 1, detail: event.type }, hooks);
  });
}

const get = async (id: string): Promise<unknown> => (await server.ok('GET', `/v0/tests/${id}`)).test;

describe('GET /v0/tests/{id}/stream', () => {
  const open = (id: string, headers = server.headers): Promise<EventStream> =>
    openEvents(`${server.url}/v0/tests/${id}/stream`, headers);
  const told = (event: ServerEvent | null): string => {
    const { status, phase } = (event?.data ?? {}) as { status?: string; phase?: string };
    return [event?.name, status, phase].filter((part) => part !== undefined).join(' ');
  };

  it('tells at once how a test is, and ends when that is over', async () => {
    const stream = await open(COMPLETED.id);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toContain('no-cache');
    expect(stream.headers.get('x-request-id')).toBeTruthy();
    expect(await stream.next()).toEqual({ name: 'test', data: await get(COMPLETED.id) });
    expect(told(await stream.next())).toBe('end');
    expect(await stream.next()).toBeNull();
  });

  it('reports each change until the test is over', async () => {
    const id = newTest();
    const stream = await open(id);
    expect(told(await stream.next())).toBe('test PENDING queued');
    happen(id, { type: 'send' });
    expect(told(await stream.next())).toBe('test IN_PROGRESS delivering');
    happen(id, { type: 'answer', at: BASE_MS });
    expect(told(await stream.next())).toBe('test IN_PROGRESS delivered');
    happen(id, { type: 'receive', lastSpanAt: BASE_MS });
    expect(told(await stream.next())).toBe('test IN_PROGRESS trace_received');
    await server.call('POST', `/v0/tests/${id}/cancel`);
    expect(await stream.next()).toEqual({ name: 'test', data: await get(id) });
    expect(told(await stream.next())).toBe('end');
    expect(await stream.next()).toBeNull();
  });

  it('is there for 25 at once of one application, 50 of one organisation and a hundred in all, and again when one has gone', async () => {
    const id = newTest();
    const openOf = (of: Pick<Tenant, 'headers'>, count: number, test = id): Promise<EventStream[]> =>
      Promise.all(Array.from({ length: count }, () => open(test, of.headers)));
    const streams = await openOf(server, 25);
    const rejected = await open(id);
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toBeTruthy();
    expect(JSON.parse(await rejected.text())).toEqual({
      message: 'The application has 25 open streams of tests, the most allowed; close one and retry',
    });

    for (let n = 0; n < 3; n++) {
      // The first one fills the part of this organisation, the others that of a second one.
      const tenant = await server.newTenant({ orgId: n === 0 ? server.orgId : 'org-2' });
      const theirs = uuid(0x6000 + n);
      const run = { ...RUN, id: uuid(0x3100 + n) };
      store({ ...server, applicationId: tenant.applicationId }, { id: theirs, run, createdAt: BASE_MS });
      streams.push(...(await openOf(tenant, 25, theirs)));
    }
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const full = await open(THEIRS.id, other.headers);
    expect(full.status).toBe(503);
    expect(full.headers.get('retry-after')).toBeTruthy();
    expect(JSON.parse(await full.text())).toEqual({
      message: '100 streams of tests are open, the most of this server',
    });

    streams[0]?.leave();
    await expect
      .poll(async () => {
        const stream = await open(id);
        streams.push(stream);
        return stream.status;
      })
      .toBe(200);
    for (const stream of streams) stream.leave();
    // The next tests need places of their own.
    const openStreams = async (): Promise<string | undefined> =>
      /touchstone_streams\{kind="test"\} (\d+)/.exec((await server.call('GET', '/metrics')).text)?.[1];
    await expect.poll(openStreams).toBe('0');
  });

  it.each<[how: string, revoke: (id: string, key: string) => Promise<unknown> | void]>([
    ['by the API', (id) => server.call('DELETE', `/v0/api-keys/${id}`)],
    [
      'by another process',
      (id) =>
        besideServer(
          server.folder,
          (database) => void database.run('UPDATE api_key SET revoked_at = ? WHERE id = ?', BASE_MS, id),
        ),
    ],
    [
      'by its time',
      (id) =>
        besideServer(
          server.folder,
          (database) => void database.run('UPDATE api_key SET expires_at = ? WHERE id = ?', BASE_MS, id),
        ),
    ],
  ])('ends when its key is taken out of use %s', async (_how, revoke) => {
    const made = await server.call('POST', '/v0/api-keys', { body: { name: 'stream', scopes: ['read'] } });
    const { id, key } = (made.json as { data: { id: string; key: string } }).data;
    const stream = await open(newTest(), { ...server.headers, 'x-api-key': key });
    expect(told(await stream.next())).toBe('test PENDING queued');
    await revoke(id, key);
    expect(await stream.next()).toBeNull();
  });

  it('ends when the server does, which needs no force', async () => {
    const ending = await startServer();
    const id = uuid(0x7001);
    store(ending, { id, run: RUN, createdAt: BASE_MS });
    const stream = await openEvents(`${ending.url}/v0/tests/${id}/stream`, ending.headers);
    expect(told(await stream.next())).toBe('test PENDING queued');
    const [last] = await Promise.all([stream.next(), ending.close()]);
    expect(last).toBeNull();
    expect(ending.logged.join('\n')).not.toContain('cut off');
  });

  testHttp(
    () => server,
    [
      {
        name: 'knows no other test',
        request: `GET /v0/tests/${UNKNOWN}/stream`,
        status: 404,
        answerHeaders: { 'content-type': 'application/json; charset=utf-8' },
      },
      {
        name: "tells nothing of another application's",
        request: `GET /v0/tests/${THEIRS.id}/stream`,
        status: 404,
      },
    ],
  );
});
