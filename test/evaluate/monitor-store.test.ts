import { hexOf } from '../../src/storage/dialect.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  drawLiveTraces,
  nextMonitoringAt,
  noteLiveTraces,
  placeOf,
  planMonitoring,
} from '../../src/evaluate/engine/monitor-store.ts';
import { BASE_MS, type SpanSpec, traceBytes, uuid } from '../support/spans.ts';
import { openDatabase, Tenant, temporaryFolder } from '../support/storage.ts';

const QUIET = { quietMs: 1_000, orphanQuietMs: 5_000 };
/** When spans were stored, and their traces are quiet. */
const AT = BASE_MS;

let tenant: Tenant;
/** Statements as they were prepared. */
let statements: string[];
beforeEach(() => {
  // How far traces have been drawn is noted once for a complete store.
  const folder = temporaryFolder();
  statements = [];
  tenant = new Tenant(
    openDatabase(folder.file('store.db'), (sql) => statements.push(sql)),
    1,
  );
  return () => {
    tenant.database.connection.close();
    folder[Symbol.dispose]();
  };
});

function monitor(
  sampleRate: number | undefined,
  { status = 'ACTIVE', kind = 'application', application = 1 } = {},
): string {
  const id = randomUUID();
  const config = { criterion: 'Kind?', ...(sampleRate === undefined ? {} : { monitoring: { sampleRate } }) };
  tenant.database.run(
    `INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, created_at, modified_at)
     VALUES (?, ?, 'Definition', 'CUSTOM', ?, ?, 1, 1, 0, 0)`,
    id,
    application,
    status,
    JSON.stringify(config),
  );
  tenant.database.run(
    `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at) VALUES (?, ?, ?, ?, '{}', 0)`,
    application,
    id,
    kind,
    id,
  );
  return id;
}

const draw = (after: number | null = null) => drawLiveTraces(tenant.database, { after, limit: 100 });
const storeTraces = (count: number): Buffer[] =>
  Array.from({ length: count }, () => {
    const traceId = randomBytes(16);
    tenant.store([{ trace: traceId.toString('hex'), id: 1 }]);
    return traceId;
  });
const hexes = (traces: readonly { traceId: Uint8Array }[]): string[] =>
  traces.map(({ traceId }) => Buffer.from(traceId).toString('hex'));
const note = (traceIds: readonly Uint8Array[], dueAt = AT): number =>
  noteLiveTraces(tenant.database, {
    drawn: traceIds.map((traceId) => ({ application: 1, traceId })),
    last: 1,
    dueAt,
  });
const plan = (now: number) => planMonitoring(tenant.database, { now, limit: 100, ...QUIET });
const planned = (): { trace: string; definition: string }[] =>
  tenant.database.all(
    `SELECT ${hexOf('trace_id')} AS trace, definition_id AS definition FROM eval
     WHERE run_type = 'MONITORING' AND test_id IS NULL AND status = 'PENDING' ORDER BY trace, definition`,
  );

describe('the place of a trace', () => {
  it('is always the same, from 0 up to 1, and spread evenly even where ids are not', () => {
    const places = Array.from({ length: 10_000 }, (_, index) => placeOf(traceBytes(index)));
    expect(places).toEqual(Array.from({ length: 10_000 }, (_, index) => placeOf(traceBytes(index))));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThan(1);
    // Four standard deviations.
    for (const rate of [0.01, 0.1, 0.5]) {
      const share = places.filter((place) => place < rate).length / places.length;
      expect(Math.abs(share - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / places.length));
    }
  });
});

const keyOf = (traceId: Buffer | undefined): number => tenant.tkey(traceId?.toString('hex') ?? '') ?? -1;

describe('drawing', () => {
  it.each<[what: string, sampleRate: number | undefined, more?: Parameters<typeof monitor>[1]]>([
    ['no rate', undefined],
    ['the rate 0', 0],
    ['the status DRAFT', 0.5, { status: 'DRAFT' }],
    ['a link to a topic only', 0.5, { kind: 'topic' }],
  ])('is off with definitions that have %s', (_what, rate, more) => {
    monitor(rate, more);
    storeTraces(3);
    expect(draw()).toEqual({ isOn: false, last: null, hasMore: false, drawn: [] });
  });

  it('begins with what comes after it was turned on', () => {
    const [, , third] = storeTraces(3);
    monitor(1);
    const first = draw();
    expect(first).toEqual({ isOn: true, last: keyOf(third), hasMore: false, drawn: [] });
    noteLiveTraces(tenant.database, { drawn: [], last: first.last, dueAt: AT });
    const [later] = storeTraces(1);
    expect(hexes(draw().drawn)).toEqual([later?.toString('hex')]);
    const last = keyOf(later);
    expect(draw(last)).toMatchObject({ isOn: true, last, drawn: [] });
  });

  it('takes those whose place is within the largest rate, of applications that monitor', () => {
    monitor(0.3);
    monitor(0.6);
    const other = new Tenant(tenant.database, 2);
    other.store([{ trace: 9, id: 1 }]);
    const traces = storeTraces(60);
    const expected = traces
      .filter((traceId) => placeOf(traceId) < 0.6)
      .map((traceId) => traceId.toString('hex'));
    expect(hexes(draw(0).drawn)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.length).toBeLessThan(55);
  });

  it('says when there is more', () => {
    monitor(1);
    const [, , third] = storeTraces(5);
    const found = drawLiveTraces(tenant.database, { after: 0, limit: 3 });
    expect(found).toMatchObject({ last: keyOf(third), hasMore: true });
    expect(found.drawn).toHaveLength(3);
  });

  it('forgets how far it was when monitoring ends', () => {
    note([]);
    expect(draw()).toMatchObject({ isOn: false, last: 1 });
    noteLiveTraces(tenant.database, { drawn: [], last: null, dueAt: AT });
    expect(draw()).toMatchObject({ isOn: false, last: null });
  });

  it('drops what is too much, and says how much that was', () => {
    const traces = Array.from({ length: 10_003 }, (_, index) => traceBytes(index));
    expect(note(traces)).toBe(3);
    expect(note([randomBytes(16)])).toBe(1);
  });
});

it('looks at no definition that does not monitor', () => {
  draw();
  const [sql = ''] = statements.filter((text) => text.includes('FROM definition'));
  const steps = tenant.database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  expect(steps[0]?.detail).toContain('definition_monitoring');
});

it('plans so many evals in one command that it begins no further trace, and continues with the next one', () => {
  for (let count = 0; count < 60; count++) monitor(1);
  const traces = storeTraces(30);
  note(traces);
  const steps: ReturnType<typeof plan>[] = [];
  do steps.push(plan(AT + 60_000));
  while (steps.at(-1)?.looked !== 0);
  // A command that has planned 500 evals or more ends: nine traces of 60.
  expect(steps.map(({ looked }) => looked)).toEqual([9, 9, 9, 3, 0]);
  expect(steps.reduce((sum, step) => sum + step.planned, 0)).toBe(30);
  expect(planned()).toHaveLength(30 * 60);
  expect(nextMonitoringAt(tenant.database, null)).toBeNull();
});

describe('a trace that was drawn', () => {
  const store = (span: Omit<SpanSpec, 'id' | 'trace'> = {}, at = AT): void => {
    tenant.store([{ trace: 1, id: 1, ...span }], { at });
  };

  it('is planned for each definition in whose share it is, when it is quiet', () => {
    const definition = monitor(1);
    const place = placeOf(traceBytes(1));
    monitor(place / 2);
    store();
    note([traceBytes(1)]);
    expect(nextMonitoringAt(tenant.database, null)).toBe(AT);
    expect(plan(AT + 999)).toEqual({ looked: 1, planned: 0 });
    expect(plan(AT + 999)).toEqual({ looked: 0, planned: 0 });
    expect(plan(AT + 1_000)).toEqual({ looked: 1, planned: 1 });
    expect(planned()).toEqual([{ trace: traceBytes(1).toString('hex'), definition }]);
    expect(plan(AT + 9_000)).toEqual({ looked: 0, planned: 0 });
  });

  it('waits longer while all of it hangs under spans that have not arrived', () => {
    monitor(1);
    store({ parent: 9 });
    note([traceBytes(1)]);
    expect(plan(AT + 4_999).planned).toBe(0);
    expect(plan(AT + 5_000).planned).toBe(1);
  });

  it('waits again with each of its spans', () => {
    monitor(1);
    store();
    note([traceBytes(1)]);
    tenant.store([{ trace: 1, id: 2, parent: 1 }], { at: AT + 900 });
    expect(plan(AT + 1_000).planned).toBe(0);
    expect(plan(AT + 1_900).planned).toBe(1);
  });

  it.each<[what: string, happen: () => void]>([
    ['carries the id of a test', () => store({ attributes: { 'service.test.id': uuid(5) } })],
    [
      'was deleted',
      () => {
        store();
        tenant.delete(1);
      },
    ],
    [
      'is judged by nothing any more',
      () => {
        store();
        tenant.database.run(`UPDATE definition SET status = 'ARCHIVED'`);
      },
    ],
  ])('is dropped when it %s', (_what, happen) => {
    monitor(1);
    happen();
    note([traceBytes(1)]);
    expect(plan(AT + 60_000)).toEqual({ looked: 1, planned: 0 });
    expect(planned()).toEqual([]);
    expect(nextMonitoringAt(tenant.database, null)).toBeNull();
  });
});
