import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnnotationQueue, QueueItem } from '../../src/api/generated/schema.ts';
import {
  COMPLETIONS,
  completionIn,
  hasCompletion,
} from '../../src/resources/human-annotation-queue-items/completion.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { SqlValue } from '../../src/storage/database.ts';
import { parseId } from '../../src/traces/ids.ts';
import { besideServer } from '../support/beside-store.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { useStore } from '../support/storage.ts';
import { evalOf, PENDING_EVAL, storeDefinition, verdict } from '../support/stored-evals.ts';
import { applicationKey, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';
import { annotating, PAST } from './annotation-support.ts';

let server: TestServer;
let ours: ReturnType<typeof annotating>;
beforeAll(async () => {
  server = await sharedServer();
  ours = annotating(server);
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const PATH = '/v0/human-annotation-queue-items';
const DAY_MS = 86_400_000;

describe('the completion status', () => {
  const { database } = useStore();

  it('is the same for code and for SQL, whatever the item and the time', () => {
    const time = fc.integer({ min: 0, max: 3 });
    const item = fc.record({ completedAt: fc.option(time), expiresAt: time });
    const completions = fc.uniqueArray(fc.constantFrom(...COMPLETIONS), { minLength: 1 });
    fc.assert(
      fc.property(item, time, completions, (times, now, wanted) => {
        const { sql, values } = completionIn(wanted, now);
        const found = database().get<{ found: number }>(
          `SELECT ${sql} AS found FROM (SELECT ? AS completed_at, ? AS expires_at)`,
          ...values,
          times.completedAt,
          times.expiresAt,
        );
        expect(found?.found === 1).toBe(wanted.some((completion) => hasCompletion(times, completion, now)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [{ completedAt: null, expiresAt: 11 }, ['PENDING', 'ACTIVE']],
    [{ completedAt: null, expiresAt: 10 }, ['EXPIRED']],
    [{ completedAt: 5, expiresAt: 11 }, ['COMPLETED', 'ACTIVE']],
    [{ completedAt: 5, expiresAt: 10 }, ['COMPLETED', 'ACTIVE']],
  ])('of %j at 10 is %j', (times, expected) => {
    expect(COMPLETIONS.filter((completion) => hasCompletion(times, completion, 10)).toSorted()).toEqual(
      expected.toSorted(),
    );
  });
});

describe('POST /v0/human-annotation-queue-items', () => {
  let queueId: string;
  beforeAll(async () => {
    queueId = (await ours.queue()).id;
  });

  it('fills in defaults', async () => {
    const [traceId] = await ours.traces(1);
    const item = await ours.item({ queueId, traceId });
    expect(item).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      queueId,
      traceId,
      selection: 'MANUAL',
      status: 'OPEN',
      reviews: 0,
      completedAt: null,
      expiresAt: new Date(Date.parse(item.createdAt) + 90 * DAY_MS).toISOString(),
      createdAt: expect.stringMatching(/Z$/) as string,
    });
    expect((await server.call('GET', `${PATH}/${item.id}`)).json).toEqual({ data: item });
  });

  it('takes all fields, and a trace by the digits OpenTelemetry writes', async () => {
    const hex = '5b8aa5a2d2c872e8321cf37308d69df2';
    const times = { startTimeUnixNano: '1769860800000000000', endTimeUnixNano: '1769860801000000000' };
    const span = { traceId: hex, spanId: '051581bf3cb55c13', name: 'chat', ...times };
    const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
    expect((await server.call('POST', '/v1/traces', { body })).status).toBe(200);
    const more = { selection: 'FAILED', expiresAt: '2030-01-01T00:00:00.000Z' };
    const item = await ours.item({ queueId, traceId: hex, ...more });
    expect(item).toMatchObject({ ...more, traceId: '5b8aa5a2-d2c8-82e8-b21c-f37308d69df2' });
    for (const traceId of [hex, hex.toUpperCase(), item.traceId])
      expect((await ours.list(`${PATH}?traceId=${traceId}`)).data).toEqual([item]);
  });

  it('takes a trace again only when it waits in the queue no more', async () => {
    const [waiting, completed, expired] = (await ours.traces(3)) as [string, string, string];
    await ours.item({ queueId, traceId: waiting });
    const { status, json } = await server.call('POST', PATH, { body: { queueId, traceId: waiting } });
    expect([status, json]).toEqual([409, { message: 'The trace is already pending in this queue' }]);
    await ours.item({ queueId: (await ours.queue()).id, traceId: waiting });

    await ours.complete(await ours.item({ queueId, traceId: completed }));
    await ours.item({ queueId, traceId: completed });
    await ours.item({ queueId, traceId: expired, expiresAt: PAST });
    await ours.item({ queueId, traceId: expired });
  });
});

describe('drawing traces', () => {
  it('takes traces that have not been drawn for the queue, each once, until there are none', async () => {
    const tenant = annotating(server, (await server.newTenant()).headers);
    const traces = await tenant.traces(7);
    const { id: queueId } = await tenant.queue();
    const first = await tenant.draw({ queueId, count: 4, expiresAt: '2030-01-01T00:00:00.000Z' });
    expect(first).toHaveLength(4);
    expect(first[0]).toMatchObject({ queueId, selection: 'RANDOM', expiresAt: '2030-01-01T00:00:00.000Z' });
    const second = await tenant.draw({ queueId, count: 100 });
    expect([...first, ...second].map(({ traceId }) => traceId).toSorted()).toEqual(traces.toSorted());
    expect(await tenant.draw({ queueId, count: 100 })).toEqual([]);
    expect((await tenant.list(`${PATH}?queueId=${queueId}`)).pagination.total).toBe(7);
  });

  it('draws what is in the queue for another reason like any other, and puts it in a second time only when it expired', async () => {
    const tenant = annotating(server, (await server.newTenant()).headers);
    const [waits, isDone, expired, fresh] = (await tenant.traces(4)) as [string, string, string, string];
    const { id: queueId } = await tenant.queue();
    const waiting = await tenant.item({ queueId, traceId: waits, selection: 'FAILED' });
    const done = await tenant.item({ queueId, traceId: isDone });
    await tenant.complete(done);
    const { id: expiredId } = await tenant.item({ queueId, traceId: expired, expiresAt: PAST });
    const drawn = await tenant.draw({ queueId, count: 100, expiresAt: '2090-01-01T00:00:00.000Z' });
    const byTrace = new Map(drawn.map((item) => [item.traceId, item]));
    expect(drawn).toHaveLength(4);
    expect(byTrace.get(waits)).toEqual({ ...waiting, selection: 'RANDOM' });
    expect(byTrace.get(isDone)).toMatchObject({
      id: done.id,
      selection: 'RANDOM',
      expiresAt: done.expiresAt,
    });
    for (const traceId of [expired, fresh])
      expect(byTrace.get(traceId)).toMatchObject({
        selection: 'RANDOM',
        expiresAt: '2090-01-01T00:00:00.000Z',
      });
    const all = (await tenant.list(`${PATH}?queueId=${queueId}`)).data;
    expect(all).toHaveLength(5);
    expect(all.find(({ id }) => id === expiredId)).toMatchObject({ selection: 'MANUAL', expiresAt: PAST });
    expect(await tenant.draw({ queueId, count: 100 })).toEqual([]);
  });

  it('draws any of them', async () => {
    const tenant = annotating(server, (await server.newTenant()).headers);
    const traces = await tenant.traces(3);
    const drawn = new Set<string>();
    for (let round = 0; drawn.size < traces.length; round++) {
      const { id: queueId } = await tenant.queue();
      const [item] = await tenant.draw({ queueId, count: 1 });
      drawn.add((item as QueueItem).traceId);
      expect(round).toBeLessThan(100);
    }
  });

  it('draws what another queue has drawn only on request', async () => {
    const tenant = annotating(server, (await server.newTenant()).headers);
    await tenant.traces(2);
    const [{ id: one }, { id: other }] = [await tenant.queue(), await tenant.queue()];
    expect(await tenant.draw({ queueId: one, count: 2 })).toHaveLength(2);
    expect(await tenant.draw({ queueId: other, count: 2 })).toEqual([]);
    expect(await tenant.draw({ queueId: other, count: 2, allowRepeats: true })).toHaveLength(2);
  });

  it('draws among the tests of a task or a run, and among what a definition has judged', async () => {
    const tenant = await server.newTenant();
    const their = annotating(server, tenant.headers);
    const [run, other, task] = [randomUUID(), randomUUID(), randomUUID()];
    const tests = [run, run, other].map((runId, index) => ({
      id: randomUUID(),
      run: { id: runId, taskId: index === 1 ? task : randomUUID(), createdAt: 1 },
      status: 'COMPLETED' as const,
      createdAt: 1,
    }));
    const [first, second, third] = (await Promise.all(
      tests.map(async ({ id }) => (await their.traces(1, { testId: id }))[0]),
    )) as [string, string, string];
    const [live] = (await their.traces(1)) as [string];
    const definitionId = randomUUID();
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      storeTask(database, application, task);
      storeDefinition(database, application, { id: definitionId });
      for (const test of [tests[0], tests[2]] as typeof tests) storeRun(database, application, test.run);
      for (const test of tests) storeTest(database, application, test);
      const evals = [
        evalOf(tests[0] as (typeof tests)[0], definitionId, verdict(true)),
        { ...PENDING_EVAL, ...verdict(false), id: randomUUID(), definitionId, traceId: parseId(live) },
      ];
      saveEvals(database, { application, evals, at: 1 });
    });
    const { id: queueId } = await their.queue();
    const draw = async (body: object): Promise<string[]> =>
      (await their.draw({ queueId: (await their.queue()).id, count: 9, allowRepeats: true, ...body }))
        .map(({ traceId }) => traceId)
        .toSorted();
    expect(await draw({ runId: run })).toEqual([first, second].toSorted());
    expect(await draw({ taskId: task })).toEqual([second]);
    expect(await draw({ evalDefinitionId: definitionId })).toEqual([first, live].toSorted());
    expect(await draw({ queueId, runId: other, evalDefinitionId: definitionId })).toEqual([]);
    expect(await draw({ queueId })).toEqual([first, second, third, live].toSorted());
  });

  it('draws more of what a definition failed on request, and weighs each by how many it stands for', async () => {
    const tenant = await server.newTenant();
    const their = annotating(server, tenant.headers);
    const traces = await their.traces(20);
    const definitionId = randomUUID();
    const failed = new Set(traces.slice(0, 4));
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      storeDefinition(database, application, { id: definitionId });
      const evals = traces.map((traceId) => ({
        ...PENDING_EVAL,
        ...verdict(!failed.has(traceId)),
        id: randomUUID(),
        definitionId,
        traceId: parseId(traceId),
      }));
      saveEvals(database, { application, evals, at: 1 });
    });
    const { id: queueId } = await their.queue();
    const strata = { failed: 0.4 };
    const drawn = await their.draw({ queueId, count: 5, evalDefinitionId: definitionId, strata });
    expect(drawn.filter(({ traceId }) => failed.has(traceId))).toHaveLength(2);
    const weights = besideServer(server.folder, (database) =>
      database.all<{ id: string; weight: number }>(
        'SELECT id, weight FROM annotation_queue_item WHERE queue_id = ?',
        queueId,
      ),
    );
    const weightOf = new Map(weights.map(({ id, weight }) => [id, weight]));
    for (const { id, traceId } of drawn)
      expect(weightOf.get(id)).toBeCloseTo(failed.has(traceId) ? (0.2 * 5) / 2 : (0.8 * 5) / 3);
    // All that is left, in spite of the strata.
    expect(await their.draw({ queueId, count: 100, evalDefinitionId: definitionId, strata })).toHaveLength(
      15,
    );
    // A draw is never of one stratum alone, so that no mixture of draws chooses how many fail.
    for (const share of [0.05, 0.95]) {
      const more = { evalDefinitionId: definitionId, strata: { failed: share }, allowRepeats: true };
      const two = await their.draw({ queueId: (await their.queue()).id, count: 2, ...more });
      expect([two.length, two.filter(({ traceId }) => failed.has(traceId)).length]).toEqual([2, 1]);
    }
    const usual = { evalDefinitionId: definitionId, strata: {}, allowRepeats: true };
    const ten = await their.draw({ queueId: (await their.queue()).id, count: 10, ...usual });
    expect(ten.filter(({ traceId }) => failed.has(traceId))).toHaveLength(2);
    for (const body of [
      { strata, count: 2 },
      { strata, count: 2, evalDefinitionId: definitionId, selection: 'FAILED' },
      { strata, evalDefinitionId: definitionId },
    ])
      expect(
        (
          await server.call('POST', `${PATH}/draw`, {
            headers: tenant.headers,
            body: { queueId, count: 1, ...body },
          })
        ).status,
      ).toBe(422);
  });

  it('draws one trace of each test, and of other traces only those with an input and an output', async () => {
    const tenant = annotating(server, (await server.newTenant()).headers);
    const testId = randomUUID();
    const [first] = await tenant.traces(2, { testId });
    const [silent] = await tenant.traces(1, { testId: randomUUID(), input: undefined, output: undefined });
    const [complete] = await tenant.traces(1);
    await tenant.traces(1, { output: undefined });
    const { id: queueId } = await tenant.queue();
    const drawn = await tenant.draw({ queueId, count: 100 });
    expect(drawn.map(({ traceId }) => traceId).toSorted()).toEqual(
      ([first, silent, complete] as string[]).toSorted(),
    );
  });

  it('stays within the dates', async () => {
    const tenant = annotating(server, (await server.newTenant()).headers);
    const [early] = await tenant.traces(1, { timestamp: '2026-01-01T00:00:00Z' });
    const [late] = await tenant.traces(1, { timestamp: '2026-03-01T00:00:00Z' });
    const { id: queueId } = await tenant.queue();
    const draw = async (body: object): Promise<string[]> =>
      (await tenant.draw({ queueId, count: 9, ...body })).map(({ traceId }) => traceId);
    expect(await draw({ startDate: '2026-02-01T00:00:00Z', endDate: '2026-02-02T00:00:00Z' })).toEqual([]);
    expect(await draw({ startDate: '2026-02-01T00:00:00Z' })).toEqual([late]);
    expect(await draw({ endDate: '2026-01-01T00:00:00Z' })).toEqual([early]);
  });

  it('draws among traces with a failed eval, of their own or of their test, on request', async () => {
    const tenant = await server.newTenant();
    const their = annotating(server, tenant.headers);
    const testId = randomUUID();
    const [failed, passed, superseded, known] = (await their.traces(4)) as [string, string, string, string];
    const [ofTest] = (await their.traces(1, { testId })) as [string];
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      const store = (columns: Record<string, SqlValue>): void => {
        const row: Record<string, SqlValue> = {
          id: randomUUID(),
          application,
          definition_id: UNKNOWN,
          definition_version: 1,
          definition_type: 'CUSTOM',
          run_type: 'MONITORING',
          status: 'COMPLETED',
          passed: 0,
          version: 1,
          superseded: 0,
          input_hash: '',
          created_at: 0,
          modified_at: 0,
          ...columns,
        };
        database.run(
          `INSERT INTO eval (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
            .map(() => '?')
            .join(', ')})`,
          ...Object.values(row),
        );
      };
      const bytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
      store({ trace_id: bytes(failed) });
      store({ trace_id: bytes(passed), passed: 1 });
      store({ trace_id: bytes(superseded), superseded: 1 });
      store({ test_id: testId });
      store({ trace_id: bytes(known) });
    });
    const { id: queueId } = await their.queue();
    await their.item({ queueId, traceId: known });
    const items = await their.draw({ queueId, count: 100, selection: 'FAILED' });
    expect(items.map(({ traceId }) => traceId).toSorted()).toEqual([failed, ofTest].toSorted());
    expect(items.map(({ selection }) => selection)).toEqual(['FAILED', 'FAILED']);
  });

  it('draws no trace of another application, and none into its queue', async () => {
    const [tenant, stranger] = [await server.newTenant(), await server.newTenant()];
    await annotating(server, stranger.headers).traces(1);
    const their = annotating(server, tenant.headers);
    const { id: queueId } = await their.queue();
    expect(await their.draw({ queueId, count: 1 })).toEqual([]);
    const reply = await server.call('POST', `${PATH}/draw`, {
      body: { queueId, count: 1 },
      headers: stranger.headers,
    });
    expect([reply.status, reply.json]).toEqual([404, { message: 'annotation queue not found' }]);
  });
});

describe('GET /v0/human-annotation-queue-items', () => {
  let tenant: ReturnType<typeof annotating>;
  let queues: [AnnotationQueue, AnnotationQueue];
  let names: Map<string, string>;
  beforeAll(async () => {
    tenant = annotating(server, (await server.newTenant()).headers);
    queues = [await tenant.queue(), await tenant.queue()];
    const traces = await tenant.traces(6);
    names = new Map();
    const add = async (name: string, queue: AnnotationQueue, more: object = {}): Promise<QueueItem> => {
      const item = await tenant.item({ queueId: queue.id, traceId: traces[names.size], ...more });
      names.set(item.id, name);
      return item;
    };
    await add('pending', queues[0]);
    const first = await add('first', queues[0]);
    await add('expired', queues[0], { expiresAt: PAST });
    const late = await add('late', queues[1], { expiresAt: '2030-01-01T00:00:00Z' });
    await add('waiting', queues[1], { expiresAt: '2031-01-01T00:00:00Z' });
    await add('gone', queues[1], { expiresAt: PAST });
    await tenant.complete(first);
    await tenant.complete(late);
  });

  const found = async (query: string): Promise<string[]> =>
    (await tenant.list(`${PATH}?${query}`)).data.map(({ id }) => names.get(id) as string);

  it.each([
    ['completion=PENDING', ['pending', 'waiting']],
    ['completion=COMPLETED', ['first', 'late']],
    ['completion=EXPIRED', ['expired', 'gone']],
    ['completion=ACTIVE', ['first', 'late', 'pending', 'waiting']],
    ['completion=EXPIRED,PENDING', ['expired', 'gone', 'pending', 'waiting']],
    ['completion=EXPIRED&queueId=0', ['expired']],
    ['queueId=1', ['gone', 'late', 'waiting']],
    ['queueId=0&queueId=1&completion=COMPLETED', ['first', 'late']],
    [`queueId=${UNKNOWN}`, []],
    [`traceId=${UNKNOWN}`, []],
    ['traceId=late', ['late']],
    ['traceId=late,pending', ['late', 'pending']],
    ['traceId=late&queueId=0', []],
  ])('filters by %s', async (query, expected) => {
    const { data } = await tenant.list(PATH);
    const traceOf = (name: string): string =>
      (data.find(({ id }) => names.get(id) === name) as QueueItem).traceId;
    const filled = query
      .replaceAll(
        /queueId=([01])/g,
        (_, index: string) => `queueId=${(queues[Number(index)] as AnnotationQueue).id}`,
      )
      .replaceAll('late', traceOf('late'))
      .replaceAll('pending', traceOf('pending'));
    expect((await found(filled)).toSorted()).toEqual(expected);
  });

  it('puts what is not completed last in both directions', async () => {
    const order = async (orderDir: string): Promise<(string | null)[]> =>
      (await tenant.list(`${PATH}?orderBy=completedAt&orderDir=${orderDir}`)).data.map(
        ({ completedAt }) => completedAt,
      );
    for (const orderDir of ['asc', 'desc']) {
      const times = await order(orderDir);
      const set = times.slice(0, 2) as string[];
      expect(times.slice(2)).toEqual([null, null, null, null]);
      expect(set).toEqual(orderDir === 'asc' ? set.toSorted() : set.toSorted().reverse());
      expect(set).not.toContain(null);
    }
  });
});

it('a deleted trace takes its items along, and no others', async () => {
  const { id: queueId } = await ours.queue();
  const [gone, kept] = await ours.traces(2);
  await ours.item({ queueId, traceId: gone });
  const item = await ours.item({ queueId, traceId: kept });
  expect((await server.call('DELETE', `/v0/traces/${gone}`)).status).toBe(204);
  expect((await ours.list(`${PATH}?queueId=${queueId}`)).data).toEqual([item]);
});
