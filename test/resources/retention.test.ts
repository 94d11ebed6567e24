import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Route } from '../../src/contract/route.ts';
import { directCalls } from '../../src/cli/direct-calls.ts';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { insertApplication } from '../../src/resources/applications/store.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { getRetention, measureBlocks, setRetention } from '../../src/resources/retention/calls.ts';
import { applyRetention, type Deleted, type RetentionDeps } from '../../src/resources/retention/run.ts';
import { measureDays, RequestedCounts } from '../../src/resources/retention/count-days.ts';
import type { Retention, RetentionLimits } from '../../src/resources/retention/contract.ts';
import { retentionRoutes } from '../../src/resources/retention/routes.ts';
import { markDays } from '../../src/resources/retention/usage.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import type { Query } from '../../src/storage/calls.ts';
import { dropWaitingLogs, storeLogs } from '../../src/traces/calls.ts';
import { buildLogBatch } from '../../src/traces/log-batch.ts';
import { dayOf } from '../../src/traces/trace-keys.ts';
import { incomingLogs } from '../support/otlp-logs.ts';
import { BASE_MS, traceBytes, uuid } from '../support/spans.ts';
import { PENDING_EVAL, verdict } from '../support/stored-evals.ts';
import { storeRun, storeTask, storeTest } from '../support/stored-tests.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

const DAY_MS = 86_400_000;
const TODAY = BASE_MS + 400 * DAY_MS;
const SHOP = 1;
const OTHER = 2;

let folder: Folder;
let database: SqliteDatabase;
let deps: RetentionDeps;
let shop: Tenant;
let other: Tenant;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('touchstone.db'));
  for (const _ of [SHOP, OTHER])
    insertApplication(database, {
      id: randomUUID(),
      orgId: 'org-1',
      fields: withDefaults({ title: 'A', type: 'AGENT' }),
      at: TODAY,
    });
  [shop, other] = [new Tenant(database, SHOP), new Tenant(database, OTHER)];
  deps = {
    ...directCalls(database),
    now: () => TODAY,
    isStopped: () => false,
    onDeleted: () => undefined,
  };
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

/** Stores a trace of three spans that arrived so many days ago. */
function arrive(tenant: Tenant, trace: number, daysAgo: number, more: { test?: string } = {}): void {
  const attributes = { 'service.test.id': more.test ?? '', note: randomBytes(2_000).toString('hex') };
  tenant.store(
    [1, 2, 3].map((id) => ({ trace, id, attributes })),
    { at: TODAY - daysAgo * DAY_MS },
  );
}

/** Stores another span of the trace that arrived nine days ago. */
function sendLate(id: number): void {
  shop.store([{ trace: 1, id: 10 + id }], { at: TODAY });
  markDays(database, { application: SHOP, days: [dayOf(TODAY) - 9] });
}

/** Stores log records with 50 kB in all. */
async function sendLogs(trace: number, at: number): Promise<void> {
  const specs = Array.from({ length: 50 }, (_, span) => ({
    trace,
    span,
    body: randomBytes(500).toString('hex'),
  }));
  const batch = buildLogBatch(incomingLogs(specs));
  await deps.write(storeLogs, {
    application: SHOP,
    keyId: 'key',
    at,
    requests: 1,
    batch,
    dropped: 0,
    rejected: {},
    rejections: [],
  });
}

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

const keep = (limits: RetentionLimits, application = SHOP): Promise<unknown> =>
  deps.write(setRetention, { application, limits, at: TODAY });
const prune = (): Promise<Deleted> => applyRetention(deps);
const stored = (tenant: Tenant, traces: readonly number[]): number[] =>
  traces.filter((trace) => tenant.read(trace) !== null);
const shown = (limits: RetentionLimits = {}) =>
  deps.read(getRetention, { application: SHOP, limits, now: TODAY });
const rowsOf = (table: string): number =>
  database.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

describe('retention by age', () => {
  it('deletes what arrived before the last N days, of that application alone', async () => {
    for (const [trace, daysAgo] of [10, 8, 7, 1, 0].entries()) {
      arrive(shop, trace + 1, daysAgo);
      arrive(other, trace + 1, daysAgo);
    }
    await keep({ days: 7 });
    expect(await prune()).toMatchObject({ traces: 2 });
    expect(stored(shop, [1, 2, 3, 4, 5])).toEqual([3, 4, 5]);
    expect(stored(other, [1, 2, 3, 4, 5])).toEqual([1, 2, 3, 4, 5]);
    expect(await prune()).toEqual({ traces: 0, bytes: 0 });
  });

  it('leaves no row of a deleted trace, and deletes nothing without a limit', async () => {
    const tables = ['chunk', 'span', 'trace', 'trace_preview', 'trace_attr', 'resource', 'purge', 'session'];
    const before = tables.map(rowsOf);
    shop.store([{ trace: 1, id: 1, attributes: { 'session.id': 's', 'gen_ai.request.model': 'm' } }], {
      at: TODAY - 30 * DAY_MS,
    });
    expect(await prune()).toMatchObject({ traces: 0 });
    await keep({ days: 7 });
    expect(await prune()).toMatchObject({ traces: 1 });
    expect(tables.map(rowsOf)).toEqual(before);
  });

  it('rejects late spans of a deleted trace for a day', async () => {
    arrive(shop, 1, 30);
    await keep({ days: 7 });
    await prune();
    const late = [{ trace: 1, id: 9 }];
    expect(shop.store(late, { at: TODAY }).rejected).toMatchObject([{ reason: 'deleted', spans: 1 }]);
    deps = { ...deps, now: () => TODAY + DAY_MS + 1 };
    await prune();
    expect(shop.store(late, { at: TODAY }).stored).toBe(1);
  });
});

describe('the count of a day', () => {
  const readAnd = (change: () => void): RetentionDeps['read'] =>
    (async (query: Query, args: never) => {
      const result = await deps.read(query, args);
      if (query === measureBlocks) change();
      return result;
    }) as RetentionDeps['read'];

  it.each([
    ['was never counted', false],
    ['was counted before', true],
  ])('is repeated for a day that %s if spans arrived while it was counted', async (_when, isCounted) => {
    arrive(shop, 1, 9);
    if (isCounted) {
      await measureDays(deps, SHOP);
      sendLate(1);
    }
    await measureDays({ ...deps, read: readAnd(() => sendLate(2)) }, SHOP);
    await measureDays(deps, SHOP);
    expect((await shown()).usage.spans).toBe(isCounted ? 5 : 4);
    const reads: string[] = [];
    await measureDays({ ...deps, read: readAnd(() => reads.push('measureBlocks')) }, SHOP);
    expect(reads).toEqual([]);
  });

  it('notices that only the bytes changed', async () => {
    arrive(shop, 1, 0);
    await measureDays(deps, SHOP);
    const { bytes } = (await shown()).usage;
    database.run('UPDATE chunk SET payload = substr(payload, 1, length(payload) - 100)');
    await measureDays(deps, SHOP);
    expect((await shown()).usage.bytes).toBe(bytes - 100);
  });

  it('contains log records, and so does what is deleted', async () => {
    for (const trace of [1, 2]) arrive(shop, trace, 9);
    await measureDays(deps, SHOP);
    const before = (await shown()).usage.bytes;
    await sendLogs(1, TODAY);
    await measureDays(deps, SHOP);
    const { bytes } = (await shown()).usage;
    expect(bytes).toBeGreaterThan(before + 50_000);
    await keep({ maxBytes: before });
    expect(await prune()).toMatchObject({ traces: 1 });
    expect((await shown()).usage.bytes).toBeLessThan(before);
  });

  it('contains log records that wait for their trace, on the day of their arrival', async () => {
    await sendLogs(1, TODAY - DAY_MS);
    await prune();
    expect((await shown()).usage).toMatchObject({ traces: 0, oldestDay: isoDay(TODAY - DAY_MS) });
    expect((await shown()).usage.bytes).toBeGreaterThan(50_000);
    await deps.write(dropWaitingLogs, { before: TODAY, limit: 1_000 });
    await prune();
    expect((await shown()).usage).toMatchObject({ bytes: 0, oldestDay: null });
  });
});

describe('what is shown of retention', () => {
  it('is the time of the last measurement, not that of days that changed since', async () => {
    expect((await shown()).usage.measuredAt).toBeNull();
    for (const daysAgo of [9, 3]) arrive(shop, daysAgo, daysAgo);
    expect(await measureDays(deps, SHOP)).toBe(TODAY);
    markDays(database, { application: SHOP, days: [dayOf(TODAY) - 9, dayOf(TODAY) - 3] });
    expect((await shown()).usage).toMatchObject({ traces: 2, measuredAt: null, isMeasuring: false });
    const now = TODAY + 60_000;
    const measuredAt = await measureDays({ ...deps, now: () => now }, SHOP);
    const { usage } = await deps.read(getRetention, { application: SHOP, limits: {}, now, measuredAt });
    expect(usage).toMatchObject({ measuredAt: new Date(now).toISOString(), isMeasuring: false });
  });

  it('says when the measurement could not end', async () => {
    arrive(shop, 1, 3);
    const measuredAt = await measureDays({ ...deps, isStopped: () => true }, SHOP);
    expect(measuredAt).toBeNull();
    const { usage } = await deps.read(getRetention, {
      application: SHOP,
      limits: {},
      now: TODAY,
      measuredAt,
    });
    expect(usage).toMatchObject({ traces: 0, measuredAt: null, isMeasuring: true });
  });
});

describe('a count that requests share', () => {
  it('ends, however little of it each request counts, with the time of its begin', async () => {
    for (const daysAgo of [9, 3, 0]) arrive(shop, daysAgo, daysAgo);
    const counts = new RequestedCounts();
    let now = TODAY;
    /** Stops at the third look at its time, and more arrives before the next request. */
    const request = (): Promise<number | null> => {
      let looks = 0;
      now += 1_000;
      arrive(shop, now % 997, 0);
      return counts.measure({ ...deps, now: () => now, isStopped: () => (looks += 1) > 2 }, SHOP);
    };
    const ended: (number | null)[] = [];
    while (ended.length < 50 && (ended.at(-1) ?? null) === null) ended.push(await request());
    expect(ended.at(-1)).toBe(TODAY + 1_000);
    expect(ended.length).toBeGreaterThan(3);
  });

  it('is one count for requests at the same time', async () => {
    arrive(shop, 1, 3);
    const counts = new RequestedCounts();
    let begun = 0;
    // The time is read once for each count, before its first day.
    const now = (): number => TODAY + 1_000 * (begun += 1);
    const given = { ...deps, now, isStopped: () => false };
    const both = [counts.measure(given, SHOP), counts.measure(given, SHOP)];
    expect(await Promise.all(both)).toEqual([TODAY + 1_000, TODAY + 1_000]);
  });
});

describe('retention by bytes', () => {
  it('deletes the oldest traces until the rest fits', async () => {
    for (let trace = 1; trace <= 20; trace++) arrive(shop, trace, 20 - trace);
    await measureDays(deps, SHOP);
    const { usage } = await shown();
    const maxBytes = Math.round(usage.bytes / 2);
    await deps.write(setRetention, { application: SHOP, limits: { maxBytes }, at: TODAY });
    await prune();
    const after = await shown();
    expect(after.usage.bytes).toBeLessThanOrEqual(maxBytes);
    expect(after.usage.bytes).toBeGreaterThan(maxBytes * 0.8);
    expect(stored(shop, [1, 2, 3, 19, 20])).toEqual([19, 20]);
    expect(after).toMatchObject({ isOverBudget: false, due: { traces: 0 } });
    expect(after.lastRun?.deletedTraces).toBe(20 - after.usage.traces);
  });

  it('says when all that is left is pinned', async () => {
    for (const trace of [1, 2]) {
      arrive(shop, trace, 3);
      annotate(trace);
    }
    await deps.write(setRetention, { application: SHOP, limits: { maxBytes: 1 }, at: TODAY });
    await prune();
    expect(await shown()).toMatchObject({ isOverBudget: true, usage: { traces: 2 } });
  });
});

function annotate(trace: number): void {
  database.run(
    `INSERT INTO human_annotation (id, application, trace_id, verdict, annotator_id, source, created_at, modified_at)
     VALUES (?, ?, ?, 1, 'ada', 'API', 1, 1)`,
    randomUUID(),
    SHOP,
    traceBytes(trace),
  );
}

function queueItem(trace: number, completedAt: number | null): void {
  database.run(
    `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, completed_at, expires_at, created_at)
     VALUES (?, ?, 'queue', ?, 'RANDOM', ?, 1, 1)`,
    randomUUID(),
    SHOP,
    traceBytes(trace),
    completedAt,
  );
}

function exampleOf(trace: number, status: string): void {
  database.run(
    `INSERT INTO example (id, application, task_id, position, prompt, status, trace_id, created_at, modified_at)
     VALUES (?, ?, 'task', 0, '', ?, ?, 1, 1)`,
    randomUUID(),
    SHOP,
    status,
    traceBytes(trace),
  );
}

/** An eval of a trace; canaries of a judge are evals that are judged again. */
function judgedTrace(trace: number, isCanary: boolean): void {
  const [id, definitionId] = [randomUUID(), randomUUID()];
  const evals = [{ ...PENDING_EVAL, ...verdict(true), id, definitionId, traceId: traceBytes(trace) }];
  saveEvals(database, { application: SHOP, evals, at: TODAY });
  if (!isCanary) return;
  database.run(
    `INSERT INTO canary (application, definition_id, eval_id, definition_version, judge_version, created_at)
     VALUES (?, ?, ?, 1, 'judge', 1)`,
    SHOP,
    definitionId,
    id,
  );
}

describe('pinned traces', () => {
  const PINNING: readonly (readonly [string, (trace: number) => void, boolean])[] = [
    ['has a human annotation', annotate, true],
    ['waits in an annotation queue', (trace) => queueItem(trace, null), true],
    ['was completed in an annotation queue', (trace) => queueItem(trace, 1), false],
    ['is the source of an example', (trace) => exampleOf(trace, 'ACTIVE'), true],
    ['is a canary of a judge', (trace) => judgedTrace(trace, true), true],
    ['was judged, and is no canary', (trace) => judgedTrace(trace, false), false],
    ['is the source of an archived example', (trace) => exampleOf(trace, 'ARCHIVED'), false],
  ];
  it.each(PINNING)('one that %s', async (_name, pin, isKept) => {
    arrive(shop, 1, 30);
    arrive(shop, 2, 30);
    pin(1);
    await keep({ days: 7 });
    await prune();
    expect(stored(shop, [1, 2])).toEqual(isKept ? [1] : []);
  });

  it('are those of the last 20 tests of a task', async () => {
    const run = { id: uuid(900), taskId: uuid(901), createdAt: 1 };
    storeTask(database, SHOP, run.taskId);
    storeRun(database, SHOP, run);
    const traces = Array.from({ length: 25 }, (_, index) => index + 1);
    for (const trace of traces) {
      const test = uuid(trace);
      storeTest(database, SHOP, { id: test, run, status: 'COMPLETED', phase: 'done', createdAt: trace });
      arrive(shop, trace, 30, { test });
    }
    await keep({ days: 7 });
    await prune();
    expect(stored(shop, traces)).toEqual(traces.slice(5));
  });

  it.each([
    [{ keptRunSets: 1 }, [3, 4]],
    [{ keptRunSets: 2 }, [2, 3, 4]],
    [{ keptRunSets: 0 }, []],
    [{ keptRunSets: 2, pinnedDays: 20 }, []],
  ])(
    'are those of the newest run sets of each branch that decided or were a baseline: %j',
    async (limits, kept) => {
      const taskId = uuid(901);
      storeTask(database, SHOP, taskId);
      const sets = [
        { branch: 'main', decided: 1 },
        { branch: 'main', decided: 1 },
        { branch: 'main', used: 1 },
        { branch: 'topic', decided: 1 },
        { branch: 'main' },
      ];
      for (const [index, { branch, decided = null, used = null }] of sets.entries()) {
        const trace = index + 1;
        const run = { id: uuid(900 + trace), taskId, createdAt: trace };
        storeRun(database, SHOP, run);
        database.run(
          `INSERT INTO run_set (id, application, branch, status, repeat, planned_tests, open_tests, decided_at, used_at, created_at,
           modified_at) VALUES (?, ?, ?, 'COMPLETED', 1, 1, 0, ?, ?, ?, ?)`,
          uuid(950 + trace),
          SHOP,
          branch,
          decided,
          used,
          trace,
          trace,
        );
        database.run('UPDATE run SET run_set_id = ? WHERE id = ?', uuid(950 + trace), run.id);
        storeTest(database, SHOP, {
          id: uuid(trace),
          run,
          status: 'COMPLETED',
          phase: 'done',
          createdAt: trace,
        });
        arrive(shop, trace, 30, { test: uuid(trace) });
        database.run(
          `INSERT INTO delivery (application, id, test_id, is_sample, url, span_id, request_headers, request_body, attempt, sent_at,
             finished_at) VALUES (?, ?, ?, 0, 'http://app', x'00', '{}', x'00', 1, ?, ?)`,
          SHOP,
          uuid(800 + trace),
          uuid(trace),
          TODAY - 30 * DAY_MS,
          TODAY - 30 * DAY_MS,
        );
      }
      const later = { id: uuid(900), taskId, createdAt: 100 };
      storeRun(database, SHOP, later);
      for (let i = 0; i < 20; i++)
        storeTest(database, SHOP, {
          id: uuid(100 + i),
          run: later,
          status: 'COMPLETED',
          phase: 'done',
          createdAt: 100,
        });
      await keep({ days: 7, ...limits });
      await prune();
      expect(stored(shop, [1, 2, 3, 4, 5])).toEqual(kept);
      const deliveries = database.all<{ testId: string }>(
        'SELECT test_id AS "testId" FROM delivery ORDER BY id',
      );
      expect(deliveries.map(({ testId }) => testId)).toEqual(kept.map((trace) => uuid(trace)));
    },
  );

  it('are deleted when their time is over as well', async () => {
    arrive(shop, 1, 30);
    annotate(1);
    await keep({ days: 7, pinnedDays: 20 });
    await prune();
    expect(stored(shop, [1])).toEqual([]);
    expect(rowsOf('human_annotation')).toBe(0);
  });
});

describe('a dry run', () => {
  it('shows what limits would delete, and deletes nothing', async () => {
    for (let trace = 1; trace <= 10; trace++) arrive(shop, trace, 10 - trace);
    await measureDays(deps, SHOP);
    expect(await shown({ days: 4 })).toMatchObject({ days: 4, due: { traces: 5, spans: 15 } });
    expect(await shown()).toMatchObject({ days: null, due: { traces: 0, bytes: 0 } });
    const { usage } = await shown();
    expect((await shown({ maxBytes: Math.round(usage.bytes * 0.7) })).due.traces).toBeLessThan(5);
    expect(usage).toMatchObject({ traces: 10, spans: 30 });
    expect(usage.bytesPerDay).toBeGreaterThan(0.5 * (usage.bytes / 10));
    expect(stored(shop, [1, 10])).toEqual([1, 10]);
  });
});

describe('setting limits', () => {
  /** Sends `PUT /v0/retention` of the first application, whose deletions begin when the test says so. */
  const set = async (body: object): Promise<Retention> => {
    const routes = retentionRoutes({
      ...directCalls(database),
      now: () => TODAY,
      onRetentionChanged: () => undefined,
    });
    const [put] = routes.filter(({ method }) => method === 'PUT') as [Route];
    const { data } = (await put.handler({ principal: { application: SHOP }, body } as never)) as {
      data: Retention;
    };
    return data;
  };

  it.each([{ days: 4 }, { maxBytes: 80_000 }])(
    'measures first, and %j deletes what it said',
    async (limits) => {
      for (let trace = 1; trace <= 30; trace++) arrive(shop, trace, 30 - trace);
      const { due, usage } = await set(limits);
      expect(usage).toMatchObject({ traces: 30, spans: 90, measuredAt: new Date(TODAY).toISOString() });
      expect(due.traces).toBeGreaterThan(3);
      expect(await prune()).toMatchObject({ traces: due.traces });
    },
  );

  it('has a time of measurement that is its own, after days that changed', async () => {
    arrive(shop, 1, 30);
    await measureDays(deps, SHOP);
    markDays(database, { application: SHOP, days: [dayOf(TODAY) - 30] });
    expect((await set({ days: 60 })).usage.measuredAt).toBe(new Date(TODAY).toISOString());
  });
});
